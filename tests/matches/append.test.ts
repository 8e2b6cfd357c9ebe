import { describe, expect, it, vi } from 'vitest';
import { openWrites } from '../../src/database/writes.ts';
import { openBots } from '../../src/matches/live/bot-turns.ts';
import type { Append, AppendAll } from '../../src/matches/log/append.ts';
import { appender } from '../../src/matches/log/batches.ts';

const append = (id: string) => ({ expected: 1, match: { id } }) as Append;

interface Sending {
  /** The matches to move, in the turns of the event loop in which they are moved. */
  turns: string[][];
  failure?: (ids: string[]) => unknown;
  /** How many turns of the event loop a statement takes. */
  takes?: number;
}

const endOfTurn = () => new Promise<void>((done) => setImmediate(done));

/** Returns the outcome of each append, and the statements that were sent. */
async function outcomes({ turns, failure = () => undefined, takes = 1 }: Sending) {
  const sent: string[][] = [];
  const appendAll: AppendAll = async (_pool, appends, skipLocked) => {
    const ids = appends.map(({ match }) => match.id);
    sent.push(ids);
    for (let i = 0; i < takes; i++) await endOfTurn();
    const error = !skipLocked && failure(ids);
    if (error) throw error;
    return { moved: new Set(ids.filter((id) => !(skipLocked && id === 'd'))), alsoWrote: false };
  };
  const send = appender({ pool: {} as never, appendAll, writes: openWrites() });
  const all: Promise<boolean>[] = [];
  for (const turn of turns) {
    all.push(...turn.map((id) => send(append(id))));
    await endOfTurn();
  }
  const results = await Promise.allSettled(all);
  return { sent, results: results.map(({ status }) => status) };
}

describe('appends', () => {
  it('of one turn of the event loop are sent together', async () => {
    expect((await outcomes({ turns: [['a', 'b', 'c']] })).sent).toEqual([['a', 'b', 'c']]);
  });

  it('of one match are never sent together', async () => {
    expect((await outcomes({ turns: [['a', 'b', 'a']] })).sent).toEqual([['a', 'b'], ['a']]);
  });

  it('wait while two statements are under way, and are then sent together', async () => {
    const { sent } = await outcomes({ turns: [['a'], ['b'], ['c'], ['d']], takes: 9 });
    expect(sent).toEqual([['a'], ['b'], ['c', 'd']]);
  });

  it('wait for one statement with many others in it, so that the next is large as well', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] }); // however long it takes, the statement is not slow
    try {
      const { sent } = await outcomes({ turns: [['a', 'b', 'c', 'd'], ['e'], ['f']], takes: 9 });
      expect(sent).toEqual([
        ['a', 'b', 'c', 'd'],
        ['e', 'f'],
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('do not wait for a slow statement, however many others are in it', async () => {
    const sent: string[][] = [];
    const release: (() => void)[] = [];
    const appendAll: AppendAll = async (_pool, appends) => {
      const ids = appends.map(({ match }) => match.id);
      sent.push(ids);
      await new Promise<void>((done) => release.push(done));
      return { moved: new Set(ids), alsoWrote: false };
    };
    const send = appender({ pool: {} as never, appendAll, writes: openWrites() });
    const slow = ['a', 'b', 'c', 'd'].map((id) => send(append(id)));
    await endOfTurn();
    const next = send(append('e'));
    await vi.waitFor(() => expect(sent).toEqual([['a', 'b', 'c', 'd'], ['e']]), { interval: 1 });
    for (const done of release) done();
    expect(await Promise.all([...slow, next])).toEqual([true, true, true, true, true]);
  });

  it('are sent in statements of limited size', async () => {
    const ids = Array.from({ length: 100 }, (_, i) => String(i));
    const { sent } = await outcomes({ turns: [ids] });
    expect(sent.map(({ length }) => length)).toEqual([64, 36]);
  });
});

describe('appends that went out together', () => {
  const turns = [['b', 'c', 'd']];

  it('are sent again one by one if PostgreSQL ended a deadlock, which wrote nothing', async () => {
    const failure = (ids: string[]) => ids.length > 1 && Object.assign(new Error(), { code: '40P01' });
    const { sent, results } = await outcomes({ turns, failure });
    expect(sent).toEqual([['b', 'c', 'd'], ['b'], ['c'], ['d']]);
    expect(results).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  });

  it('are sent again one by one if a row was refused, which wrote nothing', async () => {
    const failure = (ids: string[]) => ids.includes('d') && Object.assign(new Error(), { code: '23505' });
    const { sent, results } = await outcomes({ turns, failure });
    expect(sent).toEqual([['b', 'c', 'd'], ['b'], ['c'], ['d']]);
    expect(results).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('are sent again without the one that is locked, which has certainly written nothing', async () => {
    const failure = (ids: string[]) => ids.includes('d') && Object.assign(new Error(), { code: '55P03' });
    const { sent, results } = await outcomes({ turns, failure });
    expect(sent).toEqual([
      ['b', 'c', 'd'],
      ['b', 'c', 'd'],
    ]);
    expect(results).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  });

  it('are not sent again if the answer was lost, because they may have been committed', async () => {
    const failure = (ids: string[]) => ids.length > 1 && new Error('Connection terminated unexpectedly');
    const { sent, results } = await outcomes({ turns, failure });
    expect(sent).toEqual([['b', 'c', 'd']]);
    expect(results).toEqual(['rejected', 'rejected', 'rejected']);
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
