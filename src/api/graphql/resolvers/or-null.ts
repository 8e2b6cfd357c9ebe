import { AtollError } from '../../../errors.ts';

/** Null instead of an error for what does not exist or may not be seen, as a GraphQL query by id has it. */
export async function orNull<T>(found: Promise<T> | (() => T)): Promise<T | null> {
  try {
    return await (typeof found === 'function' ? found() : found);
  } catch (error) {
    if (error instanceof AtollError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
