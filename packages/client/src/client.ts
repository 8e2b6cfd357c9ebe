/** A client of one Atoll server, for one player. */
import { openAccount, openTokens } from './account.ts';
import { openActing } from './acting.ts';
import { type Caller, type CallOptions, openCaller, type Streams } from './caller.ts';
import type {
  BotLevel,
  CreateMatchInput,
  EventFieldsFragment,
  GamesQuery,
  LobbySubscription,
  MatchFieldsFragment,
  MatchListQuery,
  MatchListQueryVariables,
  PlayerFieldsFragment,
  PositionFieldsFragment,
  SubmitMutation,
  TurnsSubscription,
} from './generated/operations.ts';
import type { Line } from './http.ts';
import { openLive } from './live.ts';
import { type Decision, type Played, type PlayOptions, play } from './play.ts';
import type { Proof, Verify } from './proof.ts';
import { openReplay, type State, type StatesOptions } from './replay.ts';
import { openSockets, type WebSocketConstructor } from './socket.ts';
import { subscribeBySse } from './sse.ts';
import { type Agreed, type ClientStorage, memoryStorage, openRecords } from './storage.ts';
import { openLooking, openProving, openSeating } from './tables.ts';
import { type Addresses, openAddresses } from './tickets.ts';

export type { CallOptions, QueryOptions } from './caller.ts';
export { AtollError, CODES, type ErrorCode, type ErrorDetails, isRefusal } from './errors.ts';
export type { BotLevel, CreateMatchInput, MatchStatus, Operation } from './generated/operations.ts';
export type * as Schema from './generated/schema.ts';
export type { Decision, Played, PlayOptions } from './play.ts';
export type { Proof, Saved, Verify } from './proof.ts';
export type { State, StatesOptions } from './replay.ts';
export type { WebSocketConstructor } from './socket.ts';
export { type Agreed, browserStorage, type ClientStorage, memoryStorage } from './storage.ts';
export type { PictureOptions, StreamOptions } from './tickets.ts';

export type Player = PlayerFieldsFragment;
export type Game = GamesQuery['games'][number];
export type Match = MatchFieldsFragment;
export type MatchPage = MatchListQuery['matches'];
export type MatchEvent = EventFieldsFragment;
export type Receipt = SubmitMutation['submitAction'];
export type Position = PositionFieldsFragment;
export type LegalAction = Position['legalActions'][number];
export type Turn = TurnsSubscription['turns'];
export type LobbyChange = LobbySubscription['lobby'];

export interface ClientOptions {
  /** A bearer token, or a function that returns one whenever it is needed. If left out, the one in the storage. */
  token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Where the token, commitments, entropies and unanswered actions are stored. If left out, in memory. */
  storage?: ClientStorage;
  /** The transport of streams. If left out, a WebSocket if there is one, otherwise event streams. */
  transport?: 'websocket' | 'sse';
  /** Node has its own from version 22 on; the package ws provides another. */
  webSocket?: WebSocketConstructor;
  fetch?: typeof fetch;
  /** `include` signs in with a cookie instead of a token. */
  credentials?: 'include' | 'omit' | 'same-origin';
  /** How long to keep trying without any answer; five minutes by default. */
  patienceMs?: number;
}

export interface LookOptions extends CallOptions {
  /** The invite of a private match. */
  invite?: string | undefined;
}

export interface Atoll extends Addresses {
  readonly url: string;
  /** Registers a new player. The token is stored and used from now on. */
  register(name: string): Promise<Player>;
  /** The player who owns the given or stored token, if it is still valid; otherwise a new player of that name. */
  signIn(name: string): Promise<Player>;
  signOut(): Promise<void>;
  token(): Promise<string | undefined>;
  me(): Promise<Player | null>;

  /**
   * Runs any operation. To type one of your own by its answer and variables, write `'…' as Operation<Answer,
   * Variables>`.
   */
  query: Caller['query'];
  /**
   * Runs any subscription. After a cut it is started again; if the variables are a function, it is called again then.
   */
  subscribe: Caller['subscribe'];

  games(): Promise<Game[]>;
  match(id: string, options?: LookOptions): Promise<Match>;
  matches(filter?: MatchListQueryVariables): Promise<MatchPage>;
  /** What this player may know of a match now, and may do in it. */
  position(id: string, options?: LookOptions): Promise<Position>;

  /** Opens a match exactly once. Adds our entropy to its seed and stores its commitment. */
  createMatch(input: Omit<CreateMatchInput, 'entropy' | 'idempotencyKey'>): Promise<Match>;
  /** Takes a seat, adds our entropy and stores the commitment. */
  joinMatch(id: string, options?: { seat?: number; invite?: string }): Promise<Match>;
  leaveMatch(id: string): Promise<Match>;
  addBot(id: string, level?: BotLevel): Promise<Match>;
  rematch(id: string): Promise<Match>;
  /** Sends an action until it is answered. It happens once, however often it is sent. */
  submit(id: string, action: unknown, options?: CallOptions & { expectedVersion?: number }): Promise<Receipt>;
  /** Takes the last action back. If the answer is lost, checks whether it has happened before sending it again. */
  undo(id: string, expectedVersion: number): Promise<Receipt>;
  /** Gives the seat up, with the same check after a lost answer. */
  resign(id: string): Promise<Receipt>;

  /**
   * Every event after a version, in order, then live until the match is over: no gap and no repeat, even if connections
   * are cut.
   */
  events(id: string, options?: LookOptions & { after?: number }): AsyncGenerator<MatchEvent, void>;
  /** Matches in which it is this player's turn, then each turn gained or lost. A loss during a cut is not reported. */
  turns(options?: CallOptions): AsyncGenerator<Turn, void>;
  /**
   * Public tables that are open, then each one that appears, changes or goes. A table that goes during a cut is not
   * reported.
   */
  lobby(options?: CallOptions & { game?: string | undefined }): AsyncGenerator<LobbyChange, void>;
  /** The match as it stood at each version, however many there are. */
  states(id: string, options?: StatesOptions): AsyncGenerator<State, void>;
  /** Plays a match to its end, calling `decide` whenever this player may act. */
  play(
    match: string | { id: string },
    decide: (position: Position) => Decision | Promise<Decision>,
    options?: PlayOptions,
  ): Promise<Played>;

  /** What was agreed when this client took its seat. */
  agreed(id: string): Promise<Agreed | undefined>;
  /** The match as a document that can be verified without a server. */
  export(id: string, options?: LookOptions): Promise<unknown>;
  /** Verifies an ended match against what was agreed when this client took its seat. Throws if something is wrong. */
  prove(id: string, verify: Verify, options?: LookOptions): Promise<Proof>;
  /** Closes the socket. Streams that are still open end with an error. */
  close(): void;
}

const FIVE_MINUTES = 300_000;

export function connect(url: string, options: ClientOptions = {}): Atoll {
  const { credentials, patienceMs = FIVE_MINUTES } = options;
  const records = openRecords(options.storage ?? memoryStorage());
  const tokens = openTokens(options, records);
  const line: Line = {
    url: url.replace(/\/+$/, ''),
    fetch: options.fetch ?? ((...args) => globalThis.fetch(...args)),
    credentials,
    token: tokens.now,
  };
  const streams = openStreams(line, options);
  const caller = openCaller(line, streams, patienceMs);
  const looking = openLooking(caller);
  const { submitPending, ...acting } = openActing(caller, records, looking.match);
  const atoll: Atoll = {
    url: line.url,
    query: caller.query,
    subscribe: caller.subscribe,
    ...openAccount(caller, records, tokens, credentials !== undefined),
    ...looking,
    ...openSeating(caller, records, looking),
    ...acting,
    ...openLive(caller),
    ...openReplay(caller, line, looking.match),
    ...openAddresses(caller, line),
    ...openProving(caller, line, records),
    play: (match, decide, playOptions = {}) =>
      play(atoll, records, submitPending, typeof match === 'string' ? match : match.id, decide, playOptions),
    close: streams.close,
  };
  return atoll;
}

function openStreams(line: Line, { transport, webSocket }: ClientOptions): Streams {
  const Socket = webSocket ?? (globalThis as { WebSocket?: WebSocketConstructor }).WebSocket;
  if (transport === 'websocket' && !Socket) {
    throw new Error('There is no WebSocket here. Pass one as the option webSocket, or leave out the transport.');
  }
  if (Socket && transport !== 'sse') return openSockets(line, Socket);
  return { subscribe: (query, variables, signal) => subscribeBySse(line, query, variables, signal), close() {} };
}
