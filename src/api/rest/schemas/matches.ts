/** The schemas of matches: what is shown of one, and the inputs that open, find and join one. */
import { Type } from 'typebox';
import { Anything, closed, Id, Instant, nullable, PageInfo, page } from './shared.ts';
import { TicketParam } from './tickets.ts';

export const Seat = Type.Object(
  {
    index: Type.Integer(),
    player: nullable(Type.Ref('Player')),
    acting: Type.Boolean(),
    deadline: Type.Optional(nullable(Instant, 'When its time runs out, if its clock is running. Not in lists.')),
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
    invite: nullable(Type.String(), 'Lets others into a private match; null for those who may not pass it on.'),
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
      'Where an analysis match was forked from.',
    ),
    importedAt: nullable(Instant),
    result: nullable(Type.Ref('Result')),
    commitment: Type.String({ description: "SHA-256 of the server's seed." }),
    seed: nullable(Type.String(), "The server's seed; null until the match has ended."),
    createdAt: Instant,
    startedAt: nullable(Instant),
    endedAt: nullable(Instant),
  },
  { $id: 'Match', description: 'One play of a game.' },
);
export const MatchPage = Type.Object(
  {
    matches: Type.Array(Type.Ref('Match')),
    pageInfo: PageInfo,
  },
  { $id: 'MatchPage', description: 'A page of a list of matches.' },
);
const Entropy = Type.Optional(
  nullable(Type.String({ minLength: 1, maxLength: 100 }), "The seat's own contribution to the seed."),
);
export const Invite = Type.Optional(Type.String({ maxLength: 100, description: 'The invite of a private match.' }));

export const CreateBody = Type.Object(
  {
    game: Type.String({ maxLength: 100 }),
    seats: Type.Integer(),
    options: Type.Optional(
      Type.Unknown({ description: "Must fit the game's optionsSchema. Options that are left out get their default." }),
    ),
    visibility: Type.Optional(nullable(Type.Enum(['PUBLIC', 'PRIVATE']))),
    clock: Type.Optional(
      nullable(
        Type.Object(
          {
            bankSeconds: Type.Integer({ description: 'The time with which a seat begins.' }),
            incrementSeconds: Type.Optional(nullable(Type.Integer(), 'The time added for every finished turn (0).')),
            capSeconds: Type.Optional(nullable(Type.Integer(), 'The most time that can be saved up.')),
            onTimeout: Type.Optional(nullable(Type.Enum(['BOT', 'FORFEIT']))),
          },
          closed,
        ),
        'Thinking time. It runs for every seat that may act.',
      ),
    ),
    takeover: Type.Optional(
      nullable(Type.Boolean(), 'Whether anyone may take a seat that its player has left to a bot (false).'),
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
    seat: Type.Optional(nullable(Type.Integer(), 'If left out, the first free seat.')),
    invite: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
    entropy: Entropy,
  },
  closed,
);
export const BotBody = Type.Object({ level: Type.Optional(Type.Enum(['EASY', 'MEDIUM', 'HARD'])) }, closed);
export const RematchBody = nullable(Type.Object({ entropy: Entropy }, closed));
export const ListQuery = Type.Object(
  {
    game: Type.Optional(Type.String({ maxLength: 100 })),
    status: Type.Optional(Type.Enum(['OPEN', 'ACTIVE', 'FINISHED', 'CANCELLED'])),
    mine: Type.Optional(Type.Boolean({ description: 'Only matches in which the caller sits.' })),
    myTurn: Type.Optional(Type.Boolean({ description: 'Only matches in which the caller may act now.' })),
    ...page,
    ticket: TicketParam,
  },
  closed,
);
export const InviteQuery = Type.Object({ invite: Invite }, closed);
export const MatchParams = Type.Object({ id: Type.String({ description: 'The id of the match.' }) });

export const components = [Seat, Result, Match, MatchPage];
