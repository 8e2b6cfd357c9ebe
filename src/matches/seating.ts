/** Who sits where: opening, joining, leaving, giving up, and who plays on. Pure, as all commands. */
import { randomBytes } from 'node:crypto';
import { AtollError } from '../errors.ts';
import type { Seat } from '../games/game.ts';
import { optionsFor, seatsFor } from '../games/play.ts';
import type { Registry } from '../games/registry.ts';
import type { Visibility } from '../generated/prisma/enums.ts';
import { newId } from '../id.ts';
import { BOTS, type BotLevel, isBot } from '../players/bots.ts';
import type { Player } from '../players/service.ts';
import { type Clock, deadlines, type TimeoutPolicy } from './clock.ts';
import { type Caller, isInside, seatOf, shortText } from './commands.ts';
import { compose, emptyMatch, type Match, type MatchRow, startingState } from './match.ts';

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
  /** Bots that take the next free seats. */
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
  throw new AtollError(
    'BAD_INPUT',
    'A clock has a bank of 1 second to a year, an increment, and a cap that is no less than the bank',
  );
}

/** A row with what every new match has in common. */
export function newRow(
  creatorId: string,
  now: Date,
  row: Pick<MatchRow, 'game' | 'rules' | 'options' | 'seatCount' | 'visibility'> & Partial<MatchRow>,
): MatchRow {
  return {
    id: newId(now.getTime()),
    invite: row.visibility === 'PRIVATE' ? randomBytes(12).toString('base64url') : null,
    creatorId,
    serverSeed: randomBytes(32),
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

/** The match after this player sat down; it starts with the last seat taken. */
export function joined(match: Match, player: Player, wanted: Seat | null, entropy: string | null, now: Date): Match {
  const mine = seatOf(match, player);
  if (mine !== null && (wanted === null || wanted === mine)) return match;
  if (mine !== null) throw new AtollError('BAD_INPUT', `You already have seat ${mine}`);
  if (wanted !== null && !(Number.isInteger(wanted) && wanted >= 0 && wanted < match.seatCount)) {
    throw new AtollError('BAD_INPUT', `This match has the seats 0 to ${match.seatCount - 1}`);
  }
  if (match.endedAt) throw new AtollError('MATCH_OVER', 'This match is over');
  const mayTake = (seat: Seat) => match.seats[seat] === null && (!match.reserved || match.reserved[seat] === player.id);
  const vacant = match.takeover ? match.vacant : [];
  const free = [...match.seats.keys()].filter((seat) => mayTake(seat) || vacant.includes(seat));
  const seat = wanted ?? free[0];
  if (seat === undefined) throw new AtollError('MATCH_FULL', 'No seat of this match is free for you');
  if (!free.includes(seat)) throw new AtollError('MATCH_FULL', `Seat ${seat} of this match is not free for you`);
  return sat(match, seat, player, entropy, now);
}

function sat(match: Match, seat: Seat, player: Player, entropy: string | null, now: Date): Match {
  const next = compose(match, { type: 'JOINED', seat, playerId: player.id, entropy }, match.state, now);
  if (next.state || next.seats.includes(null)) return next;
  return compose(next, { type: 'STARTED', seat: null, drew: true }, startingState(next, next.version + 1), now);
}

/** A bot in the first free seat; for those who sit at the table or opened it. */
export function botAdded(match: Match, caller: Caller, level: BotLevel, now: Date): Match {
  if (!isInside(match, caller))
    throw new AtollError('FORBIDDEN', 'Bots are added by those who sit at the table or opened it');
  if (match.endedAt) throw new AtollError('MATCH_OVER', 'This match is over');
  const seat = match.seats.findIndex((player, i) => player === null && !isBot(match.reserved?.[i]));
  if (seat < 0) throw new AtollError('MATCH_FULL', 'Every seat of this match is taken');
  return sat(match, seat, BOTS[level], null, now);
}

export function left(match: Match, player: Player, now: Date): Match {
  const seat = seatOf(match, player);
  if (seat === null) throw new AtollError('NOT_SEATED', 'You have no seat in this match');
  if (match.status !== 'OPEN')
    throw new AtollError('FORBIDDEN', 'A match can be left before its start only: resign instead');
  return compose(match, { type: 'LEFT', seat, playerId: player.id }, null, now);
}

/** By its creator, before the start. Cancelling again changes nothing. */
export function cancelled(match: Match, player: Player, now: Date): Match {
  if (match.creatorId !== player.id) throw new AtollError('FORBIDDEN', 'Only who opened a match can cancel it');
  if (match.status === 'CANCELLED') return match;
  if (match.status !== 'OPEN') throw new AtollError('FORBIDDEN', 'A match can be cancelled before its start only');
  return compose(match, { type: 'LEFT', seat: null, playerId: player.id }, null, now);
}

export function resigned(match: Match, player: Player, now: Date): Match {
  const seat = seatOf(match, player);
  if (match.endedAt) throw new AtollError('MATCH_OVER', 'This match is over');
  if (seat === null) throw new AtollError('NOT_SEATED', 'You have no seat in this match');
  if (!match.state) throw new AtollError('MATCH_NOT_ACTIVE', 'This match has not started yet: leave it instead');
  return compose(match, { type: 'RESIGNED', seat, playerId: player.id }, match.state, now);
}

/** The match after every seat whose time is up by then has lost it, the first first; the same match if there is none. */
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
 * A new match for the players of an ended one, each a seat further: whoever asks sits down, bots are there at once.
 * `before` is the match it follows: that one, or a rematch of it that was called off.
 */
export function rematchOf(match: Match, registry: Registry, player: Player, before: string, now: Date): Match {
  if (!match.endedAt) throw new AtollError('MATCH_NOT_ACTIVE', 'A rematch can be had once the match is over');
  if (match.status === 'CANCELLED')
    throw new AtollError('MATCH_NOT_ACTIVE', 'This match was called off: there is nothing to play again');
  if (match.origin) throw new AtollError('FORBIDDEN', 'An analysis match has no rematch: fork its origin again');
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
  next = joined(next, player, null, null, now);
  for (const [seat, id] of reserved.entries()) {
    const bot = Object.values(BOTS).find((one) => one.id === id);
    if (bot) next = sat(next, seat, bot, null, now);
  }
  return next;
}

/** Who had the seats at the start: those who gave up are asked again, their stand-ins are not. */
const whoBegan = (match: Match): (string | null)[] => {
  const players: (string | null)[] = match.seats.map(() => null);
  for (const { type, seat, playerId } of match.events) {
    if (type === 'STARTED') break;
    if (seat !== null) players[seat] = type === 'LEFT' ? null : playerId;
  }
  return players;
};
