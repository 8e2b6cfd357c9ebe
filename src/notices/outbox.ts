/** The notices of an append: rows of the outbox, written by the same statement. */
import { type Bytes, JSON_TEXT, UUID, writeArray, writeValue } from '../database/binary.ts';
import type { Seat } from '../games/game.ts';
import type { NoticeType } from '../generated/prisma/enums.ts';
import type { AlsoWrite, Append } from '../matches/log/append.ts';
import { deadlines } from '../matches/log/clock.ts';
import type { LoggedEvent, Match } from '../matches/log/records.ts';
import { isBot } from '../players/bot-accounts.ts';

export interface Notice {
  type: NoticeType;
  matchId: string;
  version: number;
  /** The player whose turn it is; null if the notice is about the whole match. */
  playerId: string | null;
  seat: Seat | null;
  at: Date;
  /** Until when the turn must be taken. */
  deadline: Date | null;
  /** The turn is not new, but its deadline is: only reminders follow. */
  renewed: boolean;
  /** The players whom it concerns. */
  audience: readonly string[];
}

/** `onTold` is called when notices are waiting. */
export const outbox = (onTold: () => void): AlsoWrite => ({
  sql: writeNotices,
  parameters: 2,
  values(appends) {
    const notices = appends.flatMap(noticesOf);
    return notices.length > 0 ? (to) => writeParameters(notices, to) : null;
  },
  written: onTold,
});

/**
 * Writes only notices that somebody wants. It does not use NOTIFY, which would make PostgreSQL commit the appends one
 * by one.
 */
const writeNotices = (firstParameter: number): string =>
  `write_notices(ids, $${firstParameter}::uuid[], $${firstParameter + 1}::json)`;

function writeParameters(notices: readonly Notice[], to: Bytes): void {
  const audience = new Set(notices.flatMap((notice) => notice.audience));
  writeArray(UUID, [...audience], (id) => id, to);
  writeValue(JSON_TEXT, notices, to);
}

const isPlayer = (id: string | null | undefined): id is string => typeof id === 'string';

/** Analysis matches and imported ones send no notices. */
export function noticesOf({ expected, match }: Append): Notice[] {
  if (match.origin || match.importedAt) return [];
  const added = match.events.slice(expected);
  const { version, at } = added.at(-1) as LoggedEvent;
  const notices: Notice[] = [];
  const audience = match.seats.filter(isPlayer);
  const tell = (type: NoticeType, turn: Turn) => notices.push(noticeOf(type, match.id, version, at, turn));
  if (added.some(({ type }) => type === 'STARTED')) tell('MATCH_STARTED', { ...NOBODY, audience });
  for (const turn of turnsOf(match, added)) tell('TURN_GAINED', turn);
  if (match.status === 'FINISHED') tell('MATCH_FINISHED', { ...NOBODY, audience });
  return notices;
}

type Turn = Pick<Notice, 'playerId' | 'seat' | 'deadline' | 'renewed' | 'audience'>;

const NOBODY: Turn = { playerId: null, seat: null, deadline: null, renewed: false, audience: [] };

/** Written out, because an object that is made by spreading others is slow to make. */
const noticeOf = (type: NoticeType, matchId: string, version: number, at: Date, turn: Turn): Notice => ({
  type,
  matchId,
  version,
  playerId: turn.playerId,
  seat: turn.seat,
  at,
  deadline: turn.deadline,
  renewed: turn.renewed,
  audience: turn.audience,
});

/**
 * A player gains a turn who may act now and could not before. A player who goes on acting is not notified, but the
 * clock may have been renewed.
 */
function turnsOf(match: Match, added: readonly LoggedEvent[]): Turn[] {
  const had = hadTurns(match, added);
  const until = match.clocks ? deadlines(match) : [];
  const { at } = added.at(-1) as LoggedEvent;
  const turns: Turn[] = [];
  for (const seat of match.acting) {
    const playerId = match.seats[seat];
    if (!isPlayer(playerId) || isBot(playerId) || turns.some((turn) => turn.playerId === playerId)) continue;
    const renewed = had.includes(playerId);
    if (renewed && match.clocks?.since[seat] !== at.getTime()) continue;
    turns.push({ playerId, seat, deadline: until[seat] ?? null, renewed, audience: [playerId] });
  }
  return turns;
}

/** The players who could act before these events. Whoever has only just taken a seat could not. */
function hadTurns(match: Match, added: readonly LoggedEvent[]): (string | null | undefined)[] {
  const expected = match.version - added.length;
  const before = expected === 0 ? undefined : match.events.at(expected - 1);
  const had = before?.acting.map((seat) => match.seats[seat]) ?? [];
  const joined = added.filter(({ type }) => type === 'JOINED');
  return joined.length === 0 ? had : had.filter((id) => !joined.some(({ playerId }) => playerId === id));
}
