import { type Player, SCOPES, type Viewer } from '../../src/players/player.ts';

/** The caller who sends a token of this player that has all scopes. */
export const withEveryScope = (player: Player): Viewer => ({ ...player, tokenId: '', scopes: SCOPES, expiresAt: null });
