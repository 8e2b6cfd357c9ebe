/** Every command and query on matches. Both faces of the API call this and nothing below it. */
import { AtollError } from '../errors.ts';
import type { Registry } from '../games/registry.ts';
import type { MatchStatus } from '../generated/prisma/enums.ts';
import { isId } from '../id.ts';
import type { BotLevel } from '../players/bots.ts';
import type { Player } from '../players/service.ts';
import { type Caller, decide, maySee, type Submission, seatOf, shortText, stale } from './commands.ts';
import { documentOf, type MatchDocument, playersOf, textOf } from './document.ts';
import { forked } from './fork.ts';
import type { Live } from './live.ts';
import type { LoggedEvent, Match, Receipt, Summary } from './match.ts';
import type { Memo } from './memo.ts';
import { followed, ordered } from './orders.ts';
import {
  botAdded,
  type CreateInput,
  cancelled,
  joined,
  left,
  openingOf,
  rematchOf,
  resigned,
  timedOut,
} from './seating.ts';
import type { Store } from './store.ts';
import { MatchEvents, type Turn, turnsOf } from './streams.ts';
import { undone, undoSeat } from './undo.ts';
import { imported } from './verify.ts';

export interface JoinInput {
  seat?: number | null;
  invite?: string | null;
  entropy?: string | null;
}

export interface ListInput {
  game?: string | null;
  status?: MatchStatus | null;
  mine?: boolean | null;
  myTurn?: boolean | null;
  first?: number | null;
  after?: string | null;
}

export interface Matches {
  create(player: Player, input: CreateInput): Promise<Match>;
  join(player: Player, id: string, input: JoinInput): Promise<Match>;
  leave(player: Player, id: string): Promise<Match>;
  /** A bot in the first free seat. */
  addBot(player: Player, id: string, level: BotLevel): Promise<Match>;
  /** Before the start, by who opened it. */
  cancel(player: Player, id: string): Promise<Match>;
  resign(player: Player, id: string): Promise<Receipt>;
  /** A standing order of the player's seat; null withdraws it. */
  order(player: Player, id: string, order: unknown): Promise<Receipt>;
  /** The rematch of an ended match, with the player seated; the first of its players to ask opens it. */
  rematch(player: Player, id: string): Promise<Match>;
  /** Takes their seats from all whose time is up by then; true: there were some. */
  expire(id: string, now: Date): Promise<boolean>;
  submit(player: Player, submission: Submission): Promise<Receipt>;
  undo(player: Player, id: string, expectedVersion: number): Promise<Receipt>;
  /** An analysis match that continues from that version. */
  fork(player: Player, id: string, at: number, invite?: string | null): Promise<Match>;
  /** Takes over an ended match of another server, once it is proven. Importing it again changes nothing. */
  import(player: Player, document: unknown): Promise<Match>;
  /** The match as it is now, if this caller may see it. */
  see(caller: Caller, id: string, invite?: string | null): Promise<Match>;
  list(caller: Caller, input: ListInput): Promise<{ matches: Summary[]; more: boolean }>;
  /** Every event after that version, then live. */
  events(caller: Caller, id: string, after: number, invite?: string | null): Promise<MatchEvents>;
  /** All turns of the player now, then each gain and loss. */
  turns(player: Player): AsyncIterableIterator<Turn, void>;
}

export interface Services {
  registry: Registry;
  store: Store;
  memo: Memo;
  live: Live;
  now?: () => Date;
  /** Told of every submission: its outcome is `ok`, `repeated` or an error code. */
  onSubmission?: (outcome: string, milliseconds: number) => void;
  /** Asked before a document is proven: throws if this player has imported enough for now. */
  onImport?: (player: Player) => void;
  /** Told of every match that was moved on here: bots look whether it is their turn. */
  onCommit?: (match: Match) => void;
}

const MAX_TRIES = 3;
/** How often a rematch may be called off and asked for again. */
const MAX_REMATCHES = 20;

export const MAX_PAGE = 100;

const notFound = () => new AtollError('NOT_FOUND', 'There is no such match, or you may not see it');

export function openMatches(services: Services): Matches {
  const {
    registry,
    store,
    memo,
    live,
    now = () => new Date(),
    onSubmission = () => {},
    onCommit = () => {},
    onImport = () => {},
  } = services;
  const inTurn = oneAtATime();

  async function seen(caller: Caller, id: string, invite?: string | null): Promise<Match> {
    const match = isId(id) ? await memo.fresh(id) : null;
    if (!match || !maySee(match, caller, invite)) throw notFound();
    return match;
  }

  /** Commits what `step` makes of the match, or tries again on what another server made of it meanwhile. */
  async function change(
    caller: Caller,
    id: string,
    invite: string | null,
    step: (match: Match) => Match,
    inside = false,
  ): Promise<Match> {
    return inTurn(id, async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const match = inside ? await memo.fresh(id) : await seen(caller, id, invite);
        if (!match) throw notFound();
        const next = step(match);
        if (next === match || (await commit(match, next))) return next;
      }
      throw busy();
    });
  }

  /** Appends, remembers, tells: in this order, so that nobody hears of what could still be lost. */
  async function commit(match: Match, next: Match): Promise<boolean> {
    if (!(await store.append({ expected: match.version, match: next }))) return false;
    committed(match, next);
    return true;
  }

  function committed(match: Match | null, next: Match): void {
    memo.put(next);
    live.tell({ match: next.id, version: next.version, players: turnsChanged(match, next) });
    onCommit(next);
  }

  /** The life of an action: the numbered steps of the design. */
  async function submit(player: Player, submission: Submission): Promise<Receipt & { repeated: boolean }> {
    // 1 load match and seat: as remembered, because the append notices if another server has moved it on
    const id = submission.matchId;
    const known = memo.peek(id) ?? (isId(id) ? await memo.recall(id) : null);
    let match = known && maySee(known, player) ? known : await seen(player, id);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      let next: Match | LoggedEvent | undefined;
      let refusal: unknown;
      try {
        const decided = decide(match, player, submission, now());
        next = 'events' in decided ? followed(decided, now()) : decided;
      } catch (error) {
        refusal = error;
      }
      if (next && !('events' in next)) return { event: next, match, repeated: true };
      // 5 append; race lost, or refused for what may be an old memory: decide again on the match as it is now
      if (next && (await commit(match, next)))
        return { event: next.events.at(match.version) as LoggedEvent, match: next, repeated: false };
      const fresh = await seen(player, id);
      if (refusal && fresh.version === match.version) throw refusal;
      match = fresh;
    }
    throw busy();
  }

  return {
    async create(player, input) {
      const match = openingOf(registry, player, input, now());
      await store.create(match);
      committed(null, match);
      return match;
    },

    join(player, id, input) {
      const entropy = shortText('entropy', input.entropy);
      return change(player, id, input.invite ?? null, (match) =>
        joined(match, player, input.seat ?? null, entropy, now()),
      );
    },

    leave: (player, id) => change(player, id, null, (match) => left(match, player, now())),

    addBot: (player, id, level) => change(player, id, null, (match) => botAdded(match, player, level, now())),

    cancel: (player, id) => change(player, id, null, (match) => cancelled(match, player, now())),

    async order(player, id, order) {
      const match = await change(player, id, null, (current) =>
        ordered(current, seatOf(current, player), player.id, order, now()),
      );
      const event = match.events.findLast(({ type }) => type === 'ORDERED') as LoggedEvent;
      return { event, match };
    },

    async resign(player, id) {
      const match = await change(player, id, null, (current) => resigned(current, player, now()));
      return { event: match.events.at(-1) as LoggedEvent, match };
    },

    async rematch(player, id) {
      const old = await seen(player, id);
      if (!playersOf(old).includes(player.id)) throw new AtollError('NOT_SEATED', 'You did not play in this match');
      let before = id;
      for (let tries = 0; tries < MAX_REMATCHES; tries++) {
        const next = await store.rematch(before);
        if (!next) {
          const match = rematchOf(old, registry, player, before, now());
          if (!(await store.create(match))) continue; // somebody else asked at the same moment
          committed(null, match);
          return match;
        }
        if ((await memo.fresh(next))?.status !== 'CANCELLED')
          return change(player, next, null, (current) => joined(current, player, null, null, now()), true);
        before = next; // called off: there may be another
      }
      throw new AtollError('FORBIDDEN', 'Its rematch was called off too often: open a new match');
    },

    async expire(id, at) {
      let expired = false;
      const match = await change(
        null,
        id,
        null,
        (current) => {
          const next = timedOut(current, at);
          expired = next !== current;
          return next;
        },
        true,
      );
      // Or it would be looked at in every round, before all that come after it.
      if (!expired) await store.postpone(match);
      return expired;
    },

    async submit(player, submission) {
      const start = performance.now();
      let outcome = 'ERROR';
      try {
        const receipt = await inTurn(submission.matchId, () => submit(player, submission));
        outcome = receipt.repeated ? 'repeated' : 'ok';
        return receipt;
      } catch (error) {
        if (error instanceof AtollError) outcome = error.code;
        throw error;
      } finally {
        onSubmission(outcome, performance.now() - start);
      }
    },

    async undo(player, id, expectedVersion) {
      const match = await change(player, id, null, (current) => {
        const seat = undoSeat(current, player);
        if (seat !== null && current.version !== expectedVersion) throw stale(current);
        return undone(current, seat, player.id, now());
      });
      return { event: match.events.at(-1) as LoggedEvent, match };
    },

    async fork(player, id, at, invite) {
      const fork = forked(await seen(player, id, invite), player, at, now());
      await store.create(fork);
      memo.put(fork);
      return fork;
    },

    async import(player, document) {
      onImport(player);
      const { match, newPlayers, text } = imported(registry, player, document, now());
      if (!(await memo.fresh(match.id)) && (await store.create(match, newPlayers))) {
        memo.put(match);
        return match;
      }
      const known = await memo.fresh(match.id);
      if (known && textOf(documentOf(known, (document as MatchDocument).players)) === text) return known;
      throw new AtollError('FORBIDDEN', 'There is another match with this id');
    },

    see: (caller, id, invite) => seen(caller, id, invite),

    async list(caller, input) {
      const first = input.first ?? 20;
      if (first < 1 || first > MAX_PAGE) throw new AtollError('BAD_INPUT', `first is a number from 1 to ${MAX_PAGE}`);
      if ((input.mine || input.myTurn) && !caller)
        throw new AtollError('UNAUTHENTICATED', 'mine and myTurn need a token');
      if (input.after && !isId(input.after)) throw new AtollError('BAD_INPUT', 'after is no cursor of this list');
      const matches = await store.list({
        game: shortText('game', input.game) ?? undefined,
        status: input.status ?? undefined,
        seated: input.mine ? caller?.id : undefined,
        toAct: input.myTurn ? caller?.id : undefined,
        viewer: caller?.id,
        before: input.after ?? undefined,
        limit: first + 1,
      });
      return { matches: matches.slice(0, first), more: matches.length > first };
    },

    async events(caller, id, after, invite) {
      const match = await seen(caller, id, invite);
      if (!Number.isInteger(after) || after < 0 || after > match.version) {
        throw new AtollError('BAD_INPUT', `after is a version of this match, 0 to ${match.version}`, {
          version: match.version,
        });
      }
      const check = (current: Match) => {
        if (!maySee(current, caller, invite)) throw notFound();
      };
      return new MatchEvents({ memo, live, id, after, check });
    },

    turns: (player) => turnsOf(player, { store, memo, live }),
  };
}

const busy = () =>
  new AtollError('UNAVAILABLE', 'Too many are acting in this match at once: try again', { retryAfter: 1 });

/** The players who may act after but not before, or before but not after. */
function turnsChanged(before: Match | null, after: Match): string[] {
  const players = (match: Match | null) => new Set(match?.acting.map((seat) => match.seats[seat] ?? '') ?? []);
  const [old, current] = [players(before), players(after)];
  return [...old].filter((id) => !current.has(id)).concat([...current].filter((id) => !old.has(id)));
}

/** Runs the tasks of one key one after another: submissions to one match need not race each other within a process. */
function oneAtATime() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const before = last.get(key);
    const run = before ? before.then(task, task) : task();
    last.set(key, run);
    const forget = () => {
      if (last.get(key) === run) last.delete(key);
    };
    run.then(forget, forget);
    return run;
  };
}
