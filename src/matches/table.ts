/** The commands around a table: opening, sitting down, leaving, giving up, and playing again. */
import { type RequestKey, requestKey } from '../database/request-keys.ts';
import { refusals } from '../errors.ts';
import type { Registry } from '../games/registry.ts';
import type { Player } from '../players/player.ts';
import type { Quotas } from '../quotas.ts';
import { inSlices } from '../turns.ts';
import type { Changes, Step } from './changes.ts';
import { seatOf } from './commands/access.ts';
import { stale } from './commands/act.ts';
import type { Lengths } from './commands/lengths.ts';
import { ordered } from './commands/orders.ts';
import {
  abandoned,
  botAdded,
  botsGaveUp,
  calledOff,
  cancelled,
  joined,
  left,
  openingOf,
  rematchOf,
  resigned,
  timedOut,
} from './commands/seating.ts';
import { shortText } from './commands/text.ts';
import { undone, undoSeat, versionBefore } from './commands/undo.ts';
import type { Memo } from './log/memo.ts';
import { rebuilding } from './log/rebuild.ts';
import type { LoggedEvent, Match, Receipt } from './log/records.ts';
import type { Store } from './log/store.ts';
import type { Matches } from './matches.ts';
import { playersOf } from './proof/document.ts';

export interface TableParts {
  registry: Registry;
  store: Store;
  memo: Memo;
  changes: Changes;
  now: () => Date;
  quotas: Quotas;
  lengths: Lengths;
}

type TableCommands = Pick<
  Matches,
  | 'create'
  | 'join'
  | 'leave'
  | 'addBot'
  | 'cancel'
  | 'callOff'
  | 'order'
  | 'resign'
  | 'abandon'
  | 'undo'
  | 'rematch'
  | 'expire'
  | 'endFull'
>;

/** How often one player may call off a rematch and ask for another. The other players can ask regardless. */
const MAX_REMATCHES = 3;

/** The defaults that GraphQL fills in and REST leaves out. */
const DEFAULTS = { visibility: 'PUBLIC', sit: true, takeover: false };

const withoutNull = (input: object): object =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null && value !== undefined));

const lastEvent = ({ events }: Match): LoggedEvent => events.at(-1) as LoggedEvent;

export function tableCommands(parts: TableParts): TableCommands {
  const { registry, store, changes, now, quotas, lengths } = parts;
  const { change, committed } = changes;

  async function receipt(player: Player, id: string, step: Step): Promise<Receipt> {
    const match = await change(player, id, null, step);
    return { event: lastEvent(match), match };
  }

  return {
    async create(player, input, key) {
      const request = requestKey(player.id, key, 'create', { ...DEFAULTS, ...withoutNull(input) });
      const created = changes.once(player, request, async () => {
        const match = openingOf(registry, player, input, now());
        await store.create(match, { request, guard: quotas.opening(match) });
        committed(null, match);
        return match;
      });
      return changes.inTime(created);
    },

    join(player, id, { seat, invite, entropy }) {
      const text = shortText('entropy', entropy);
      return change(player, id, invite ?? null, (match) => joined(match, player, seat ?? null, text, now()));
    },

    leave: (player, id) => change(player, id, null, (match) => left(match, player, now())),

    async addBot(player, id, level, key) {
      const actionId = shortText('The idempotency key', key);
      const step: Step = (match) => botAdded(match, player, level, now(), actionId);
      return change(player, id, null, step, (next) => quotas.addingBot(next));
    },

    cancel: (player, id) => change(player, id, null, (match) => cancelled(match, player, now())),

    callOff: (id) => changes.changeUnseen(id, (match) => calledOff(match, now())),

    async order(player, id, order) {
      const match = await change(player, id, null, (current) => {
        const seat = seatOf(current, player);
        lengths.checkOrder(current, seat);
        return ordered(current, seat, player.id, order, now());
      });
      return { event: match.events.findLast(({ type }) => type === 'ORDERED') as LoggedEvent, match };
    },

    resign: (player, id) => receipt(player, id, (match) => resigned(match, player, now())),

    async abandon(player) {
      for (const id of await store.tablesOf(player.id))
        await changes.changeUnseen(id, (match) => abandoned(match, player, now()));
    },

    undo: (player, id, expectedVersion) =>
      receipt(player, id, async (match) => {
        const seat = undoSeat(match, player);
        if (seat !== null && match.version !== expectedVersion) throw stale(match);
        lengths.checkUndo(match, seat);
        const before = await inSlices(rebuilding(match, versionBefore(match, seat)), player.id);
        return undone(match, seat, player.id, now(), () => before);
      }),

    async rematch(player, id, { entropy, key } = {}) {
      const text = shortText('entropy', entropy);
      const request = requestKey(player.id, key, 'rematch', { id, entropy });
      return changes.once(player, request, () => rematch(parts, player, id, text, request));
    },

    endFull: (id) => changes.changeUnseen(id, (match) => (lengths.isFull(match) ? botsGaveUp(match, now()) : match)),

    async expire(id, at) {
      let expired = false;
      const match = await changes.changeUnseen(id, (current) => {
        const next = timedOut(current, at);
        expired = next !== current;
        return next;
      });
      // Otherwise every round would look at it again, before all matches that come after it.
      if (!expired) await store.postpone(match);
      return expired;
    },
  };
}

/**
 * Seats the player at the rematch. The first player to ask opens it, and a rematch that was called off is followed by
 * another.
 */
async function rematch(
  { registry, store, memo, changes, now, quotas }: TableParts,
  player: Player,
  id: string,
  entropy: string | null,
  request: RequestKey | null,
): Promise<Match> {
  const old = await changes.see(player, id);
  if (!playersOf(old).includes(player.id)) throw refusals.didNotPlay();
  let before = id;
  for (let calledOff = 0; ; ) {
    const next = await store.rematch(before);
    if (!next) {
      if (calledOff >= MAX_REMATCHES) throw refusals.rematchCalledOffTooOften();
      const match = rematchOf(old, registry, player, before, entropy, now());
      // Another player asked at the same moment.
      if (!(await store.create(match, { request, guard: quotas.opening(match) }))) continue;
      changes.committed(null, match);
      return match;
    }
    const found = await memo.fresh(next);
    if (found?.status !== 'CANCELLED') {
      const match = await changes.changeUnseen(next, (current) => joined(current, player, null, entropy, now()));
      await changes.remember(request, match); // sitting down again changes nothing, so this may come last
      return match;
    }
    if (found.creatorId === player.id) calledOff++;
    before = next;
  }
}
