/** An account, of a person or a bot. */
import type { PlayerKind } from '../generated/prisma/enums.ts';

export interface Player {
  id: string;
  name: string;
  kind: PlayerKind;
  /** Shown beside the name, to tell a guest from others who have the same; null for bots and kept accounts. */
  tag: string | null;
}

/** Who makes a request: the player and the token it was made with. */
export interface Viewer extends Player {
  tokenId: string;
}
