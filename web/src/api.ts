/** Requests to the server, by the published contract. */
import { signal } from '@preact/signals';
import type { Operation } from './generated/operations.ts';
import { session, sessionEnded } from './session.ts';

/** A refusal of the server, identified by its code; OFFLINE if it did not answer at all. */
export class Refusal extends Error {
  readonly code: string;
  readonly extensions: Record<string, unknown>;
  constructor(code: string, message: string, extensions: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.extensions = extensions;
  }
}

/** The operator's reason, if the player in this browser is banned. */
export const banned = signal<string | null>(null);

/** Whether the server answered the last request. */
export const reachable = signal(true);

/** The difference between the server's clock and ours. */
let skewMs = 0;
export const serverNow = (): number => Date.now() + skewMs;

function readClock(headers: Headers): void {
  const date = Date.parse(headers.get('date') ?? '');
  // The header has whole seconds, so smaller differences are ignored.
  if (!Number.isNaN(date)) skewMs = Math.abs(date + 500 - Date.now()) > 1500 ? date + 500 - Date.now() : 0;
}

const OFFLINE = 'The server cannot be reached. We keep trying.';
const BUSY = 'The server is busy or restarting. We keep trying.';

interface Answer<T> {
  data?: T | null;
  errors?: { message: string; extensions?: { code?: string; banned?: boolean } }[];
}

/**
 * For browsers without a session cookie. A token that was refused is not sent again, so that one can still watch and
 * register.
 */
export const tokenHeader = (): Record<string, string> =>
  session.value?.token && !sessionEnded.value ? { authorization: `Bearer ${session.value.token}` } : {};

async function post(body: string, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/graphql-response+json, application/json',
    ...tokenHeader(),
  };
  try {
    return await fetch('/graphql', { method: 'POST', headers, body, signal: signal ?? null });
  } catch (error) {
    if (signal?.aborted) throw error;
    reachable.value = false;
    throw new Refusal('OFFLINE', OFFLINE);
  }
}

export async function ask<T, V>(operation: Operation<T, V>, variables: V, signal?: AbortSignal): Promise<T> {
  const body = JSON.stringify({ query: operation, variables });
  let response = await post(body, signal);
  // The session is unknown to this page. The answer has made the browser forget it.
  if (response.status === 401 && !session.value) response = await post(body, signal);
  const answer = (await response.json().catch((error) => {
    if (signal?.aborted) throw error; // nobody waits for this answer any more, and the server is not to blame
    return null;
  })) as Answer<T> | null;
  if (response.status >= 500 || answer === null) {
    reachable.value = false;
    throw new Refusal('UNAVAILABLE', BUSY);
  }
  reachable.value = true;
  readClock(response.headers);
  const [error] = answer.errors ?? [];
  if (error) {
    const code = error.extensions?.code ?? 'BAD_INPUT';
    if (code === 'UNAUTHENTICATED' && session.value) sessionEnded.value = true;
    if (error.extensions?.banned) banned.value = error.message;
    throw new Refusal(code, error.message, error.extensions);
  }
  return answer.data as T;
}

/** Whether it is worth sending the same request again, because its outcome is unknown. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Refusal && ['OFFLINE', 'UNAVAILABLE', 'RATE_LIMITED'].includes(error.code);

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Repeats the request, ever more slowly, until there is an answer. Only for requests that may be sent twice. */
export async function askUntilAnswered<T, V>(
  operation: Operation<T, V>,
  variables: V,
  signal?: AbortSignal,
): Promise<T> {
  for (let wait = 500; ; wait = Math.min(wait * 1.7, 8000)) {
    try {
      return await ask(operation, variables, signal);
    } catch (error) {
      if (!isPassing(error) || signal?.aborted) throw error;
      const hint = Number((error as Refusal).extensions.retryAfter) * 1000 || 0;
      await sleep(Math.max(hint, wait * (0.8 + Math.random() * 0.4)));
    }
  }
}

/** Describes an error to the person at the table. */
export function sentence(error: unknown): string {
  if (!(error instanceof Refusal)) return 'Something went wrong on this page. Reloading it may help.';
  return SENTENCES[error.code] ?? (/[.!?]$/.test(error.message) ? error.message : `${error.message}.`);
}

const SENTENCES: Record<string, string> = {
  STALE_VERSION: 'Something happened before your action arrived. Look again, then decide.',
  ILLEGAL_ACTION: 'The server does not accept this action now. Look again, then choose another.',
  NOT_YOUR_TURN: 'It is not your turn any more.',
  MATCH_FULL: 'The last seat has just been taken. You can watch.',
  MATCH_OVER: 'This match is over.',
  MATCH_NOT_ACTIVE: 'This match is not being played now.',
  CANNOT_UNDO: 'This can no longer be taken back.',
  UNAUTHENTICATED: 'This device is no longer signed in.',
};
