/** The player in this browser. Scripts cannot read the session's cookie; what is stored here is only for display. */
import { signal } from '@preact/signals';

export interface Session {
  id: string;
  name: string;
  /** Set only where a browser can have no session (plain http over a network), or from before there were sessions. */
  token?: string;
  /** Whether the account has a way to sign in again. */
  kept?: boolean;
}

const KEY = 'atoll.session';

/** Local storage may be switched off; then everything lasts only as long as the page. */
export function recall<T>(key: string): T | null {
  try {
    const text = localStorage.getItem(key);
    return text === null ? null : (JSON.parse(text) as T);
  } catch {
    return null;
  }
}

export function keep(key: string, value: unknown): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {}
}

export const session = signal<Session | null>(recall<Session>(KEY));

/** The server no longer accepts the session or the token: it was ended, or the account was deleted. */
export const sessionEnded = signal(false);

/** Remembers who is signed in; null if nobody is. */
export function remember(next: Session | null): void {
  sessionEnded.value = false;
  session.value = next;
  keep(KEY, next);
}

addEventListener('storage', ({ key }) => {
  if (key !== KEY) return;
  sessionEnded.value = false; // the player who signed in in the other tab is signed in here too
  session.value = recall<Session>(KEY);
});

/** What was agreed when this browser took a seat. It is compared when a match is proven. */
export interface Agreed {
  commitment: string;
  entropy: string;
}

export const agreedOf = (matchId: string): Agreed | null => recall<Agreed>(`atoll.agreed.${matchId}`);
export const keepAgreed = (matchId: string, agreed: Agreed): void => keep(`atoll.agreed.${matchId}`, agreed);

/** Our contribution to the seed, so that nobody else can have chosen the shuffle. */
export const newEntropy = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');

/** crypto.randomUUID exists only on secure origins, and a server at home may not be one. */
export const newActionId = (): string => `web-${newEntropy()}`;
