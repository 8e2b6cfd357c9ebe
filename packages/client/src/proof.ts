/**
 * The result of a proof. The verifier itself is in `atoll-client/verify`, because it contains the rules of every game.
 */

/** What a player stored while the match was open. Without it, the operator could have made up the whole document. */
export interface Saved {
  commitment?: string | undefined;
  entropy?: string | undefined;
}

export interface Proof {
  matchId: string;
  game: string;
  rules: number;
  status: string;
  result: { scores: number[]; ranks: number[] } | null;
  /** How many actions were looked up in the legal list again, and how many of them were taken back. */
  actions: number;
  undone: number;
  /** How many draws of chance were repeated. */
  draws: number;
}

/** Replays an exported match. Throws at the first thing that is wrong with it. */
export type Verify = (document: unknown, saved?: Saved) => Proof;
