/** Live streams: turns and the lobby. */
import type { Caller } from './caller.ts';
import type { Atoll } from './client.ts';
import { Lobby, MatchEvents, Turns } from './generated/operations.ts';

export function openLive({ subscribe }: Caller): Pick<Atoll, 'events' | 'turns' | 'lobby'> {
  return {
    async *events(id, { after = 0, invite, signal } = {}) {
      let last = after;
      const resume = () => ({ id, after: last, ...(invite !== undefined && { invite }) });
      for await (const { matchEvents: event } of subscribe(MatchEvents, resume, { signal })) {
        if (event.version <= last) continue;
        last = event.version;
        yield event;
      }
    },

    async *turns({ signal } = {}) {
      const told = new Map<string, string>();
      for await (const { turns: turn } of subscribe(Turns, {}, { signal })) {
        // After a cut, the server begins with all turns again.
        const state = `${turn.acting} ${turn.match.version}`;
        if (told.get(turn.match.id) === state) continue;
        told.set(turn.match.id, state);
        yield turn;
      }
    },

    async *lobby({ game, signal } = {}) {
      const open = new Map<string, number>();
      for await (const { lobby: change } of subscribe(Lobby, game === undefined ? {} : { game }, { signal })) {
        const { matchId, match } = change;
        // After a cut, the server begins with all open tables again.
        if (match && open.get(matchId) === match.version) continue;
        if (match) open.set(matchId, match.version);
        else open.delete(matchId);
        yield change;
      }
    },
  };
}
