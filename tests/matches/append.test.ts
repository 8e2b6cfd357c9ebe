import { describe, expect, it } from 'vitest';
import { openWrites } from '../../src/database/writes.ts';
import { openBots } from '../../src/matches/live/bot-turns.ts';
import type { Append, AppendAll } from '../../src/matches/log/append.ts';
import { appender } from '../../src/matches/log/batches.ts';

const append = (id: string) => ({ expected: 1, match: { id } }) as Append;

/**
 * Four appends at once: two go out alone, the others wait and go out together. Returns the outcome of each, and the
 * statements that were sent.
 */
async function four(failure: (ids: string[]) => unknown) {
  const sent: string[][] = [];
  const appendAll: AppendAll = async (_pool, appends, skipLocked) => {
    const ids = appends.map(({ match }) => match.id);
    sent.push(ids);
    await new Promise(setImmediate);
    const error = !skipLocked && failure(ids);
    if (error) throw error;
    return { moved: new Set(ids.filter((id) => !(skipLocked && id === 'd'))), alsoWrote: false };
  };
  const send = appender({ pool: {} as never, appendAll, writes: openWrites() });
  const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((id) => send(append(id))));
  return { sent, results: results.map(({ status }) => status) };
}

describe('appends that went out together', () => {
  it('are sent again one by one if a row was refused, which wrote nothing', async () => {
    const refused = (ids: string[]) => ids.includes('d') && Object.assign(new Error(), { code: '23505' });
    const { sent, results } = await four(refused);
    expect(sent).toEqual([['a'], ['b'], ['c', 'd'], ['c'], ['d']]);
    expect(results).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  it('are sent again without the one that is locked, which has certainly written nothing', async () => {
    const locked = (ids: string[]) => ids.includes('d') && Object.assign(new Error(), { code: '55P03' });
    const { sent, results } = await four(locked);
    expect(sent).toEqual([['a'], ['b'], ['c', 'd'], ['c', 'd']]);
    expect(results).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });

  it('are not sent again if the answer was lost, because they may have been committed', async () => {
    const lost = (ids: string[]) => ids.length > 1 && new Error('Connection terminated unexpectedly');
    const { sent, results } = await four(lost);
    expect(sent).toEqual([['a'], ['b'], ['c', 'd']]);
    expect(results).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  });
});

it('a match that cannot be loaded does not keep the bots of others waiting', async () => {
  const asked: string[] = [];
  const warnings: string[] = [];
  const bots = openBots({
    matches: {} as never,
    store: { awaiting: async () => ['bad', 'good'] } as never,
    memo: {
      fresh: async (id: string) => {
        asked.push(id);
        if (id === 'bad') throw new Error('There are no rules 2 of Cacao');
        return null;
      },
    } as never,
    thinker: { decide: async () => ({}), close: async () => {} },
    warn: (message) => warnings.push(message),
  });
  await bots.sweep(new Date());
  expect([asked, warnings]).toEqual([['bad', 'good'], ['a bot waits']]);
  await bots.close();
});
