/** Everything that can be asked of matches or done to them. */
import type { MatchStatus } from '../generated/prisma/enums.ts';
import type { BotLevel } from '../players/bot-accounts.ts';
import type { Player } from '../players/player.ts';
import type { Caller } from './commands/access.ts';
import type { CreateInput } from './commands/seating.ts';
import type { LobbyChange } from './live/lobby.ts';
import type { MatchEvents, Turn } from './live/streams.ts';
import type { Match, Receipt, Summary } from './log/records.ts';
import type { Submission } from './submission.ts';

type Key = string | null | undefined;

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
  /** Only matches that this player plays or has played, without analyses. */
  player?: string;
  /** True lists no matches at all. */
  hidden?: boolean;
  first?: number | null;
  after?: string | null;
  /** The last ones, up to `before`. If it is given, `first` is ignored. */
  last?: number | null;
  before?: string | null;
}

/**
 * Commands that make something take an idempotency key. Sent again with the same key and input, they make nothing new
 * and answer with what the first request made.
 */
export interface Matches {
  create(player: Player, input: CreateInput, key?: Key): Promise<Match>;
  join(player: Player, id: string, input: JoinInput): Promise<Match>;
  leave(player: Player, id: string): Promise<Match>;
  /** Puts a bot in the first free seat. */
  addBot(player: Player, id: string, level: BotLevel, key?: Key): Promise<Match>;
  /** The creator cancels the match before it starts. */
  cancel(player: Player, id: string): Promise<Match>;
  /** The operator calls the match off, at any time before its end. */
  callOff(id: string): Promise<Match>;
  resign(player: Player, id: string): Promise<Receipt>;
  /** Gives up every seat of a player whose account is deleted, and calls off tables at which nobody else sits. */
  abandon(player: Player): Promise<void>;
  /** Sets the standing order of the player's seat; null withdraws it. */
  order(player: Player, id: string, order: unknown): Promise<Receipt>;
  /** The rematch of an ended match, with the player seated; the first of its players to ask opens it. */
  rematch(player: Player, id: string, more?: { entropy?: string | null; key?: Key }): Promise<Match>;
  /** Handles all seats whose time has run out by then. Resolves to true if there were any. */
  expire(id: string, now: Date): Promise<boolean>;
  /** Lets the bots of a match that has reached its maximum length give up. */
  endFull(id: string): Promise<Match>;
  submit(player: Player, submission: Submission): Promise<Receipt>;
  undo(player: Player, id: string, expectedVersion: number): Promise<Receipt>;
  /** Makes an analysis match that continues from that version. */
  fork(player: Player, id: string, at: number, invite?: string | null, key?: Key): Promise<Match>;
  /** Takes over an ended match from another server, once it is proven. Importing it again changes nothing. */
  import(player: Player, document: unknown, key?: Key): Promise<Match>;
  /** The match as it is now, if this caller may see it. */
  see(caller: Caller, id: string, invite?: string | null): Promise<Match>;
  /** `more` says whether there are matches beyond the page, in the direction of paging. */
  list(caller: Caller, input: ListInput): Promise<{ matches: Summary[]; more: boolean }>;
  /** Every event after that version: first the past ones, then live. */
  events(caller: Caller, id: string, after: number, invite?: string | null): Promise<MatchEvents>;
  /** All turns that the player has now, then each turn gained or lost. */
  turns(player: Player): AsyncIterableIterator<Turn, void>;
  /** All public tables that are open now, then each one that appears, changes or goes; of one game, or of all. */
  lobby(game?: string | null): AsyncIterableIterator<LobbyChange, void>;
}
