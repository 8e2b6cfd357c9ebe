/** Signs this browser in and out with a cookie that no script can read. */
import { banned, Refusal, reachable, tokenHeader } from './api.ts';
import { remember, type Session, session, sessionEnded } from './session.ts';

interface Problem {
  code?: string;
  detail?: string;
  banned?: boolean;
}

/** A request to the REST face, for everything that involves cookies. */
export async function rest<T>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  authorization: Record<string, string> = tokenHeader(),
): Promise<T> {
  const headers = {
    ...authorization,
    ...(body && { 'content-type': 'application/json' }),
    // A form of another site cannot send this header.
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
  if ((answer as Problem).banned) banned.value = detail;
  throw new Refusal(code, detail, { ...(answer as Problem) });
}

type Player = Pick<Session, 'id' | 'name'> & { tag: string | null };

/** The server has signed this browser in, with a cookie or, where none is possible, with a token. */
function signedIn({ id, name, tag }: Player, token?: string | null): void {
  if (sessionEnded.peek()) remember(null); // everything that still listens for the previous player starts again
  remember({ id, name, kept: tag === null, ...(token && { token }) });
}

/** Each way to sign in ends here, with its proof of identity. */
export async function signInBy(way: string, proof: object): Promise<void> {
  const body = { ...proof, session: canHaveSession };
  const { player, token } = await rest<{ player: Player; token: string | null }>('POST', `/sign-in${way}`, body);
  signedIn(player, token);
}

/** By plain http over a network the server sets no cookie, because others could read it. */
export const canHaveSession = window.isSecureContext;

/** Turns a token into a session. Where a browser can have none, the token is stored instead. */
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

/** Asks the server who is signed in: another tab may have signed in, or another device may have ended the session. */
export async function restoreSession(): Promise<void> {
  const before = session.peek();
  try {
    if (before?.token) return await startSession(before.token); // only once: from then on there is a cookie
    const { player, kept } = await rest<{ player: Player | null; kept: boolean }>('GET', '/session');
    if (session.peek() !== before) return; // another change came first
    if (player && player.id === before?.id) remember({ ...before, name: player.name, kept });
    else if (player) signedIn(player);
    else if (before) sessionEnded.value = true;
  } catch (error) {
    // If the server cannot be reached now, the next page asks again.
    const gone = error instanceof Refusal && error.code === 'UNAUTHENTICATED';
    if (gone && before && session.peek() === before) sessionEnded.value = true;
  }
}

export async function signOut(): Promise<void> {
  if (!session.peek()?.token) await rest('DELETE', '/session');
  remember(null);
}
