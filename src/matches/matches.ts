/** What can be asked of matches, and done to them. */
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
  /** Only matches that this player plays or played, analyses apart. */
  player?: string;
  /** True: none of them, whatever there is. */
  hidden?: boolean;
  first?: number | null;
  after?: string | null;
  /** The last ones, up to `before`; then `first` does not count. */
  last?: number | null;
  before?: string | null;
}

/**
 * Commands that make something take an idempotency key: sent again with the same key and input they make nothing more,
 * and answer with what the first one made.
 */
export interface Matches {
  create(player: Player, input: CreateInput, key?: Key): Promise<Match>;
  join(player: Player, id: string, input: JoinInput): Promise<Match>;
  leave(player: Player, id: string): Promise<Match>;
  /** A bot in the first free seat. */
  addBot(player: Player, id: string, level: BotLevel, key?: Key): Promise<Match>;
  /** Before the start, by who opened it. */
  cancel(player: Player, id: string): Promise<Match>;
  /** By the operator, at any time before the end. */
  callOff(id: string): Promise<Match>;
  resign(player: Player, id: string): Promise<Receipt>;
  /** Gives up every seat of a player whose account is deleted, and calls off tables at which nobody else sits. */
  abandon(player: Player): Promise<void>;
  /** A standing order of the player's seat; null withdraws it. */
  order(player: Player, id: string, order: unknown): Promise<Receipt>;
  /** The rematch of an ended match, with the player seated; the first of its players to ask opens it. */
  rematch(player: Player, id: string, more?: { entropy?: string | null; key?: Key }): Promise<Match>;
  /** Takes their seats from all whose time is up by then; true: there were some. */
  expire(id: string, now: Date): Promise<boolean>;
  /** Lets the bots of a match that has reached its greatest length give up. */
  endFull(id: string): Promise<Match>;
  submit(player: Player, submission: Submission): Promise<Receipt>;
  undo(player: Player, id: string, expectedVersion: number): Promise<Receipt>;
  /** An analysis match that continues from that version. */
  fork(player: Player, id: string, at: number, invite?: string | null, key?: Key): Promise<Match>;
  /** Takes over an ended match of another server, once it is proven. Importing it again changes nothing. */
  import(player: Player, document: unknown, key?: Key): Promise<Match>;
  /** The match as it is now, if this caller may see it. */
  see(caller: Caller, id: string, invite?: string | null): Promise<Match>;
  /** `more`: there are others beyond the page, in the direction in which it was asked for. */
  list(caller: Caller, input: ListInput): Promise<{ matches: Summary[]; more: boolean }>;
  /** Every event after that version, then live. */
  events(caller: Caller, id: string, after: number, invite?: string | null): Promise<MatchEvents>;
  /** All turns of the player now, then each gain and loss. */
  turns(player: Player): AsyncIterableIterator<Turn, void>;
  /** All public tables that are open now, then each that appears, changes or goes. */
  lobby(): AsyncIterableIterator<LobbyChange, void>;
}
