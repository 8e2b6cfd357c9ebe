/** An account, of a person or a bot. */
import type { PlayerKind, Scope } from '../generated/prisma/enums.ts';

export type { Scope };

/** All that a token can allow. */
export const SCOPES: readonly Scope[] = ['READ', 'PLAY', 'CREATE', 'NOTICES', 'ACCOUNT'];

export interface Player {
  id: string;
  name: string;
  kind: PlayerKind;
  /** Shown beside the name, to tell a guest from others who have the same; null for bots and kept accounts. */
  tag: string | null;
}

/** Who makes a request: the player and the token, or the browser's session, it was made with. */
export interface Viewer extends Player {
  /** Null: it is a session. */
  tokenId: string | null;
  sessionId?: string;
  /** What the token allows; a session allows everything. */
  scopes: readonly Scope[];
  /** When the token ends by itself; null: never. */
  expiresAt: Date | null;
}
