import { AtollError } from '../../../errors.ts';

/**
 * Resolves to null instead of an error for what does not exist or may not be seen, as is usual for GraphQL queries by
 * id.
 */
export async function orNull<T>(found: Promise<T> | (() => T)): Promise<T | null> {
  try {
    return await (typeof found === 'function' ? found() : found);
  } catch (error) {
    if (error instanceof AtollError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
