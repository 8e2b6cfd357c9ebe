export interface TimeLimit {
  /** Aborts when the time is up, or together with the other signal. */
  readonly signal: AbortSignal;
  /** Whether the time is up. */
  readonly isOver: boolean;
  /** To be called when what it limits has ended. */
  clear(): void;
}

/**
 * Node may collect a signal of AbortSignal.timeout that is only part of AbortSignal.any, which then never aborts
 * (https://github.com/nodejs/node/issues/57736).
 */
export function timeLimit(ms: number, other?: AbortSignal): TimeLimit {
  const controller = new AbortController();
  let isOver = false;
  const abort = () => controller.abort();
  const timer = setTimeout(() => {
    isOver = true;
    abort();
  }, ms).unref();
  if (other?.aborted) abort();
  other?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    clear() {
      clearTimeout(timer);
      other?.removeEventListener('abort', abort);
    },
  };
}

/** The result, or the error of `late` once it has taken too long. The work itself continues. */
export function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
