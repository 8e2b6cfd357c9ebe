import { type Player, SCOPES, type Viewer } from '../../src/players/player.ts';

/** A player as one who came with a token that allows everything. */
export const withEveryScope = (player: Player): Viewer => ({ ...player, tokenId: '', scopes: SCOPES, expiresAt: null });
