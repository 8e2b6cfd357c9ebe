import { expect, onTestFinished, test, vi } from 'vitest';
import { type ChangesParts, openChanges } from '../../src/matches/changes.ts';

test('a command that takes too long is answered within ten seconds, also with its token looked up and waits before it', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let loaded = () => {};
  const fresh = vi.fn(() => new Promise((resolve) => (loaded = () => resolve(null))));
  const { change, inTime } = openChanges({ memo: { fresh } } as unknown as ChangesParts);
  const id = '0190c2f0-0000-7000-8000-000000000001';
  const attempts: Promise<unknown>[] = [
    change(null, id, null, (match) => match),
    change(null, id, null, (match) => match),
    inTime(new Promise(() => {})),
  ];
  const refused = attempts.map((attempt) =>
    expect(attempt).rejects.toMatchObject({ code: 'UNAVAILABLE', details: { retryAfter: 2 } }),
  );
  await vi.advanceTimersByTimeAsync(7000);
  await Promise.all(refused);
  expect(fresh).toHaveBeenCalledTimes(1); // commands of one match are carried out one after another
  loaded();
  await vi.advanceTimersByTimeAsync(0);
  expect(fresh).toHaveBeenCalledTimes(2); // the command itself goes on
});
