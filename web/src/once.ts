/** What a button makes is made only once, even if the answer was lost and the button was pressed again. */
import { Refusal } from './api.ts';
import { newActionId, newEntropy } from './session.ts';

interface Attempt {
  idempotencyKey: string;
  /** Our part of a new match's seed. The server compares it, so it stays the same for the same key. */
  entropy: string;
}

/** Requests that have not been answered. */
const unanswered = new Map<string, Attempt>();
const UNANSWERED = ['OFFLINE', 'UNAVAILABLE'];

/**
 * `asked` is everything that the request depends on. If the same was asked before without an answer, `make` gets the
 * same key.
 */
export async function once<T>(asked: unknown, make: (attempt: Attempt) => Promise<T>): Promise<T> {
  const name = JSON.stringify(asked);
  const attempt = unanswered.get(name) ?? { idempotencyKey: newActionId(), entropy: newEntropy() };
  unanswered.set(name, attempt);
  try {
    const made = await make(attempt);
    unanswered.delete(name);
    return made;
  } catch (error) {
    if (!(error instanceof Refusal && UNANSWERED.includes(error.code))) unanswered.delete(name);
    throw error;
  }
}
