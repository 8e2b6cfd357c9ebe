/** Positions of a replay, without a browser. */
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

it('a replay that is closed while an answer arrives does not fail, and so leads nowhere', async () => {
  vi.stubGlobal('addEventListener', () => {}); // which modules of the page call when they are loaded
  const { openPositions } = await import('../../web/src/table/positions.ts');
  let isReading = () => {};
  const reading = new Promise<void>((resolve) => {
    isReading = resolve;
  });
  let isStopped = () => {};
  const stopped = new Promise<void>((resolve) => {
    isStopped = resolve;
  });
  // The status is there, and the rest of the answer is on its way.
  vi.stubGlobal('fetch', async (_url: string, { signal }: { signal: AbortSignal }) => ({
    status: 200,
    headers: new Headers(),
    json: () =>
      new Promise((_, reject) => {
        isReading();
        signal.addEventListener('abort', () => {
          reject(signal.reason);
          isStopped();
        });
      }),
  }));
  const onFailure = vi.fn();
  const positions = openPositions({ id: 'm', invite: undefined, onArrival: () => {}, onFailure });
  expect(positions.look({ version: 6, seat: null, width: 'WIDE', latest: 20 })).toBeUndefined();
  await reading;
  positions.close();
  await stopped;
  await new Promise((resolve) => setImmediate(resolve));
  expect(onFailure).not.toHaveBeenCalled();
});
