/** Commands that carry no key. After a lost answer, we check whether they have happened before sending them again. */
import type { Caller } from './caller.ts';
import { isPassing, isRefusal } from './errors.ts';

/** `happened` returns what the command would have answered, or undefined if it has not happened. */
export function untilDone<T>(
  { persist }: Caller,
  send: () => Promise<T>,
  happened: () => Promise<T | undefined>,
): Promise<T> {
  let isUnsure = false;
  return persist(async () => {
    const done = isUnsure ? await happened() : undefined;
    if (done !== undefined) return done;
    try {
      return await send();
    } catch (error) {
      if (isRefusal(error, 'OFFLINE', 'UNAVAILABLE')) isUnsure = true;
      // The attempt whose answer was lost may have arrived after the check; then this one is refused.
      const late = isUnsure && !isPassing(error) ? await happened() : undefined;
      if (late === undefined) throw error;
      return late;
    }
  });
}
