/** The shapes of the REST face: types, validation and OpenAPI document in one. */
import { type Static, type TSchema, Type } from 'typebox';
import { type ErrorCode, STATUS } from '../../errors.ts';

const nullable = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

const Id = Type.String({ format: 'uuid' });
const Instant = Type.String({ format: 'date-time' });
const Anything = Type.Unknown();

export const Player = Type.Object(
  {
    id: Id,
    name: Type.String(),
    kind: Type.Enum(['HUMAN', 'BOT']),
    tag: nullable(
      Type.String(),
      'Tells a guest from others of the same name: show it beside the name. Null where nobody else can have the name.',
    ),
  },
  { $id: 'Player', description: 'An account, human or bot.' },
);
export const Registration = Type.Object(
  { player: Type.Ref('Player'), token: Type.String({ description: 'Shown this once: only its hash is kept.' }) },
  { $id: 'Registration', description: 'A new player and its token.' },
);
export const Token = Type.Object(
  { id: Id, name: Type.String(), createdAt: Instant, revokedAt: nullable(Instant) },
  { $id: 'Token', description: 'A token, without its secret.' },
);
export const NewToken = Type.Object(
  { id: Id, name: Type.String(), token: Type.String() },
  { $id: 'NewToken', description: 'A new token. The secret is shown this once.' },
);
export const Game = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    rules: Type.Integer({ description: 'The version of the rules that new matches get.' }),
    minSeats: Type.Integer(),
    maxSeats: Type.Integer(),
    optionsSchema: Type.Unknown({ description: 'JSON Schema of the options; every option has a default.' }),
    actionSchema: Type.Unknown({ description: 'JSON Schema of an action.' }),
    viewSchema: Type.Unknown({ description: 'JSON Schema of a view.' }),
    ordersSchema: Type.Unknown({ description: 'JSON Schema of a standing order; null where a game has none.' }),
    effectSchema: Type.Unknown({
      description: 'JSON Schema of the effects of an event; null where nothing happens by itself.',
    }),
  },
  { $id: 'Game', description: 'A set of rules.' },
);
export const Seat = Type.Object(
  {
    index: Type.Integer(),
    player: nullable(Type.Ref('Player')),
    acting: Type.Boolean(),
    deadline: Type.Optional(nullable(Instant, 'When its time is up, if its clock is running. Not in lists.')),
    bankSeconds: Type.Optional(
      nullable(Type.Integer(), 'Thinking time left when its clock last stopped. Not in lists.'),
    ),
    vacant: Type.Optional(Type.Boolean({ description: 'Whether a bot plays it for a player who left. Not in lists.' })),
  },
  { $id: 'Seat' },
);
export const Result = Type.Object(
  { scores: Type.Array(Type.Integer()), ranks: Type.Array(Type.Integer()) },
  { $id: 'Result', description: 'By seat; rank 1 wins, ties share a rank.' },
);
export const Match = Type.Object(
  {
    id: Id,
    game: Type.String({ description: 'The id of the game.' }),
    rules: Type.Integer(),
    options: Anything,
    status: Type.Enum(['OPEN', 'ACTIVE', 'FINISHED', 'CANCELLED']),
    visibility: Type.Enum(['PUBLIC', 'PRIVATE']),
    invite: nullable(Type.String(), 'What lets others into a private match; null for outsiders.'),
    version: Type.Integer({ description: 'How many events it has.' }),
    seats: Type.Array(Type.Ref('Seat')),
    acting: Type.Array(Type.Integer(), { description: 'The seats that may act now.' }),
    mySeat: nullable(Type.Integer()),
    clock: nullable(
      Type.Object({
        bankSeconds: Type.Integer(),
        incrementSeconds: Type.Integer(),
        capSeconds: Type.Integer(),
        onTimeout: Type.Enum(['BOT', 'FORFEIT']),
      }),
    ),
    takeover: Type.Boolean(),
    rematchOf: nullable(Id),
    canUndo: Type.Optional(
      Type.Object({ possible: Type.Boolean(), reason: nullable(Type.String()) }, { description: 'Not in lists.' }),
    ),
    origin: nullable(
      Type.Object({ matchId: Id, at: Type.Integer(), seat: nullable(Type.Integer()) }),
      'Of an analysis match: where it was forked from.',
    ),
    importedAt: nullable(Instant),
    result: nullable(Type.Ref('Result')),
    commitment: Type.String({ description: "SHA-256 of the server's seed." }),
    seed: nullable(Type.String(), "The server's seed, only after the end."),
    createdAt: Instant,
    startedAt: nullable(Instant),
    endedAt: nullable(Instant),
  },
  { $id: 'Match', description: 'One play of a game.' },
);
export const Effect = Type.Object(
  {
    type: Type.String(),
    data: Type.Unknown({ description: "The effect itself, which fits the game's effectSchema." }),
    text: Type.String({ description: 'One readable sentence.' }),
  },
  { $id: 'Effect', description: 'Something that followed from an action without a decision of its own.' },
);
export const MatchEvent = Type.Object(
  {
    version: Type.Integer(),
    type: Type.Enum(['JOINED', 'LEFT', 'STARTED', 'ACTED', 'UNDONE', 'RESIGNED', 'TIMED_OUT', 'ORDERED']),
    seat: nullable(Type.Integer()),
    action: Type.Unknown({ description: 'Null where the caller may not know it yet.' }),
    label: nullable(Type.String()),
    targets: nullable(
      Type.Array(Type.String()),
      'What on the table an action was about. Null where action is, for other events and where it was not recorded.',
    ),
    effects: nullable(
      Type.Array(Type.Ref('Effect')),
      'What followed from an action by itself, in the order in which it happened. Null where targets is.',
    ),
    acting: Type.Array(Type.Integer(), { description: 'The seats that may act after it.' }),
    undone: Type.Boolean({ description: 'Whether it has been taken back by now.' }),
    at: Instant,
    hash: Type.String({ description: 'Chained over the event before it.' }),
  },
  { $id: 'MatchEvent', description: "One row of a match's log." },
);
export const Receipt = Type.Object(
  { version: Type.Integer(), event: Type.Ref('MatchEvent'), match: Type.Ref('Match') },
  { $id: 'Receipt', description: 'What was done, and the match after it.' },
);
export const MatchPage = Type.Object(
  {
    matches: Type.Array(Type.Ref('Match')),
    pageInfo: Type.Object({ hasNextPage: Type.Boolean(), endCursor: nullable(Type.String()) }),
  },
  { $id: 'MatchPage', description: 'A page of a list of matches.' },
);
export const ViewAnswer = Type.Object(
  {
    version: Type.Integer({ description: 'The version that is shown.' }),
    seat: nullable(Type.Integer(), 'Through whose eyes; null = a spectator.'),
    view: Type.Unknown({ description: "Fits the game's viewSchema; null before the start." }),
  },
  { $id: 'View', description: 'What may be known of a table.' },
);
export const Description = Type.Object(
  {
    version: Type.Integer({ description: 'The version that is described.' }),
    seat: nullable(Type.Integer(), 'Through whose eyes; null = a spectator.'),
    description: nullable(Type.Array(Type.String()), 'Sentences; null before the start.'),
  },
  { $id: 'Description', description: 'A table in sentences, for screen readers, chat bots and language models.' },
);
export const LegalActions = Type.Object(
  {
    version: Type.Integer(),
    seat: nullable(Type.Integer()),
    legalActions: Type.Array(
      Type.Object({
        action: Anything,
        label: Type.String(),
        targets: Type.Array(Type.String(), {
          description: "What it is about: each is the data-target of an element of the caller's board.",
        }),
      }),
    ),
  },
  { $id: 'LegalActions', description: 'Every action of a seat.' },
);
export const History = Type.Object(
  {
    version: Type.Integer({ description: 'The current version of the match.' }),
    events: Type.Array(Type.Ref('MatchEvent')),
  },
  { $id: 'History', description: 'Events of a match.' },
);

export const Problem = Type.Object(
  {
    type: Type.Literal('about:blank'),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.Enum(Object.keys(STATUS) as ErrorCode[]),
    detail: Type.String({ description: 'A sentence that helps.' }),
    version: Type.Optional(Type.Integer({ description: 'The current version of the match, with STALE_VERSION.' })),
    retryAfter: Type.Optional(
      Type.Integer({
        description: 'Seconds to wait, with RATE_LIMITED, QUOTA_EXCEEDED and UNAVAILABLE; also as Retry-After.',
      }),
    ),
  },
  { $id: 'Problem', description: 'What is refused, and why (RFC 9457). Some codes say more.' },
);

export const components = [
  Problem,
  Player,
  Registration,
  Token,
  NewToken,
  Game,
  Seat,
  Result,
  Match,
  Effect,
  MatchEvent,
  Receipt,
  MatchPage,
  ViewAnswer,
  Description,
  LegalActions,
  History,
];

/** The answer of every route that has no other. */
export const refused = {
  description: 'Refused',
  content: { 'application/problem+json': { schema: Type.Ref('Problem') } },
};

const closed = { additionalProperties: false };
const Entropy = Type.Optional(
  nullable(Type.String({ minLength: 1, maxLength: 100 }), "The seat's own contribution to the seed."),
);
const Invite = Type.Optional(Type.String({ maxLength: 100, description: 'The invite of a private match.' }));

export const IdempotencyKey = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Makes it safe to send this again: what was made is made once. Remembered for a day at least; the same key with ' +
        'another input is refused as IDEMPOTENCY_KEY_REUSED. Where a token is made: at least 16 characters that nobody ' +
        'can guess.',
    }),
  ),
});
export const NameBody = Type.Object({ name: Type.String({ maxLength: 200 }) }, closed);
export const CreateBody = Type.Object(
  {
    game: Type.String({ maxLength: 100 }),
    seats: Type.Integer(),
    options: Type.Optional(
      Type.Unknown({ description: "Must fit the game's optionsSchema; what is left out gets its default." }),
    ),
    visibility: Type.Optional(nullable(Type.Enum(['PUBLIC', 'PRIVATE']))),
    clock: Type.Optional(
      nullable(
        Type.Object(
          {
            bankSeconds: Type.Integer({ description: 'What a seat begins with.' }),
            incrementSeconds: Type.Optional(nullable(Type.Integer(), 'Added for every turn that is finished (0).')),
            capSeconds: Type.Optional(nullable(Type.Integer(), 'The most that can be saved up.')),
            onTimeout: Type.Optional(nullable(Type.Enum(['BOT', 'FORFEIT']))),
          },
          closed,
        ),
        'Thinking time. It runs for every seat that may act.',
      ),
    ),
    takeover: Type.Optional(
      nullable(Type.Boolean(), 'Whether anybody may take a seat that its player has left to a bot (false).'),
    ),
    bots: Type.Optional(
      nullable(
        Type.Array(Type.Enum(['EASY', 'MEDIUM', 'HARD']), { maxItems: 10 }),
        'Bots that take the next free seats.',
      ),
    ),
    sit: Type.Optional(nullable(Type.Boolean(), 'Whether the caller takes seat 0 (true).')),
    entropy: Entropy,
  },
  closed,
);
export const JoinBody = Type.Object(
  {
    seat: Type.Optional(nullable(Type.Integer(), 'The first free one unless named.')),
    invite: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
    entropy: Entropy,
  },
  closed,
);
export const RematchBody = nullable(Type.Object({ entropy: Entropy }, closed));
export const ActionBody = Type.Object(
  {
    action: Type.Unknown({ description: 'Copied from the list of legal actions.' }),
    expectedVersion: Type.Optional(nullable(Type.Integer(), 'The version the caller decided on.')),
    actionId: Type.Optional(
      nullable(Type.String(), 'Makes it safe to send the action again; or send Idempotency-Key.'),
    ),
  },
  { ...closed, required: ['action'] },
);
export const BotBody = Type.Object({ level: Type.Optional(Type.Enum(['EASY', 'MEDIUM', 'HARD'])) }, closed);
export const OrderBody = Type.Object(
  { order: Type.Unknown({ description: "Fits the game's ordersSchema; null withdraws it." }) },
  { ...closed, required: ['order'] },
);
export const UndoBody = Type.Object({ expectedVersion: Type.Integer() }, closed);
export const ForkBody = Type.Object(
  { at: Type.Integer({ minimum: 0, description: 'The version to continue from.' }), invite: Invite },
  closed,
);
export const ExportQuery = Type.Object(
  {
    names: Type.Optional(Type.Boolean({ description: "The players' names instead of numbers (false)." })),
    invite: Invite,
  },
  closed,
);
export const ListQuery = Type.Object(
  {
    game: Type.Optional(Type.String({ maxLength: 100 })),
    status: Type.Optional(Type.Enum(['OPEN', 'ACTIVE', 'FINISHED', 'CANCELLED'])),
    mine: Type.Optional(Type.Boolean({ description: 'Only matches in which the caller sits.' })),
    myTurn: Type.Optional(Type.Boolean({ description: 'Only matches in which the caller may act now.' })),
    first: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'How many (20).' })),
    after: Type.Optional(Type.String({ maxLength: 100, description: 'The endCursor of the page before.' })),
  },
  closed,
);
export const InviteQuery = Type.Object({ invite: Invite }, closed);
export const LookQuery = Type.Object(
  {
    at: Type.Optional(Type.Integer({ minimum: 0, description: 'An earlier version.' })),
    seat: Type.Optional(Type.Integer({ minimum: 0, description: "Another seat's eyes, after the end only." })),
    invite: Invite,
  },
  closed,
);
export const BoardQuery = Type.Object(
  {
    ...LookQuery.properties,
    width: Type.Optional(
      Type.Enum(['wide', 'narrow'], { description: 'narrow: laid out for a phone of 390 pixels (wide).' }),
    ),
  },
  closed,
);
export const EventsQuery = Type.Object(
  {
    after: Type.Optional(Type.Integer({ minimum: 0, description: 'Only events after this version (0).' })),
    first: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, description: 'How many at most (100); not for a stream.' }),
    ),
    invite: Invite,
  },
  closed,
);
export const MatchParams = Type.Object({ id: Type.String({ description: 'The id of the match.' }) });
export const TokenParams = Type.Object({ id: Type.String({ description: 'The id of the token.' }) });
export const GameParams = Type.Object({ id: Type.String({ description: 'The id of the game.' }) });

export type MatchJson = Static<typeof Match>;
export type EventJson = Static<typeof MatchEvent>;
