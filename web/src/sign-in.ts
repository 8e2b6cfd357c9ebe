/** Signing this browser in and out: by a cookie that no script can read. */
import { Refusal, reachable, tokenHeader } from './api.ts';
import { remember, type Session, session, sessionEnded } from './session.ts';

interface Problem {
  code?: string;
  detail?: string;
}

/** A request to the REST face, for what has to do with cookies. */
export async function rest<T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  authorization: Record<string, string> = tokenHeader(),
): Promise<T> {
  const headers = {
    ...authorization,
    ...(body && { 'content-type': 'application/json' }),
    // No form of another site can send this.
    'x-requested-with': 'atoll',
  };
  const response = await fetch(`/v1${path}`, { method, headers, body: body ? JSON.stringify(body) : null }).catch(
    () => {
      reachable.value = false;
      throw new Refusal('OFFLINE', 'The server cannot be reached.');
    },
  );
  const answer = (await response.json().catch(() => ({}))) as T | Problem;
  if (response.ok) return answer as T;
  const { code = 'UNAVAILABLE', detail = 'The server did not answer.' } = answer as Problem;
  throw new Refusal(code, detail, { ...(answer as Problem) });
}

type Player = Pick<Session, 'id' | 'name'> & { tag: string | null };

/** The server has signed this browser in: by a cookie, or by a token where there can be none. */
function signedIn({ id, name, tag }: Player, token?: string | null): void {
  if (sessionEnded.peek()) remember(null); // whatever still listens for the one before starts anew
  remember({ id, name, kept: tag === null, ...(token && { token }) });
}

/** Each way to sign in ends here, with what proves who it is. */
export async function signInBy(way: string, proof: object): Promise<void> {
  const body = { ...proof, session: canHaveSession };
  const { player, token } = await rest<{ player: Player; token: string | null }>('POST', `/sign-in${way}`, body);
  signedIn(player, token);
}

/** By plain http over a network the server gives no cookie, because anybody could read it. */
export const canHaveSession = window.isSecureContext;

/** From a token to a session. Where a browser can have none, the token is kept instead. */
export async function startSession(token: string, { endToken = false } = {}): Promise<void> {
  const authorization = { authorization: `Bearer ${token}` };
  if (canHaveSession) {
    try {
      const { player } = await rest<{ player: Player }>('POST', '/session', { endToken }, authorization);
      return signedIn(player);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'FORBIDDEN') throw error;
    }
  }
  const { player } = await rest<{ player: Player }>('GET', '/session', undefined, authorization);
  signedIn(player, token);
}

/** Who is signed in, as the server sees it: it may have been another tab, or another device that ended it. */
export async function restoreSession(): Promise<void> {
  const before = session.peek();
  try {
    if (before?.token) return await startSession(before.token); // once: from then on there is a cookie
    const { player, kept } = await rest<{ player: Player | null; kept: boolean }>('GET', '/session');
    if (session.peek() !== before) return; // somebody was faster
    if (player && player.id === before?.id) remember({ ...before, name: player.name, kept });
    else if (player) signedIn(player);
    else if (before) sessionEnded.value = true;
  } catch (error) {
    // What cannot be reached now is asked again with the next page.
    const gone = error instanceof Refusal && error.code === 'UNAUTHENTICATED';
    if (gone && before && session.peek() === before) sessionEnded.value = true;
  }
}

export async function signOut(): Promise<void> {
  if (!session.peek()?.token) await rest('DELETE', '/session');
  remember(null);
}
