import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/games/canonical.ts';
import type { Rng } from '../../../src/games/game.ts';
import type { Action } from '../../../src/games/hashi/actions.ts';
import { BOARDS, BONUSES, SIDES } from '../../../src/games/hashi/data.ts';
import { type Effect, EffectSchema, explain } from '../../../src/games/hashi/effects.ts';
import { hashi } from '../../../src/games/hashi/index.ts';
import type { State } from '../../../src/games/hashi/state.ts';
import { clone } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { finished, noRng, position, stacked } from './table.ts';

function told(state: State, seat: number, action: Action, rng: Rng = noRng): Effect[] {
  const effects: Effect[] = [];
  hashi.apply(state, seat, action, rng, (effect) => effects.push(effect as Effect));
  return effects;
}

const skip: Action = { type: 'skip' };
const other = { numbers: { 10: 4 } };

describe('effects', () => {
  it('the first card, when all sheets have been passed to the left; alone nothing is passed', () => {
    const state = hashi.setup({ side: 'A' }, 2, noRng);
    expect(told(state, 0, { type: 'preset', island: 3, number: 4 })).toEqual([]);
    const effects = told(state, 1, { type: 'preset', island: 5, number: 3 }, stacked(state, [[5, 3]]));
    expect(effects).toEqual([{ type: 'passed' }, { type: 'card', round: 1, number: 5, bridges: 3 }]);
    const solo = hashi.setup({ side: 'A' }, 1, noRng);
    expect(told(solo, 0, { type: 'preset', island: 3, number: 4 }, stacked(solo, [[5, 3]]))).toEqual([
      { type: 'card', round: 1, number: 5, bridges: 3 },
    ]);
  });

  it('islands that an action finishes: by writing what is there already, or by a bridge, also two at once', () => {
    const state = position({ card: [2, 1], sheets: [{ numbers: { 3: 4, 4: 2 }, bridges: { 3: 2, 5: 1 } }, other] });
    expect(told(state, 0, { type: 'write', island: 2 })).toEqual([{ type: 'finished', seat: 0, island: 2, number: 2 }]);
    const link = BOARDS.A.links.find(({ a, b }) => a === 3 && b === 4)!.id;
    expect(told(state, 0, { type: 'bridge', link })).toEqual([
      { type: 'finished', seat: 0, island: 3, number: 4 },
      { type: 'finished', seat: 0, island: 4, number: 2 },
    ]);
  });

  it('bridges that had to be drawn, in their order', () => {
    // Island 1 alone has a number and its link to 2 is full, so that both bridges lead to 9.
    const state = position({ card: [6, 2], sheets: [{ numbers: { 1: 4 }, bridges: { 1: 2 } }, other] });
    expect(told(state, 0, skip)).toEqual([]);
    expect(told(state, 0, { type: 'bridge', link: 2 })).toEqual([
      { type: 'bridge', seat: 0, link: 2, a: 1, b: 9 },
      { type: 'finished', seat: 0, island: 1, number: 4 },
    ]);
  });

  it('steps that a seat could not take: at the start of a round, and after its number', () => {
    const full = { numbers: { 2: 1, 3: 1 }, bridges: { 3: 1 } };
    const state = position({ card: [6, 3], sheets: [full, other] });
    expect(told(state, 0, skip)).toEqual([{ type: 'cannotBuild', seat: 0, bridges: 3 }]);
    const numbers = Object.fromEntries(BOARDS.A.islands.map(({ id }) => [id, 1]));
    const next = position({ card: [6, 1], sheets: [other, { numbers, bridges: { 1: 1 } }] });
    told(next, 1, skip);
    told(next, 0, skip);
    expect(told(next, 0, skip, stacked(next, [[5, 3]]))).toEqual([
      { type: 'card', round: 2, number: 5, bridges: 3 },
      { type: 'cannotWrite', seat: 1, number: 5 },
    ]);
  });

  it('bonuses when a round is over, and the scores after the last one', () => {
    const blue = { numbers: { 6: 1, 12: 1, 14: 1, 5: 4, 13: 4 }, bridges: { 8: 1, 20: 1, 21: 1 } };
    const state = position({ round: 17, card: [6, 1], sheets: [blue, other] });
    for (const seat of [0, 0, 1]) expect(told(state, seat, skip)).toEqual([]);
    expect(told(state, 1, skip)).toEqual([
      { type: 'bonus', seat: 0, bonus: 'blue', points: 7 },
      { type: 'score', seat: 0, islands: 3, bonuses: 7, total: 13 },
      { type: 'score', seat: 1, islands: 0, bonuses: 0, total: 0 },
    ]);
  });

  it.each<[Effect, string]>([
    [{ type: 'passed' }, 'Every sheet was passed to the left.'],
    [{ type: 'card', round: 3, number: 5, bridges: 1 }, 'The card of round 3 is 5 with 1 bridge.'],
    [{ type: 'cannotWrite', seat: 1, number: 5 }, 'B can write the 5 on no island.'],
    [{ type: 'cannotBuild', seat: 0, bridges: 3 }, 'A has no room for 3 bridges.'],
    [{ type: 'bridge', seat: 0, link: 2, a: 1, b: 9 }, 'A had to draw the bridge 1–9.'],
    [{ type: 'finished', seat: 3, island: 4, number: 2 }, 'D finished island 4 with 2 bridges.'],
    [{ type: 'bonus', seat: 2, bonus: 'chain', points: 8 }, 'C got 8 points for a chain of 6 islands.'],
    [
      { type: 'score', seat: 0, islands: 15, bonuses: 9, total: 39 },
      'A has 15 finished islands and 9 bonus points: 39 points.',
    ],
  ])('%j is a sentence', (effect, sentence) => {
    expect(explain(effect)).toBe(sentence);
    expect(hashi.explain!(effect)).toBe(sentence);
  });
});

/** What changed on the sheet of a seat, and who may have changed it: the action or an effect. */
function checkSheet(before: State, after: State, seat: number, own: Action | null, effects: Effect[]): void {
  const mine = effects.filter((effect) => 'seat' in effect && effect.seat === seat);
  const of = <T extends Effect['type']>(type: T) =>
    mine.filter((effect): effect is Extract<Effect, { type: T }> => effect.type === type);
  const [old, now] = [before.seats[seat]!, after.seats[seat]!];
  const drawn = now.sheet.bridges.map((count, link) => count - old.sheet.bridges[link]!);
  const expected = drawn.map(() => 0);
  for (const { link } of of('bridge')) expected[link]!++;
  if (own?.type === 'bridge') expected[own.link]!++;
  expect(drawn).toEqual(expected);

  const skipped = own?.type === 'skip' ? old.step : null;
  expect(now.sheet.unwritten - old.sheet.unwritten).toBe(of('cannotWrite').length + (skipped === 'write' ? 1 : 0));
  const left = of('cannotBuild').reduce((sum, { bridges }) => sum + bridges, 0);
  expect(now.sheet.undrawn - old.sheet.undrawn).toBe(left + (skipped === 'build' ? old.left : 0));

  const done = finished(after, seat).filter((island) => !finished(before, seat).includes(island));
  expect(
    of('finished')
      .map(({ island }) => island)
      .sort((a, b) => a - b),
  ).toEqual(done);
  const earned = BONUSES.filter((bonus) => now.bonuses[bonus] && !old.bonuses[bonus]);
  expect(of('bonus').map(({ bonus }) => bonus)).toEqual(earned);
}

describe.each(SIDES.flatMap((side) => [1, 2, 3, 4].map((seats) => ({ side, seats }))))(
  'a match on side $side with $seats seats',
  ({ side, seats }) => {
    const isEffect = Compile(EffectSchema);

    it('is explained by actions and effects, which tell of other seats only when a round is over', () => {
      const rng = fastRng(seats);
      const state = hashi.setup({ side }, seats, rng);
      const seen = new Set<string>();
      for (let n = 0; ; n++) {
        const seat = rng.pick([...state.seats.keys()].filter((i) => hashi.legal(state, i).length > 0));
        const action = rng.pick(hashi.legal(state, seat));
        const before = clone(state);
        const silent = clone(state);
        hashi.apply(silent, seat, action, fastRng(n));
        const effects = told(state, seat, action, fastRng(n));
        expect(canonical(state)).toBe(canonical(silent));

        for (const effect of effects) {
          expect(isEffect.Check(effect)).toBe(true);
          seen.add(effect.type);
        }
        const cards = effects.filter(({ type }) => type === 'card');
        expect(cards).toHaveLength(state.drawn.length - before.drawn.length);
        if (before.step !== 'preset') {
          for (const i of state.seats.keys()) checkSheet(before, state, i, i === seat ? action : null, effects);
        }
        if (hashi.epoch(before) === hashi.epoch(state)) {
          for (const effect of effects) expect(effect).toMatchObject({ seat });
        }
        if (hashi.result(state)) break;
      }
      expect([...seen]).toEqual(expect.arrayContaining(['card', 'finished', 'score']));
    });
  },
);
