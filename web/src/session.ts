/** Who plays in this browser. Its cookie is out of the reach of scripts; what is kept here is for showing only. */
import { signal } from '@preact/signals';

export interface Session {
  id: string;
  name: string;
  /** Only where a browser can have no session, by plain http over a network, and from before there were any. */
  token?: string;
  /** Whether there is a way to come back to the account. */
  kept?: boolean;
}

const KEY = 'atoll.session';

/** Local storage may be switched off: then everything lasts as long as the page. */
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

/** The server no longer takes the session or the token: it was ended, or the account deleted. */
export const sessionEnded = signal(false);

/** Keeps in mind who is signed in; null: nobody is. */
export function remember(next: Session | null): void {
  sessionEnded.value = false;
  session.value = next;
  keep(KEY, next);
}

addEventListener('storage', ({ key }) => {
  if (key !== KEY) return;
  sessionEnded.value = false; // whoever is signed in in the other tab is signed in here
  session.value = recall<Session>(KEY);
});

/** What was agreed when this browser sat down: compared when a match is proven. */
export interface Agreed {
  commitment: string;
  entropy: string;
}

export const agreedOf = (matchId: string): Agreed | null => recall<Agreed>(`atoll.agreed.${matchId}`);
export const keepAgreed = (matchId: string, agreed: Agreed): void => keep(`atoll.agreed.${matchId}`, agreed);

/** Our contribution to the seed, so that nobody else can have chosen the shuffle. */
export const newEntropy = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, '0')).join('');

/** crypto.randomUUID exists on secure origins only, and a server at home may have none. */
export const newActionId = (): string => `web-${newEntropy()}`;
