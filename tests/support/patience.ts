import { setTimeout as sleep } from 'node:timers/promises';
import { presentable } from '../../src/api/http/answers/failure.ts';
import { Refusal } from './api.ts';

/**
 * Does as a client does after a disturbance: tries again while the answer is UNAVAILABLE. A pooled connection whose end
 * has not been noticed yet rightly gives that answer once, and there may be several such connections. Whatever is still
 * refused after half a minute, or is refused for another reason, fails.
 */
export async function untilItWorks<T>(attempt: () => Promise<T>, milliseconds = 30_000): Promise<T> {
  for (const patience = Date.now() + milliseconds; ; await sleep(100)) {
    try {
      return await attempt();
    } catch (error) {
      const { code } = error instanceof Refusal ? error : presentable(error);
      if (code !== 'UNAVAILABLE' || Date.now() > patience) throw error;
    }
  }
}
