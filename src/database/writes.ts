/**
 * Whether what is written is committed at present. While a synchronous standby is away the database takes statements and
 * does not answer: each one that is sent then holds a session for as long as that lasts. So after the first such silence
 * nothing more is sent until a heartbeat has been committed.
 */
import { refusals } from '../errors.ts';

/** How long a statement waits for a row that somebody else has locked. */
export const LOCK_MS = 1500;

export interface Writes {
  /** Throws UNAVAILABLE while nothing is committed. */
  check(): void;
  /** A statement that writes was not answered. */
  silent(): void;
  /** One was committed. */
  committed(): void;
  readonly areStalled: boolean;
}

export function openWrites(): Writes {
  let stalled = false;
  return {
    check() {
      if (stalled) throw refusals.databaseStalled({ retryAfter: 2 });
    },
    silent() {
      stalled = true;
    },
    committed() {
      stalled = false;
    },
    get areStalled() {
      return stalled;
    },
  };
}
