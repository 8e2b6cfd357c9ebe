/** Reading matches: one of them, a page of many, and what happens in them from now on. */
import { refusals } from '../errors.ts';
import { isId } from '../id.ts';
import type { Changes } from './changes.ts';
import { maySee, seatOf } from './commands/access.ts';
import { shortText } from './commands/text.ts';
import type { Live } from './live/hints.ts';
import { openLobby } from './live/lobby.ts';
import { MatchEvents, turnsOf } from './live/streams.ts';
import type { Memo } from './log/memo.ts';
import type { Match } from './log/records.ts';
import type { Store } from './log/store.ts';
import type { Matches } from './matches.ts';

export interface QueryParts {
  store: Store;
  memo: Memo;
  live: Live;
  changes: Changes;
}

export const MAX_PAGE = 100;

export function queries({
  store,
  memo,
  live,
  changes,
}: QueryParts): Pick<Matches, 'see' | 'list' | 'events' | 'turns' | 'lobby'> {
  const lobby = openLobby({ store, live });
  return {
    see: changes.see,

    async list(caller, input) {
      const size = input.last ?? input.first ?? 20;
      if (size < 1 || size > MAX_PAGE)
        throw input.last != null ? refusals.badLast(MAX_PAGE) : refusals.badFirst(MAX_PAGE);
      if ((input.mine || input.myTurn) && !caller) throw refusals.mineNeedsToken();
      if (input.after && !isId(input.after)) throw refusals.badCursor();
      if (input.before && !isId(input.before)) throw refusals.badCursor('before');
      const fromEnd = input.last != null;
      if (input.hidden) return { matches: [], more: false };
      const matches = await store.list({
        game: shortText('game', input.game) ?? undefined,
        status: input.status ?? undefined,
        seated: input.mine ? caller?.id : undefined,
        played: input.player,
        toAct: input.myTurn ? caller?.id : undefined,
        viewer: caller?.id,
        olderThan: input.after ?? undefined,
        newerThan: input.before ?? undefined,
        fromOldest: fromEnd,
        limit: size + 1,
      });
      const page = matches.slice(0, size);
      return { matches: fromEnd ? page.reverse() : page, more: matches.length > size };
    },

    async events(caller, id, after, invite) {
      const isPast = ({ version }: Match) => Number.isInteger(after) && after >= 0 && after <= version;
      // The stream reads the log itself when it begins and checks again, so a remembered match is good enough here.
      const known = memo.peek(id);
      const match =
        known && maySee(known, caller, invite) && isPast(known) ? known : await changes.see(caller, id, invite);
      const { version } = match;
      if (!isPast(match)) throw refusals.badAfter(version, { version });
      const check = (current: Match) => {
        if (!maySee(current, caller, invite)) throw changes.noSuchMatch();
      };
      const isPlayed = match.endedAt === null && seatOf(match, caller) !== null;
      return new MatchEvents({ memo, live, id, after, isPlayed, check });
    },

    turns: (player) => turnsOf(player, { store, memo, live }),

    lobby: (game) => lobby(shortText('game', game)),
  };
}
