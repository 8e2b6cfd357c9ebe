/** What the server refuses, by its code. */
import { SERVER_CODES } from './generated/codes.ts';

/** The words of the server's table, and one that is not of the server: it did not answer, or not completely. */
export const CODES = [...SERVER_CODES, 'OFFLINE'] as const;

export type ErrorCode = (typeof CODES)[number];

/** What comes with some of the codes. */
export interface ErrorDetails {
  STALE_VERSION: { version: number };
  /** The match has lost events in a failover: what was seen after this version did not happen. */
  HISTORY_CUT: { version: number };
  QUOTA_EXCEEDED: { quota: string; limit: number };
  CANNOT_UNDO: { reason: string };
  FORBIDDEN: { scope?: string };
}

type DetailsOf<C> = C extends keyof ErrorDetails ? ErrorDetails[C] : Record<string, unknown>;

export class AtollError extends Error {
  override readonly name = 'AtollError';
  /** A word of ErrorCode, or a newer one of a newer server. */
  readonly code: ErrorCode | (string & {});
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  /** Seconds after which it may be tried again, where the server says so. */
  get retryAfter(): number | undefined {
    const seconds = Number(this.details.retryAfter);
    return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
  }
}

/** Whether something was refused for one of these reasons; without one: whether the server refused it at all. */
export function isRefusal<C extends ErrorCode>(
  error: unknown,
  ...codes: C[]
): error is AtollError & { readonly code: C; readonly details: DetailsOf<C> } {
  return error instanceof AtollError && (codes.length === 0 || (codes as string[]).includes(error.code));
}

/** Worth sending again as it was: nothing is known of what came of it, or the server asked to wait. */
export const isPassing = (error: unknown): error is AtollError =>
  isRefusal(error, 'OFFLINE', 'UNAVAILABLE', 'RATE_LIMITED');
