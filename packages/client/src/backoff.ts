/** How long to wait before trying again. */
import { isPassing } from './errors.ts';

const FIRST_MS = 250;
const LONGEST_MS = 15_000;

/**
 * The delay doubles with every attempt and is random within its upper half, so that clients that were cut off together
 * do not return together.
 */
export function delayMs(attempt: number, retryAfter: number | undefined): number {
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempt, 20));
  const jittered = most * (0.5 + Math.random() / 2);
  return retryAfter === undefined ? jittered : Math.max(jittered, retryAfter * 1000 + Math.random() * FIRST_MS);
}

export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const aborted = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, ms);
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

export interface Patience {
  /** How long to continue without any answer. */
  patienceMs: number;
  signal?: AbortSignal | undefined;
}

/** Counts failures in a row. Waits after each, or throws it if it will not pass or patience has run out. */
export function persistence({ patienceMs, signal }: Patience) {
  let attempt = 0;
  let failingSince: number | undefined;
  return {
    succeeded(): void {
      attempt = 0;
      failingSince = undefined;
    },
    async failed(error: unknown): Promise<void> {
      if (signal?.aborted) throw signal.reason;
      failingSince ??= Date.now();
      if (!isPassing(error) || Date.now() - failingSince >= patienceMs) throw error;
      await sleep(delayMs(attempt++, error.retryAfter), signal);
    },
  };
}

/** Repeats the work until there is an answer; for work that may be done twice. */
export async function untilAnswered<T>(work: () => Promise<T>, patience: Patience): Promise<T> {
  const { failed } = persistence(patience);
  for (;;) {
    try {
      return await work();
    } catch (error) {
      await failed(error);
    }
  }
}
