/** Who sits where: opening, joining, leaving, giving up, and who plays on. Pure functions, like all commands. */
import { randomBytes } from '../../crypto.ts';
import { refusals } from '../../errors.ts';
import type { Seat } from '../../games/game.ts';
import { optionsFor, seatsFor } from '../../games/play.ts';
import type { Registry } from '../../games/registry.ts';
import type { Visibility } from '../../generated/prisma/enums.ts';
import { newMatchId } from '../../homes.ts';
import { BOTS, type BotLevel, isBot } from '../../players/bot-accounts.ts';
import type { Player } from '../../players/player.ts';
import { deadlines } from '../log/clock.ts';
import { compose, emptyMatch, startingState } from '../log/match.ts';
import type { Clock, Match, MatchRow, TimeoutPolicy } from '../log/records.ts';
import { type Caller, isInside, seatOf } from './access.ts';
import { shortText } from './text.ts';

export interface ClockInput {
  bankSeconds: number;
  incrementSeconds?: number | null;
  capSeconds?: number | null;
  onTimeout?: TimeoutPolicy | null;
}

export interface CreateInput {
  game: string;
  seats: number;
  options?: unknown;
  visibility?: Visibility | null;
  sit?: boolean | null;
  entropy?: string | null;
  clock?: ClockInput | null;
  takeover?: boolean | null;
  /** Levels of the bots that take the next free seats. */
  bots?: readonly BotLevel[] | null;
}

const YEAR = 365 * 24 * 3600;

export function clockOf(input: ClockInput | null | undefined): Clock | null {
  if (!input) return null;
  const { bankSeconds, incrementSeconds, capSeconds, onTimeout } = input;
  const clock = {
    bankSeconds,
    incrementSeconds: incrementSeconds ?? 0,
    capSeconds: capSeconds ?? Math.max(bankSeconds, incrementSeconds ?? 0),
    onTimeout: onTimeout ?? 'BOT',
  };
  const whole = [clock.bankSeconds, clock.incrementSeconds, clock.capSeconds].every(
    (n) => Number.isInteger(n) && n >= 0 && n <= YEAR,
  );
  if (whole && bankSeconds >= 1 && clock.capSeconds >= bankSeconds) return clock;
  throw refusals.badClock();
}

/** The row of a new match, with the fields that all new matches share. */
export function newRow(
  creatorId: string,
  now: Date,
  row: Pick<MatchRow, 'game' | 'rules' | 'options' | 'seatCount' | 'visibility'> & Partial<MatchRow>,
): MatchRow {
  return {
    id: newMatchId(now.getTime()),
    invite: row.visibility === 'PRIVATE' ? randomBytes(12).toString('base64url') : null,
    creatorId,
    serverSeed: randomBytes(32),
    draws: 2,
    createdAt: now,
    origin: null,
    position: null,
    importedAt: null,
    clock: null,
    takeover: false,
    rematchOf: null,
    reserved: null,
    outages: [],
    ...row,
  };
}

/** A new match, with its creator and bots seated and, if that fills it, already started. */
export function openingOf(registry: Registry, player: Player, input: CreateInput, now: Date): Match {
  const game = registry.game(input.game);
  const row = newRow(player.id, now, {
    game: game.id,
    rules: game.rules,
    options: optionsFor(game, input.options),
    seatCount: seatsFor(game, input.seats),
    visibility: input.visibility ?? 'PUBLIC',
    clock: clockOf(input.clock),
    takeover: input.takeover ?? false,
  });
  const entropy = shortText('entropy', input.entropy);
  let match = emptyMatch(game, row);
  if (input.sit ?? true) match = joined(match, player, 0, entropy, now);
  for (const level of input.bots ?? []) match = botAdded(match, player, level, now);
  return match;
}

/** The match after this player sat down. It starts when the last seat is taken. */
export function joined(match: Match, player: Player, wanted: Seat | null, entropy: string | null, now: Date): Match {
  const mine = seatOf(match, player);
  if (mine !== null && (wanted === null || wanted === mine)) return match;
  if (mine !== null) throw refusals.alreadySeated(mine);
  if (wanted !== null && !(Number.isInteger(wanted) && wanted >= 0 && wanted < match.seatCount)) {
    throw refusals.badSeat(match.seatCount - 1);
  }
  if (match.endedAt) throw refusals.matchOver();
  const mayTake = (seat: Seat) => match.seats[seat] === null && (!match.reserved || match.reserved[seat] === player.id);
  if (hasGivenUp(match, player)) throw refusals.gaveUp();
  const held = seatHeld(match, player);
  const vacant = match.takeover ? match.vacant.filter((seat) => held === null || seat === held) : [];
  const free = [...match.seats.keys()].filter((seat) => mayTake(seat) || vacant.includes(seat));
  if (held !== null && wanted !== null && wanted !== held) throw refusals.hasSeenSeat(held);
  const seat = wanted ?? free[0];
  if (seat === undefined) throw refusals.noFreeSeat();
  if (!free.includes(seat)) throw refusals.seatNotFree(seat);
  return sat(match, seat, player, entropy, now);
}

/** Whether this player resigned or lost the seat on time. */
const hasGivenUp = ({ events, clock }: Match, { id }: Player): boolean =>
  events.findLast(
    ({ type, playerId }) =>
      playerId === id && (type === 'RESIGNED' || (type === 'TIMED_OUT' && clock?.onTimeout === 'FORFEIT')),
  ) !== undefined;

/**
 * The seat through which this player has seen the running match. A player who left before the start has seen nothing.
 */
function seatHeld(match: Match, { id }: Player): Seat | null {
  if (!match.state) return null;
  const began = whoBegan(match).indexOf(id);
  if (began >= 0) return began;
  const last = match.events.findLast(
    ({ type, playerId }) => type === 'STARTED' || (type === 'JOINED' && playerId === id),
  );
  return last?.type === 'JOINED' ? last.seat : null;
}

function sat(
  match: Match,
  seat: Seat,
  player: Player,
  entropy: string | null,
  now: Date,
  actionId: string | null = null,
): Match {
  const next = compose(match, { type: 'JOINED', seat, playerId: player.id, entropy, actionId }, match.state, now);
  if (next.state || next.seats.includes(null)) return next;
  return compose(next, { type: 'STARTED', seat: null, drew: true }, startingState(next), now);
}

/**
 * Puts a bot in the first free seat. Only the player who opened the table may do so or, once that player has left,
 * those seated.
 */
export function botAdded(match: Match, caller: Caller, level: BotLevel, now: Date, key: string | null = null): Match {
  const actionId = key && caller && `${caller.id} ${key}`;
  if (actionId && wasAdded(match, level, actionId)) return match;
  if (!isInside(match, caller) || !(match.creatorId === caller?.id || hasLeft(match, match.creatorId)))
    throw refusals.mayNotAddBots();
  if (match.endedAt) throw refusals.matchOver();
  const seat = match.seats.indexOf(null);
  if (seat < 0) throw refusals.matchFull();
  if (match.reserved) throw refusals.rematchSeatsReserved();
  return sat(match, seat, BOTS[level], null, now, actionId);
}

/** Whether an earlier request with this key put a bot here. */
function wasAdded({ events }: Match, level: BotLevel, actionId: string): boolean {
  const added = Object.values(BOTS).find(({ id }) => events.byActionId(id, actionId));
  if (added && added !== BOTS[level]) throw refusals.idempotencyKeyOfOtherBot();
  return added !== undefined;
}

const hasLeft = ({ seats, events }: Match, playerId: string): boolean =>
  !seats.includes(playerId) && events.findLast((event) => event.playerId === playerId) !== undefined;

export function left(match: Match, player: Player, now: Date): Match {
  const seat = seatOf(match, player);
  if (seat === null) throw refusals.notSeated();
  if (match.status !== 'OPEN') throw refusals.cannotLeave();
  return compose(match, { type: 'LEFT', seat, playerId: player.id }, null, now);
}

/** The creator cancels the match before it starts. Cancelling again changes nothing. */
export function cancelled(match: Match, player: Player, now: Date): Match {
  if (match.creatorId !== player.id) throw refusals.notTheCreator();
  if (match.status === 'CANCELLED') return match;
  if (match.status !== 'OPEN') throw refusals.cannotCancel();
  return compose(match, { type: 'LEFT', seat: null, playerId: player.id }, null, now);
}

/** The operator calls the match off, at any time before its end. Nobody wins, and what was played can be viewed. */
export function calledOff(match: Match, now: Date): Match {
  if (match.endedAt) throw refusals.matchOver();
  return compose(match, { type: 'LEFT', seat: null }, match.state, now);
}

/** The match once a player's account is gone: the player resigns, or leaves a table that has not started. */
export function abandoned(match: Match, player: Player, now: Date): Match {
  if (match.endedAt || match.origin) return match;
  const isSeated = match.seats.includes(player.id);
  if (match.state) return isSeated ? resigned(match, player, now) : match;
  const others = match.seats.some((id) => id !== null && id !== player.id && !isBot(id));
  if (match.creatorId === player.id && !others) return cancelled(match, player, now);
  return isSeated ? left(match, player, now) : match;
}

export function resigned(match: Match, player: Player, now: Date): Match {
  const seat = seatOf(match, player);
  if (match.endedAt) throw refusals.matchOver();
  if (seat === null) throw refusals.notSeated();
  if (!match.state) throw refusals.cannotResignYet();
  return compose(match, { type: 'RESIGNED', seat, playerId: player.id }, match.state, now);
}

/** The match after its bots have given up, except those that play for a player who left. */
export function botsGaveUp(match: Match, now: Date): Match {
  let next = match;
  for (const [seat, playerId] of match.seats.entries()) {
    const isDone = match.lost.includes(seat) || match.vacant.includes(seat) || next.endedAt !== null;
    if (!isBot(playerId) || isDone) continue;
    next = compose(next, { type: 'RESIGNED', seat, playerId }, next.state, now);
  }
  return next;
}

/** The match after all time-outs that are due, ordered by deadline, earliest first; the same match if none is due. */
export function timedOut(match: Match, now: Date): Match {
  let next = match;
  const up = [...deadlines(match).entries()].flatMap(([seat, at]) => (at && at <= now ? [{ seat, at }] : []));
  for (const { seat } of up.sort((a, b) => a.at.getTime() - b.at.getTime())) {
    if (next.endedAt) break;
    next = compose(next, { type: 'TIMED_OUT', seat, playerId: next.seats[seat] ?? null }, next.state, now);
  }
  return next;
}

/**
 * A new match for the players of an ended one, each one seat further. The player who asks sits down, and bots are
 * seated at once. `before` is the match it follows: the ended one, or a rematch of it that was called off.
 */
export function rematchOf(
  match: Match,
  registry: Registry,
  player: Player,
  before: string,
  entropy: string | null,
  now: Date,
): Match {
  if (!match.endedAt) throw refusals.rematchTooEarly();
  if (match.status === 'CANCELLED') throw refusals.rematchOfCancelled();
  if (match.origin) throw refusals.rematchOfAnalysis();
  const game = registry.game(match.game);
  const players = whoBegan(match);
  const reserved = players.map((_, seat) => players[(seat + 1) % players.length] ?? null);
  let next = emptyMatch(
    game,
    newRow(player.id, now, {
      game: game.id,
      rules: game.rules,
      options: optionsFor(game, match.options),
      seatCount: match.seatCount,
      visibility: match.visibility,
      clock: match.clock,
      takeover: match.takeover,
      rematchOf: before,
      reserved,
    }),
  );
  next = joined(next, player, null, entropy, now);
  for (const [seat, id] of reserved.entries()) {
    const bot = Object.values(BOTS).find((one) => one.id === id);
    if (bot) next = sat(next, seat, bot, null, now);
  }
  return next;
}

/** Who had the seats at the start: players who gave up are invited again, the bots that replaced them are not. */
const whoBegan = (match: Match): (string | null)[] => {
  const players: (string | null)[] = match.seats.map(() => null);
  for (const { type, seat, playerId } of match.events) {
    if (type === 'STARTED') break;
    if (seat !== null) players[seat] = type === 'LEFT' ? null : playerId;
  }
  return players;
};
