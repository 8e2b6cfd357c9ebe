/** Every error a caller can meet: its code and the HTTP status that goes with it. Both faces of the API read this table. */
export const STATUS = {
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_SEATED: 403,
  NOT_FOUND: 404,
  STALE_VERSION: 409,
  MATCH_FULL: 409,
  MATCH_NOT_ACTIVE: 409,
  MATCH_OVER: 409,
  NOT_YOUR_TURN: 409,
  CANNOT_UNDO: 409,
  ILLEGAL_ACTION: 422,
  ACTION_ID_REUSED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** An error meant for the caller: the message is a sentence that helps, the details are safe to show. */
export class AtollError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = 'AtollError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return STATUS[this.code];
  }
}
