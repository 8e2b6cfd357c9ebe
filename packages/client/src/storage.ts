/**
 * Where a client stores what must outlive it: its token, what was agreed when it took a seat, and unanswered actions.
 */

/** Each storage is for one player. */
export interface ClientStorage {
  get(key: string): Promise<string | undefined> | string | undefined;
  set(key: string, value: string): Promise<void> | void;
  delete(key: string): Promise<void> | void;
}

/** Lasts for as long as the program runs. */
export function memoryStorage(): ClientStorage {
  const values = new Map<string, string>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
  };
}

/** The local storage of a browser. If it is switched off, everything lasts only as long as the page. */
export function browserStorage(prefix = 'atoll.'): ClientStorage {
  const fallback = memoryStorage();
  return {
    get(key) {
      try {
        return localStorage.getItem(prefix + key) ?? fallback.get(key);
      } catch {
        return fallback.get(key);
      }
    },
    set(key, value) {
      try {
        localStorage.setItem(prefix + key, value);
      } catch {
        return fallback.set(key, value);
      }
    },
    delete(key) {
      try {
        localStorage.removeItem(prefix + key);
      } catch {}
      return fallback.delete(key);
    },
  };
}

/** What was agreed when a seat was taken. It is given to the verifier after the end. */
export interface Agreed {
  /** The commitment to the server's seed, as the match showed it. */
  commitment?: string;
  /** What this client added to the seed; left out if this player already had the seat. */
  entropy?: string;
}

/** An action that was sent and has not been answered yet. */
export interface Pending {
  actionId: string;
  action: unknown;
  label: string;
  expectedVersion?: number;
}

export interface Session {
  token: string;
  id: string;
  name: string;
}

/** The records in a storage. */
export function openRecords(storage: ClientStorage) {
  const at = <T>(key: string) => ({
    async get(): Promise<T | undefined> {
      const text = await storage.get(key);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    async set(value: T): Promise<void> {
      await storage.set(key, JSON.stringify(value));
    },
    async delete(): Promise<void> {
      await storage.delete(key);
    },
  });
  return {
    session: at<Session>('session'),
    agreed: (matchId: string) => at<Agreed>(`agreed.${matchId}`),
    pending: (matchId: string) => at<Pending>(`pending.${matchId}`),
  };
}

export type Records = ReturnType<typeof openRecords>;

/** 128 random bits. crypto.randomUUID is missing on pages that are served by plain HTTP. */
export const randomText = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
