/** An account as both faces show it to its owner. */
import { type Player, SCOPES, type Viewer } from '../players/player.ts';
import type { Account } from '../players/sign-in/accounts.ts';
import type { Session } from '../players/sign-in/sessions.ts';
import type { Services } from '../services.ts';

/** A new token for a player who signed in without a browser. */
export async function signInToken({ players }: Services, player: Player): Promise<{ player: Player; token: string }> {
  const maker = { id: player.id, scopes: SCOPES, expiresAt: null };
  return { player, token: (await players.createToken(maker, { name: 'Signed in' })).token };
}

/** A session as its owner sees it. `current` says whether the request was made in it. */
export const sessionJson = (session: Session, { sessionId }: Viewer) => ({
  ...session,
  current: session.id === sessionId,
});

export type AccountJson = Omit<Account, 'sessions'> & {
  player: Player;
  sessions: ReturnType<typeof sessionJson>[];
};

export async function accountOf({ accounts, players }: Services, viewer: Viewer): Promise<AccountJson> {
  const { sessions, ...account } = await accounts.of(viewer);
  // Read again, because a guest whose account has just been kept may have a new name.
  const [player] = await players.byIds([viewer.id]);
  return { player: player ?? viewer, ...account, sessions: sessions.map((session) => sessionJson(session, viewer)) };
}
