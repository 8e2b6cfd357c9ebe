/**
 * Whether the database currently commits what is written. While a synchronous standby is away, the database accepts
 * statements but does not answer, and each of them holds a session for as long as that lasts. So after the first such
 * silence, nothing more is sent until a heartbeat has been committed.
 */
import { refusals } from '../errors.ts';

/** How long a statement waits for a row that somebody else has locked. */
export const LOCK_MS = 1500;

export interface Writes {
  /** Throws UNAVAILABLE while nothing is committed. */
  check(): void;
  /** To be called when a statement that writes was not answered. */
  silent(): void;
  /** To be called when one was committed. */
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
