/** At which of several workers a match is at home. */
import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** The module as a worker with this number loads it. */
async function homesOf(number: number, count: number) {
  const { WORKER_NUMBER, textOfNumber } = await import('../../src/homes.ts');
  vi.resetModules();
  vi.stubEnv(WORKER_NUMBER, textOfNumber(number, count));
  return import('../../src/homes.ts');
}

it.each([2, 3, 8])(
  'a match is at home at the one of %s workers that opened it, and all of them agree',
  async (count) => {
    const workers = [];
    for (let number = 0; number < count; number++) workers.push(await homesOf(number, count));
    for (const [number, opener] of workers.entries()) {
      for (let i = 0; i < 20; i++) {
        const id = opener.newMatchId(Date.UTC(2026, 10, 18));
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(workers.map(({ isElsewhere }) => isElsewhere(id))).toEqual(workers.map((_, other) => other !== number));
        expect(opener.homeOf(id)).toBe(number);
      }
    }
  },
);

it('a server that is alone is the home of every match, and no text is at home nowhere', async () => {
  const { isElsewhere, newMatchId, homeOf } = await import('../../src/homes.ts');
  for (let i = 0; i < 20; i++) expect(isElsewhere(newMatchId(0))).toBe(false);
  for (const text of ['', 'no match', '00000000-0000-7000-8000-00000000000g']) {
    expect([0, 1, 2]).toContain(homeOf(text, 3));
  }
});
