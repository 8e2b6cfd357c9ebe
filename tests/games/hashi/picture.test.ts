import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../src/games/game.ts';
import { BOARDS, SIDES } from '../../../src/games/hashi/data.ts';
import { hashi } from '../../../src/games/hashi/index.ts';
import type { State } from '../../../src/games/hashi/state.ts';
import { islandTarget, linkTarget } from '../../../src/games/hashi/targets.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { NO_SCENE } from '../../../src/games/svg.ts';
import { describedBy, elementOf, pictureOf, sceneOf, targetsOf, texts } from './scene.ts';
import { act, noRng, playRound, position, stacked } from './table.ts';
import { finishedSheet } from './witness.ts';

const WIDTHS = ['WIDE', 'NARROW'] as const;
const other = { numbers: { 10: 4 } };
const tables = SIDES.flatMap((side) => [1, 2, 3, 4].map((seats) => ({ side, seats })));

/** Some states of a random match, from the set-up to the end. */
function* somePositions(side: 'A' | 'B', seats: number): Generator<State> {
  const rng = fastRng(seats);
  const state = hashi.setup({ side }, seats, rng);
  for (let n = 0; ; n++) {
    const acting = state.seats.flatMap((_, seat) => (hashi.legal(state, seat).length > 0 ? [seat] : []));
    if (n % (10 * seats + 3) === 0 || acting.length === 0) yield state;
    if (acting.length === 0) return;
    const seat = rng.pick(acting);
    hashi.apply(state, seat, rng.pick(hashi.legal(state, seat)), rng);
  }
}

function checkMarkup(svg: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(svg).close();
  const ids = [...svg.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(svg).not.toMatch(/undefined|NaN|\[object/);
  expect(svg.length).toBeLessThan(100_000);
}

describe.each(tables)('side $side, $seats seats', ({ side, seats }) => {
  it('every legal action is found by its targets alone, and all of them are in the picture of its seat', () => {
    for (const state of somePositions(side, seats)) {
      for (const seat of state.seats.keys()) {
        const list = hashi.legal(state, seat).map((action) => targetsOf(action, state, seat));
        for (const targets of list) {
          expect(list.filter((others) => targets.every((name) => others.includes(name)))).toHaveLength(1);
          expect(targets.length).toBeLessThanOrEqual(2);
        }
        for (const width of WIDTHS) {
          const svg = pictureOf(state, seat, { width });
          for (const name of new Set(list.flat())) {
            const element = elementOf(svg, `t-${name}`);
            expect(element).toContain(`data-target="${name}"`);
            expect(element).toMatch(/<title>[^<]+<\/title>/);
          }
        }
      }
    }
  });

  it('pictures are sound for all eyes, and on a phone no text is smaller than 11 pixels', () => {
    for (const state of somePositions(side, seats)) {
      for (const eyes of [0, null]) {
        for (const width of WIDTHS) {
          const svg = pictureOf(state, eyes, { width });
          checkMarkup(svg);
          expect(svg).toContain(`viewBox="0 0 ${width === 'WIDE' ? 1000 : 390} `);
          const sizes = [...svg.matchAll(/font-size="([^"]*)"/g)].map((match) => Number(match[1]));
          expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
          if (width === 'NARROW') continue;
          const names = state.seats.map((_, seat) => texts(elementOf(svg, `seat-${seat}`)));
          for (const words of names) expect(words).toEqual(expect.arrayContaining(['1', '9', '18']));
        }
        checkMarkup(hashi.svg(hashi.view(state, eyes)));
      }
    }
  });

  it('descriptions are sentences for all eyes', () => {
    for (const state of somePositions(side, seats)) {
      for (const eyes of [0, null]) {
        const sentences = [
          ...describedBy(state, eyes, { names: state.seats.map(() => 'Wilhelmina of Hohenzollern 123') }),
          ...hashi.describe(hashi.view(state, eyes)),
        ];
        expect(sentences.length).toBeGreaterThan(15);
        for (const sentence of sentences) {
          expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
          expect(sentence).not.toMatch(/undefined|NaN|null|\[object/);
          expect(sentence.length).toBeLessThanOrEqual(200);
        }
      }
    }
  });

  it('what the eyes cannot know changes neither picture nor description nor targets', () => {
    const rng = fastRng(7);
    for (const state of somePositions(side, seats)) {
      for (const eyes of [...state.seats.keys(), null]) {
        const twin = hashi.guess(state, eyes, rng);
        expect(sceneOf(twin, eyes)).toEqual(sceneOf(state, eyes));
        expect(pictureOf(twin, eyes)).toBe(pictureOf(state, eyes));
        expect(pictureOf(twin, eyes, { width: 'NARROW' })).toBe(pictureOf(state, eyes, { width: 'NARROW' }));
        expect(describedBy(twin, eyes)).toEqual(describedBy(state, eyes));
      }
    }
  });
});

describe('a picture for a finger', () => {
  const circle = (svg: string, name: string) => {
    const found = /<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"/.exec(elementOf(svg, `t-${name}`))!;
    const [, x, y, r] = found.map(Number) as [number, number, number, number];
    return { x, y, r };
  };

  it.each(SIDES)(
    'has islands and links of at least 36 pixels at a width of 390, and none touches another: side %s',
    (side) => {
      const every = BOARDS[side];
      const view = hashi.view(position({ side, card: [6, 3], sheets: [other] }), 0);
      for (const legal of [every.islands.map(({ id }) => islandTarget(id)), every.links.map(linkTarget)]) {
        const svg = hashi.svg(view, { ...NO_SCENE, legal, width: 'NARROW' });
        const circles = legal.map((name) => circle(svg, name));
        for (const { x, y, r } of circles) {
          expect(2 * r).toBeGreaterThanOrEqual(36);
          const near = circles.filter((one) => Math.hypot(one.x - x, one.y - y) < r + one.r);
          expect(near).toHaveLength(1);
        }
      }
    },
  );
});

/** How many unbuilt links are dashed on the sheets; the legend has one dash of its own. */
const dashes = (svg: string): number =>
  [...svg.matchAll(/<path d="([^"]*)"[^>]*stroke-dasharray="6 5"/g)]
    .map(([, d]) => d!.split('M').length - 1)
    .reduce((sum, n) => sum + n, -1);

describe('dashes', () => {
  const solo = (numbers: Record<number, number>, bridges: Record<number, number>) =>
    dashes(pictureOf(position({ card: [6, 1], sheets: [{ numbers, bridges }] }), 0));

  it('stand for every link of a blank sheet', () => {
    expect(dashes(pictureOf(hashi.setup({ side: 'A' }, 1, noRng), 0))).toBe(25);
  });

  it('end where a bridge stands, crosses, or an island is finished or full', () => {
    expect(solo({ 10: 4 }, {})).toBe(25);
    // Link 9–10 is built, and 5–12 is crossed by it.
    expect(solo({ 10: 4 }, { 15: 1 })).toBe(23);
    // Island 1 is finished: its other link is closed.
    expect(solo({ 1: 1, 2: 6 }, { 1: 1 })).toBe(23);
    // The blank island 7 has 6 bridges, so that its fourth link is closed, and 10–11 is crossed by 7–13.
    expect(solo({ 3: 6, 6: 6, 13: 6 }, { 6: 2, 10: 2, 13: 2 })).toBe(20);
  });

  it('are gone after the end', () => {
    const state = position({ round: 17, card: [1, 1], sheets: [{ numbers: { 2: 3 } }] });
    expect(dashes(pictureOf(state, 0))).toBe(25);
    playRound(state, 0, { write: null, bridges: [] });
    expect(dashes(pictureOf(state, 0))).toBe(0);
  });
});

describe('a bonus', () => {
  it('counts up on the sheet until it is earned, and then looks earned there and in the box', () => {
    const state = position({ card: [5, 3], sheets: [other, other] });
    state.seats[0]!.start = finishedSheet();
    state.seats[0]!.sheet = finishedSheet();
    expect(texts(elementOf(pictureOf(state, 1), 'seat-0'))).toEqual(
      expect.arrayContaining(['4 of 4', '3 of 3', '6 of 6']),
    );
    expect(texts(elementOf(pictureOf(state, 1), 'seat-1'))).toEqual(
      expect.arrayContaining(['0 of 4', '0 of 3', '0 of 6']),
    );
    const open = elementOf(pictureOf(state, 1), 'bonus-red');
    state.seats[0]!.bonuses.red = { round: 1, points: 9 };
    expect(texts(elementOf(pictureOf(state, 1), 'seat-0'))).toEqual(expect.arrayContaining(['+9', '3 of 3']));
    const earned = elementOf(pictureOf(state, 1), 'bonus-red');
    // The green of a finished island and the mark of the seat; before, the points were merely to be had.
    expect(open).not.toContain('#d8ecdf');
    expect(earned).toContain('#d8ecdf');
    expect(earned).toContain('<circle');
    expect(texts(earned)).toEqual(['4 red', '9', 'A', '5']);
  });
});

describe('what is asked', () => {
  it('stands on the own sheet, and whose turn it is above', () => {
    const words = (state: State, eyes: number | null) => texts(hashi.svg(hashi.view(state, eyes)));
    const preset = hashi.setup({ side: 'A' }, 2, noRng);
    expect(words(preset, 0)).toContain('Choose an island, and a 3 or a 4');
    const state = position({ card: [5, 3], sheets: [other, other, other] });
    expect(words(state, 0)).toEqual(expect.arrayContaining(['Your turn', 'Write the 5 on an island, or skip']));
    act(state, 0, { type: 'write', island: 3 });
    expect(words(state, 0)).toContain('Draw 3 bridges, or skip');
    act(state, 0, { type: 'bridge', link: 3 });
    expect(words(state, 0)).toContain('Draw 2 more bridges');
    act(state, 0, { type: 'bridge', link: 5 });
    expect(words(state, 0)).toContain('Draw 1 more bridge');
    act(state, 0, { type: 'bridge', link: 17 });
    expect(words(state, 0).filter((word) => word === 'Waiting for Seat B and Seat C')).toHaveLength(2);
    expect(words(state, null).filter((word) => word === 'ready')).toHaveLength(1);
  });
});

describe('the end', () => {
  const ended = () => {
    const state = position({ round: 17, card: [1, 1], sheets: [other, other] });
    state.seats[1]!.sheet = finishedSheet();
    state.seats[1]!.bonuses.red = { round: 12, points: 9 };
    state.step = 'end';
    return state;
  };

  it('shows a score sheet: islands, bonuses with the card that brought them, total and rank', () => {
    for (const width of WIDTHS) {
      const svg = pictureOf(ended(), null, { width });
      expect(texts(elementOf(svg, 'score-1'))).toEqual([
        '1.',
        'B',
        'Bo',
        '36',
        '18 × 2',
        '9',
        'card 12',
        '–',
        '–',
        '45',
      ]);
      expect(texts(elementOf(svg, 'score-0'))).toEqual(['2.', 'A', 'Ann', '0', '0 × 2', '–', '–', '–', '0']);
      expect(svg.indexOf('score-1')).toBeLessThan(svg.indexOf('score-0'));
      expect(texts(svg)).toContain('Bo wins with 45 points');
    }
    expect(describedBy(ended(), null)).toContain(
      'Bo: rank 1, 45 points: 18 finished islands 36, red bonus 9 from round 12.',
    );
  });

  it('names every winner, and alone the title', () => {
    const state = ended();
    state.seats[0]!.sheet = finishedSheet();
    state.seats[1]!.bonuses.red = null;
    expect(texts(pictureOf(state, null))).toContain('Ann and Bo win with 36 points');
    const solo = position({ card: [1, 1], sheets: [other] });
    solo.step = 'end';
    solo.seats[0]!.sheet = finishedSheet();
    solo.seats[0]!.bonuses.red = { round: 12, points: 9 };
    expect(texts(pictureOf(solo, 0))).toEqual(
      expect.arrayContaining(['45 points: bolt tightener', 'Your title: bolt tightener']),
    );
  });

  it('is the result of the match where somebody has given up', () => {
    const result = { scores: [0, 45], ranks: [1, 2] };
    expect(texts(pictureOf(ended(), null, { result }))).toContain('Ann wins with 0 points');
    const running = position({ card: [5, 3], sheets: [other, other] });
    const early: Partial<Scene> = { result: { scores: [0, 0], ranks: [2, 1] }, legal: [] };
    const svg = pictureOf(running, 0, early);
    expect(texts(svg)).toContain('Bo wins: the match ended early');
    expect(texts(elementOf(svg, 'score-1'))[0]).toBe('1.');
    expect(svg).not.toContain('Skip the number');
    expect(describedBy(running, 0, early)).toContain('Bo wins: the match ended early.');
    const alone = position({ card: [5, 3], sheets: [other] });
    const given = { result: { scores: [0], ranks: [1] }, legal: [] };
    expect(texts(pictureOf(alone, 0, given))).toContain('The match was given up');
  });
});

describe('the last action', () => {
  const marked = (svg: string) => [0, 1, 2].filter((seat) => elementOf(svg, `seat-${seat}`).includes('id="last"'));

  it('is marked on the sheet of its seat', () => {
    const state = position({ card: [5, 3], sheets: [other, other, other] });
    expect(marked(pictureOf(state, 0))).toEqual([]);
    expect(marked(pictureOf(state, 0, { last: { seat: 2, targets: ['link:10-11'] } }))).toEqual([2]);
    expect(marked(pictureOf(state, null, { last: { seat: 1, targets: ['island:3'] } }))).toEqual([1]);
    expect(marked(pictureOf(state, 0, { last: { seat: 1, targets: ['skip'] } }))).toEqual([]);
    expect(describedBy(state, 0, { last: { seat: 2, targets: ['link:10-11'] } })).toContain(
      'The last action was made by Cy: bridge 10–11.',
    );
  });

  it('goes with the sheet that is passed to the left', () => {
    const state = hashi.setup({ side: 'A' }, 3, noRng);
    for (const seat of [0, 1]) act(state, seat, { type: 'preset', island: 5, number: 3 });
    const last = { seat: 2, targets: targetsOf({ type: 'preset', island: 7, number: 3 }, state, 2) };
    expect(marked(pictureOf(state, 0, { last }))).toEqual([2]);
    act(state, 2, { type: 'preset', island: 7, number: 3 }, stacked(state, [[5, 3]]));
    expect(marked(pictureOf(state, 0, { last }))).toEqual([0]);
  });
});

describe('names', () => {
  it('are shortened to the room there is, and escaped', () => {
    const state = position({ card: [5, 3], sheets: [other, other, other, other] });
    const names = ['<b>&"Ann"', '大阪の橋を造る人たち大阪の橋を造る人たち大阪の橋を造る人たち', 'W'.repeat(30), 'Di'];
    for (const width of WIDTHS) {
      const svg = pictureOf(state, 0, { width, names });
      checkMarkup(svg);
      expect(svg).not.toContain('<b>');
      expect(texts(elementOf(svg, 'seat-1')).some((word) => /^大阪の橋.*…$/.test(word))).toBe(true);
      expect(texts(elementOf(svg, 'seat-2')).some((word) => /^W+…$/.test(word))).toBe(true);
    }
    const longest = {
      names: ['W'.repeat(30), 'Bo', 'Cy', 'Di'],
      result: { scores: [9, 0, 0, 0], ranks: [1, 2, 2, 2] },
    };
    expect(texts(pictureOf(state, null, longest)).some((word) => /^W+… wins: the match ended early$/.test(word))).toBe(
      true,
    );
    expect(texts(pictureOf(state, null, { names: [null, null, null, null] }))).toContain('Seat A');
  });
});
