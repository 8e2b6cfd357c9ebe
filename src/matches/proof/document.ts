/** A match as one self-contained document: what exports hold, imports take and the verifier checks. */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { toHex } from '../../crypto.ts';
import { canonical } from '../../games/canonical.ts';
import { isPlainJson } from '../../games/play.ts';
import { atOnce } from '../../turns.ts';
import { isText } from '../commands/text.ts';
import { EVENT_TYPES, type LoggedEvent, type Match } from '../log/records.ts';
import { commitment } from './hashes.ts';

export const FORMAT = 'atoll-match-1';

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const Hex = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Instant = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' });
const Index = Type.Integer({ minimum: 0, maximum: 100 });
const Anything = Type.Record(Type.String(), Type.Unknown());
const closed = { additionalProperties: false };

const DocumentEvent = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    type: Type.Enum(EVENT_TYPES),
    seat: Nullable(Index),
    player: Nullable(Type.Integer({ minimum: 0, description: 'The player who did it, as an index into `players`.' })),
    action: Nullable(Anything),
    effects: Type.Optional(
      Type.Array(Anything, {
        description: 'What followed from the action by itself. Older servers did not record it.',
      }),
    ),
    entropy: Nullable(Type.String()),
    at: Instant,
    stateHash: Nullable(Hex),
    hash: Hex,
  },
  closed,
);

export const MatchDocument = Type.Object(
  {
    format: Type.Literal(FORMAT),
    id: Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    game: Type.String(),
    rules: Type.Integer(),
    options: Anything,
    seats: Index,
    createdAt: Instant,
    status: Type.Enum(['OPEN', 'ACTIVE', 'FINISHED', 'CANCELLED']),
    result: Nullable(Type.Object({ scores: Type.Array(Type.Integer()), ranks: Type.Array(Type.Integer()) }, closed)),
    commitment: Hex,
    serverSeed: Type.Union([Hex, Type.Null()], {
      description: 'The seed in hexadecimal; null until the match has ended.',
    }),
    draws: Type.Optional(
      Type.Literal(2, {
        description:
          'Draws are numbered by the draws before them. If this is left out, they are numbered by the version.',
      }),
    ),
    clock: Nullable(
      Type.Object(
        {
          bankSeconds: Type.Integer(),
          incrementSeconds: Type.Integer(),
          capSeconds: Type.Integer(),
          onTimeout: Type.Enum(['BOT', 'FORFEIT']),
        },
        closed,
      ),
    ),
    origin: Nullable(Type.Object({ match: Type.String(), at: Type.Integer(), seat: Nullable(Index) }, closed)),
    position: Nullable(Anything),
    players: Type.Array(Type.String({ maxLength: 100 }), {
      description: 'The names of the players, or `Player 1` and so on where the names are not shown.',
    }),
    events: Type.Array(DocumentEvent),
  },
  closed,
);
export type MatchDocument = Static<typeof MatchDocument>;
type DocumentEvent = MatchDocument['events'][number];

/** The players of a match in the order in which they first appear in its log. */
export const playersOf = (match: Match): string[] => [
  ...new Set(match.events.slice().flatMap(({ playerId }) => (playerId === null ? [] : [playerId]))),
];

/** The whole document of a match, without yielding. */
export const documentOf = (match: Match, names: readonly string[]): MatchDocument => atOnce(documenting(match, names));

/** The whole document of a match, secrets included. The API removes what a caller may not know of a running match. */
export function* documenting(match: Match, names: readonly string[]): Generator<void, MatchDocument> {
  const players = playersOf(match);
  const events: DocumentEvent[] = [];
  for (const event of match.events) {
    events.push(documentEvent(event, players));
    yield;
  }
  return {
    format: FORMAT,
    id: match.id,
    game: match.game,
    rules: match.rules,
    options: match.options as Record<string, unknown>,
    seats: match.seatCount,
    createdAt: match.createdAt.toISOString(),
    status: match.status,
    result: match.result,
    commitment: commitment(match.serverSeed),
    serverSeed: toHex(match.serverSeed),
    ...(match.draws === 2 && { draws: 2 as const }),
    clock: match.clock,
    origin: match.origin,
    position: match.position as Record<string, unknown> | null,
    players: [...names],
    events,
  };
}

function documentEvent(event: LoggedEvent, players: readonly string[]): DocumentEvent {
  const { version, type, seat, playerId, action, effects, entropy, at, stateHash, hash } = event;
  return {
    version,
    type,
    seat,
    player: playerId === null ? null : players.indexOf(playerId),
    action: action as Record<string, unknown> | null,
    ...(effects && { effects: effects as unknown as Record<string, unknown>[] }),
    entropy,
    at: at.toISOString(),
    stateHash,
    hash,
  };
}

/** Names in place of players who shall not be named. */
export const numbered = (players: readonly unknown[]): string[] => players.map((_, i) => `Player ${i + 1}`);

/** The text of a document. Equal documents have equal bytes. */
export const textOf = (document: MatchDocument): string => atOnce(writing(document));

/** The same, yielding after each event. */
export function* writing({ events, ...rest }: MatchDocument): Generator<void, string> {
  const around = canonical({ ...rest, events: [] });
  const hole = around.indexOf(EMPTY) + EMPTY.length - 1; // no list comes before it in the alphabet
  const texts: string[] = [];
  for (const event of events) {
    texts.push(canonical(event));
    yield;
  }
  return `${around.slice(0, hole)}${texts.join()}${around.slice(hole)}\n`;
}

const EMPTY = '"events":[]';
const MAX_FIELDS = 100;

/** Describes what is wrong with a value as a document; null if nothing is. */
export function shapeFault(value: unknown): string | null {
  if (!isPlainJson(value)) return 'it is not plain JSON';
  // Looking for what is wrong with it takes long if there are thousands.
  if (Object.keys(value ?? {}).length > MAX_FIELDS) return 'it has too many fields';
  if (Value.Check(MatchDocument, value))
    return value.players.every(isText) ? null : 'a name contains characters that cannot be stored';
  const [first] = Value.Errors(MatchDocument, value);
  return `${first?.instancePath || 'it'} ${first?.message ?? 'has the wrong shape'}`;
}
