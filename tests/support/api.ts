/** The API as a client sees it, whichever face it talks to: the same methods, the same shapes, the same errors. */
import type { ErrorCode } from '../../src/errors.ts';

export type Json = Record<string, unknown>;

export interface PlayerJson {
  id: string;
  name: string;
  kind: string;
  tag: string | null;
}

export interface TokenJson {
  id: string;
  name: string;
  scopes: string[];
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  lastUsedFrom: string | null;
}

interface Secret {
  token: string;
}

export interface GameJson {
  id: string;
  name: string;
  rules: number;
  minSeats: number;
  maxSeats: number;
  minutes: { min: number; max: number } | null;
  effectSchema: Json | null;
}

export interface SeatJson {
  index: number;
  player: PlayerJson | null;
  acting: boolean;
  /** Not part of matches in lists. */
  deadline?: string | null;
  bankSeconds?: number | null;
  vacant?: boolean;
}

export interface MatchJson {
  id: string;
  game: string;
  options: Json;
  status: string;
  visibility: string;
  invite: string | null;
  version: number;
  seats: SeatJson[];
  acting: number[];
  mySeat: number | null;
  clock: Json | null;
  takeover: boolean;
  rematchOf: string | null;
  /** Not part of matches in lists. */
  canUndo?: { possible: boolean; reason: string | null };
  origin: { matchId: string; at: number; seat: number | null } | null;
  importedAt: string | null;
  result: { scores: number[]; ranks: number[] } | null;
  commitment: string;
  seed: string | null;
  createdAt: string;
  startedAt: string | null;
  endedAt: string | null;
}

export interface EventJson {
  version: number;
  type: string;
  seat: number | null;
  action: Json | null;
  label: string | null;
  targets: string[] | null;
  effects: { type: string; data: Json; text: string }[] | null;
  acting: number[];
  at: string;
  undone: boolean;
  hash: string;
}

export interface ReceiptJson {
  version: number;
  event: EventJson;
  match: MatchJson;
}

export interface LegalJson {
  action: Json;
  label: string;
  targets: string[];
}

export interface PageJson {
  matches: MatchJson[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** Inputs have loose types on purpose, because tests also send invalid ones. */
export interface Api {
  register(name: unknown): Promise<{ player: PlayerJson; token: string }>;
  me(): Promise<PlayerJson>;
  tokens(): Promise<TokenJson[]>;
  /** The input has scopes and expiresAt. */
  createToken(name: unknown, wish?: Json): Promise<Pick<TokenJson, 'id' | 'name' | 'scopes' | 'expiresAt'> & Secret>;
  revokeToken(id: string): Promise<TokenJson>;
  deletePlayer(): Promise<PlayerJson>;
  games(): Promise<GameJson[]>;
  game(id: string): Promise<GameJson>;
  createMatch(input: Json, key?: string): Promise<MatchJson>;
  match(id: string, invite?: string): Promise<MatchJson>;
  matches(filter?: Json): Promise<PageJson>;
  join(id: string, input?: Json): Promise<MatchJson>;
  leave(id: string): Promise<MatchJson>;
  view(id: string, look?: Json): Promise<Json | null>;
  /** The width is WIDE or NARROW. */
  board(id: string, look?: Json): Promise<string>;
  description(id: string, look?: Json): Promise<string[] | null>;
  legalActions(id: string, invite?: string): Promise<LegalJson[]>;
  events(id: string, page?: Json): Promise<EventJson[]>;
  submit(id: string, submission: Json): Promise<ReceiptJson>;
  undo(id: string, expectedVersion: unknown): Promise<ReceiptJson>;
  resign(id: string): Promise<ReceiptJson>;
  setOrder(id: string, order: unknown): Promise<ReceiptJson>;
  order(id: string): Promise<unknown>;
  addBot(id: string, level?: unknown): Promise<MatchJson>;
  cancel(id: string): Promise<MatchJson>;
  rematch(id: string): Promise<MatchJson>;
  fork(id: string, at: unknown, invite?: string): Promise<MatchJson>;
  export(id: string, options?: Json): Promise<Json>;
  import(document: unknown): Promise<MatchJson>;
}

export interface Face {
  name: 'GraphQL' | 'REST';
  /** A client that sends its requests to these servers in turn. */
  client(urls: readonly string[], token?: string): Api;
}

/** The content of a refusal, the same for both faces. */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly details: Json;
  readonly headers: Headers;

  constructor(code: ErrorCode, message: string, details: Json, headers: Headers) {
    super(`${code}: ${message}`);
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** Returns the servers in turn. */
export function inTurn(urls: readonly string[]): () => string {
  let n = 0;
  return () => urls[n++ % urls.length] as string;
}

export const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

/** Takes a random legal action of whoever may act, until nobody may; returns the last version. */
export async function playOut(
  id: string,
  seats: readonly Api[],
  choose: (n: number) => number,
  look: (version: number) => Promise<void> = async () => {},
): Promise<number> {
  let match = await (seats[0] as Api).match(id);
  while (match.status === 'ACTIVE') {
    await look(match.version);
    const seat = seats[match.acting[choose(match.acting.length)] as number] as Api;
    const legal = await seat.legalActions(id);
    const { action } = legal[choose(legal.length)] as LegalJson;
    ({ match } = await seat.submit(id, { action, expectedVersion: match.version }));
  }
  return match.version;
}
