/** The notices of an append: rows of the outbox, written by the same statement. */
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
  values(appends) {
    const notices = appends.flatMap(noticesOf);
    return notices.length > 0 ? noticeColumns(notices) : null;
  },
  written: onTold,
});

/**
 * Writes only notices that somebody wants. It does not use NOTIFY, which would make PostgreSQL commit the appends one
 * by one.
 */
const writeNotices = (firstParameter: number): string => {
  const types = ['"NoticeType"', 'uuid', 'int', 'uuid', 'int', 'timestamptz', 'timestamptz', 'bool', 'text'];
  const parameters = types.map((type, i) => `$${firstParameter + i}::${type}[]`).join(', ');
  // Materialised, so that wants_notice runs once for each notice and not for each pair of notice and match.
  return `
  INSERT INTO notices (type, match_id, version, player_id, seat, at, deadline, renewed)
  WITH wanted AS MATERIALIZED (
    SELECT *
      FROM unnest(${parameters}) AS n(type, match_id, version, player_id, seat, at, deadline, renewed, audience)
     WHERE wants_notice(n.match_id, n.audience::uuid[])
  )
  SELECT n.type, n.match_id, n.version, n.player_id, n.seat, n.at, n.deadline, n.renewed
    FROM wanted n JOIN moved ON moved.id = n.match_id
  RETURNING id`;
};

function noticeColumns(notices: readonly Notice[]): unknown[] {
  const column = <T>(of: (notice: Notice) => T): T[] => notices.map(of);
  return [
    column((n) => n.type),
    column((n) => n.matchId),
    column((n) => n.version),
    column((n) => n.playerId),
    column((n) => n.seat),
    column((n) => n.at),
    column((n) => n.deadline),
    column((n) => n.renewed),
    column((n) => `{${n.audience.join()}}`),
  ];
}

const isPlayer = (id: string | null | undefined): id is string => typeof id === 'string';

/** Analysis matches and imported ones send no notices. */
export function noticesOf({ expected, match }: Append): Notice[] {
  if (match.origin || match.importedAt) return [];
  const added = match.events.slice(expected);
  const { version, at } = added.at(-1) as LoggedEvent;
  const common = { matchId: match.id, version, at };
  const everybody = {
    playerId: null,
    seat: null,
    deadline: null,
    renewed: false,
    audience: match.seats.filter(isPlayer),
  };
  const whole = (type: NoticeType): Notice => ({ ...common, type, ...everybody });
  return [
    ...(added.some(({ type }) => type === 'STARTED') ? [whole('MATCH_STARTED')] : []),
    ...turnsOf(expected, match, at).map((turn) => ({ ...common, type: 'TURN_GAINED' as const, ...turn })),
    ...(match.status === 'FINISHED' ? [whole('MATCH_FINISHED')] : []),
  ];
}

/**
 * A player gains a turn who may act now and could not before. A player who goes on acting is not notified, but the
 * clock may have been renewed.
 */
function turnsOf(expected: number, match: Match, at: Date) {
  const before = expected === 0 ? undefined : match.events.at(expected - 1);
  const had = new Set(before?.acting.map((seat) => match.seats[seat]));
  for (const { type, playerId } of match.events.slice(expected)) if (type === 'JOINED') had.delete(playerId);
  const until = deadlines(match);
  const turns = new Map<string, Pick<Notice, 'playerId' | 'seat' | 'deadline' | 'renewed' | 'audience'>>();
  for (const seat of match.acting) {
    const playerId = match.seats[seat];
    if (!isPlayer(playerId) || isBot(playerId) || turns.has(playerId)) continue;
    const renewed = had.has(playerId);
    if (renewed && match.clocks?.since[seat] !== at.getTime()) continue;
    turns.set(playerId, { playerId, seat, deadline: until[seat] ?? null, renewed, audience: [playerId] });
  }
  return [...turns.values()];
}
