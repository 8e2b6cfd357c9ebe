/** What a proof says; the verifier itself is `atoll-client/verify`, because it holds the rules of every game. */

/** What a player kept while the match was open: without it the whole document could be of the operator's making. */
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
  /** How many draws of chance were made again. */
  draws: number;
}

/** Replays an exported match; throws at the first thing that is wrong with it. */
export type Verify = (document: unknown, saved?: Saved) => Proof;
