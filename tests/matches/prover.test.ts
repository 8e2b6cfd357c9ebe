/** Imports are proven in a thread of their own, in time, and not at all if the match is known. */
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { registry } from '../../src/games/registry.ts';
import { inlineProver, openProver } from '../../src/matches/proof/prover.ts';

const prover = openProver();
afterAll(() => prover.close());

const text = readFileSync('tests/archive/cacao-rules1-base-2.json', 'utf8');
const unknown = async (): Promise<null> => null;

test('a document is proven with the same result as in the main thread', async () => {
  const there = await prover.run(text, 'ann', unknown);
  const here = await inlineProver(registry).run(JSON.parse(text), 'ann', unknown);
  if (!there || !here) throw new Error('nothing was proven');
  const withoutPlayers = (events: readonly { playerId: string | null }[]) =>
    events.map(({ playerId: _, ...event }) => JSON.stringify({ ...event, hash: undefined }));
  expect(withoutPlayers(there.events)).toEqual(withoutPlayers(here.events));
  expect(there.match).toMatchObject({ id: here.match.id, status: 'FINISHED', result: here.match.result });
  expect(there.match.hash).toBe(here.match.hash);
});

test('an error names the version at which it was found', async () => {
  const document = JSON.parse(text);
  document.events[20].stateHash = '0'.repeat(64);
  await expect(prover.run(document, 'ann', unknown)).rejects.toMatchObject({
    code: 'BAD_INPUT',
    details: { version: 21 },
  });
  await expect(prover.run('{ "no": json', 'ann', unknown)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  await expect(prover.run({}, 'ann', unknown)).rejects.toMatchObject({ code: 'BAD_INPUT' });
});

test('a match that is stored already is found before anything is proven', async () => {
  const document = JSON.parse(text);
  document.events[20].stateHash = '0'.repeat(64); // would be refused
  const seen: string[] = [];
  const answer = await prover.run(document, 'ann', async ({ document: { id, events } }) => {
    seen.push(id);
    expect(events).toEqual([]);
    return 'known';
  });
  expect([answer, seen]).toEqual(['known', [document.id]]);
});

test('one player has only so many documents proven at a time', async () => {
  const all = await Promise.allSettled(Array.from({ length: 4 }, () => prover.run(text, 'ben', async () => 'known')));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
  expect(all[3]).toMatchObject({ reason: { code: 'RATE_LIMITED' } });
  expect(await prover.run(text, 'ben', async () => 'known')).toBe('known');
});

test('a proof that takes too long is given up, and the next one succeeds', async () => {
  const hasty = openProver({ limitMs: 1 });
  await expect(hasty.run(text, 'ann', unknown)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: /within 0.001 s/,
  });
  await hasty.close();
  expect(await prover.run(text, 'ann', async () => 'still there')).toBe('still there');
});
