/** Refusals of the server, identified by their code. */
import { SERVER_CODES } from './generated/codes.ts';

/** The codes of the server, and one of our own: OFFLINE means that it did not answer, or not completely. */
export const CODES = [...SERVER_CODES, 'OFFLINE'] as const;

export type ErrorCode = (typeof CODES)[number];

/** The details that come with some of the codes. */
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
  /** An ErrorCode, or a code of a newer server. */
  readonly code: ErrorCode | (string & {});
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  /** The seconds after which to try again, if the server says so. */
  get retryAfter(): number | undefined {
    const seconds = Number(this.details.retryAfter);
    return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
  }
}

/** Whether the error is a refusal with one of these codes or, without codes, any refusal. */
export function isRefusal<C extends ErrorCode>(
  error: unknown,
  ...codes: C[]
): error is AtollError & { readonly code: C; readonly details: DetailsOf<C> } {
  return error instanceof AtollError && (codes.length === 0 || (codes as string[]).includes(error.code));
}

/** Whether it is worth sending the same request again: its outcome is unknown, or the server asked to wait. */
export const isPassing = (error: unknown): error is AtollError =>
  isRefusal(error, 'OFFLINE', 'UNAVAILABLE', 'RATE_LIMITED');
