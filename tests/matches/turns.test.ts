/** Long work lets others in, and callers with long work take turns. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { exporting } from '../../src/api/present.ts';
import { inPieces, writtenWith } from '../../src/api/rest/pieces.ts';
import { registry } from '../../src/games/registry.ts';
import { acted } from '../../src/matches/commands/act.ts';
import { ordered } from '../../src/matches/commands/orders.ts';
import { joined, openingOf } from '../../src/matches/commands/seating.ts';
import { emptyMatch } from '../../src/matches/log/match.ts';
import { advance, advancing, matchAt, rebuilding } from '../../src/matches/log/rebuild.ts';
import type { Match } from '../../src/matches/log/records.ts';
import { writing } from '../../src/matches/proof/document.ts';
import { inSlices, pause } from '../../src/turns.ts';
import { freeWork } from '../support/work.ts';

function busyFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function* steps(n: number, ms: number, done: () => void = () => {}): Generator<void, number> {
  for (let i = 0; i < n; i++) {
    busyFor(ms);
    yield;
  }
  done();
  return n;
}

/** The most processor time, in ms, that went by between two turns of the event loop: others use the machine, too. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let last = process.cpuUsage();
  let worst = 0;
  let over = false;
  const tick = () => {
    const { user, system } = process.cpuUsage(last);
    last = process.cpuUsage();
    worst = Math.max(worst, (user + system) / 1000);
    if (!over) setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  over = true;
  return worst;
}

/** A match of Cacao made long by standing orders, with actions all over it. */
function longMatch(events: number): Match {
  const people = ['one', 'two'].map((id) => ({ id, name: id, kind: 'HUMAN' as const, tag: null }));
  let match = openingOf(registry, people[0]!, { game: 'cacao', seats: 2 }, new Date());
  match = joined(match, people[1]!, null, null, new Date());
  while (match.version < events) {
    match = ordered(match, match.version % 2, people[match.version % 2]!.id, { work: 'ask' }, new Date());
    if (match.version % Math.ceil(events / 25) > 0) continue;
    const seat = match.acting[0]!;
    const [action] = match.engine.legal(match.state!, seat);
    match = acted(match, seat, match.seats[seat]!, action!, null, new Date());
  }
  return match;
}

test('long work is done in slices, however much of it there is', async () => {
  const held = await longestHold(() =>
    Promise.all(Array.from({ length: 10 }, (_, i) => inSlices(steps(100, 0.5), `caller ${i % 2}`))),
  );
  expect(held).toBeLessThan(150); // 500 ms in all
});

test('short work does not wait for long work of others', async () => {
  const order: string[] = [];
  const many = Array.from({ length: 20 }, () =>
    inSlices(
      steps(40, 1, () => order.push('much')),
      'one',
    ),
  );
  await sleep(20);
  await inSlices(
    steps(10, 1, () => order.push('little')),
    'another',
  );
  await Promise.all(many);
  expect(order.indexOf('little')).toBeLessThan(3);
  expect(order).toHaveLength(21);
});

test('reading a long log delays nobody, and gives the right answer', async () => {
  const match = longMatch(6000);
  const empty = { ...emptyMatch(match.engine, match) };
  const events = match.events.slice();
  const got: { rebuilt?: Match; early?: Match; text?: string } = {};
  const held = await longestHold(async () => {
    const rebuilt = await inSlices(advancing(empty, events), 'a');
    got.rebuilt = rebuilt;
    got.early = await inSlices(rebuilding(rebuilt, 4321), 'a');
    got.text = await inSlices(writing(await inSlices(exporting(match, null, ['1', '2']), 'a')), 'a');
  });
  expect(held).toBeLessThan(150);
  expect(got.rebuilt?.state).toEqual(match.state);
  expect(JSON.parse(got.text as string).events).toHaveLength(match.version);
  const again = advance(emptyMatch(match.engine, match), events.slice(0, 4321));
  expect(got.early?.state).toEqual(again.state);
  expect(got.early?.orders).toEqual(again.orders);
});

test('an earlier version of a long match is reached from the nearest mark', () => {
  const match = longMatch(2000);
  let replayed = 0;
  matchAt(match, 1990); // leaves marks
  for (const _step of rebuilding(match, 1500)) replayed++;
  expect(replayed).toBeLessThan(130);
  for (const version of [1, 5, 63, 64, 65, 900, 1234, 1999]) {
    const direct = advance(emptyMatch(match.engine, match), match.events.slice(0, version));
    const marked = matchAt(match, version);
    expect(marked.state).toEqual(direct.state);
    expect(marked.events.length).toBe(version);
  }
});

test('an answer of megabytes is written with others in between, and is the same text', async () => {
  const items = Array.from({ length: 300 }, (_, i) => ({ i, text: 'ä"\n'.repeat(20_000), list: Array(2000).fill(i) }));
  const work = { ...freeWork, turn: () => pause('a') };
  let bytes: Buffer = Buffer.from('');
  const held = await longestHold(async () => {
    bytes = await writtenWith({ version: 7 }, 'items', items, work);
  });
  expect(held).toBeLessThan(100); // about 200 ms at once
  expect(bytes.toString()).toBe(JSON.stringify({ version: 7, items }));
  expect((await writtenWith({}, 'items', [], work)).toString()).toBe('{"items":[]}');
  expect(Buffer.concat([...inPieces(bytes)]).equals(bytes)).toBe(true);
});
