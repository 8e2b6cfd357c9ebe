/** An account of a person or a bot. */
import type { PlayerKind, Scope } from '../generated/prisma/enums.ts';

export type { Scope };

/** Everything that a token can allow. */
export const SCOPES: readonly Scope[] = ['READ', 'PLAY', 'CREATE', 'NOTICES', 'ACCOUNT'];

export interface Player {
  id: string;
  name: string;
  kind: PlayerKind;
  /**
   * Shown beside the name of a guest, to distinguish it from others with the same name; null for bots and kept
   * accounts.
   */
  tag: string | null;
}

/** The player who makes a request, and the token or browser session that was used. */
export interface Viewer extends Player {
  /** Null for a session. */
  tokenId: string | null;
  sessionId?: string;
  /** What the token allows; a session allows everything. */
  scopes: readonly Scope[];
  /** When the token expires; null if it never does. */
  expiresAt: Date | null;
}
