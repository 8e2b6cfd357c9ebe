/** The picture that can be clicked, and the table in sentences. */
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/games/cacao/actions.ts';
import { cacao2 as cacao } from '../../../src/games/cacao/index.ts';
import { type State, sizeOf } from '../../../src/games/cacao/state.ts';
import type { Scene } from '../../../src/games/game.ts';
import { clone } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { widthOf } from '../../../src/games/svg.ts';
import { act, acting, place, playOut, position, setUp } from './position.ts';

const NAMES = ['Margarethe von Hohenzollern <3>', 'Bo & "Co"', '山田太郎さんのとても長い名前です', 'Ωmega'];

function sceneOf(state: State, you: number | null, more: Partial<Scene> = {}): Scene {
  const view = cacao.view(state, you);
  const actions = you === null ? [] : cacao.legal(state, you);
  const legal = [...new Set(actions.flatMap((action) => cacao.targets!(action, view)))];
  const names = NAMES.slice(0, state.villages.length);
  return { names, acting: acting(state), result: cacao.result(state), last: null, legal, width: 'WIDE', ...more };
}

interface Drawn {
  ids: string[];
  targets: string[];
  /** Of every text: what it says and how large it is shown. */
  texts: { words: string; size: number }[];
  /** The scale at which each target is drawn. */
  scales: Map<string, number>;
}

/** Throws where the picture is no well-formed XML. */
function read(picture: string): Drawn {
  const drawn: Drawn = { ids: [], targets: [], texts: [], scales: new Map() };
  const scales = [1];
  const parser = new SaxesParser();
  let isText = false;
  parser.on('opentag', ({ name, attributes }) => {
    const { id, transform = '', 'data-target': target } = attributes as Record<string, string>;
    const scale = scales.at(-1)! * Number(/scale\(([\d.]+)\)/.exec(transform)?.[1] ?? 1);
    scales.push(scale);
    if (id) drawn.ids.push(id);
    if (target) {
      drawn.targets.push(target);
      drawn.scales.set(target, scale);
    }
    isText = name === 'text';
    if (isText) drawn.texts.push({ words: '', size: Number(attributes['font-size']) * scale });
  });
  parser.on('text', (words) => {
    if (isText) drawn.texts.at(-1)!.words += words;
  });
  parser.on('closetag', () => {
    scales.pop();
    isText = false;
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(picture).close();
  return drawn;
}

const draw = (state: State, you: number | null, more?: Partial<Scene>): string =>
  cacao.svg(cacao.view(state, you), sceneOf(state, you, more));

/** Whoever plays by pointing alone must find every action, and no two actions behind the same things. */
function checkPointing(state: State, seat: number): void {
  const view = cacao.view(state, seat);
  const sets = cacao.legal(state, seat).map((action) => cacao.targets!(action, view));
  expect(new Set(sets.map((set) => [...set].sort().join())).size).toBe(sets.length);
  for (const set of sets) {
    expect(new Set(set).size).toBe(set.length);
    expect(set.length).toBeLessThanOrEqual(3);
  }
  for (const width of ['WIDE', 'NARROW'] as const) {
    const { targets, ids } = read(draw(state, seat, { width }));
    expect(sets.flat().filter((target) => !targets.includes(target))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  }
}

function checkSentences(state: State, you: number | null): void {
  const lines = cacao.describe!(cacao.view(state, you), sceneOf(state, you));
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) {
    expect(line).toMatch(/\S.*\.$/);
    expect(line).not.toMatch(/undefined|NaN|null|\[object/);
    expect(line.length).toBeLessThanOrEqual(205);
  }
}

describe.each([2, 3, 4])('random matches of %i seats', (seats) => {
  it('can be played by pointing at the picture, and read', () => {
    for (let seed = 0; seed < 4; seed++) {
      let n = seed;
      const end = playOut(setUp(seats, fastRng(seed)), fastRng(seed), (state) => {
        if (n++ % 5 > 0) return;
        for (const seat of acting(state)) checkPointing(state, seat);
        checkSentences(state, seed % 2 === 0 ? null : state.active);
      });
      checkSentences(end, 0);
      read(draw(end, null, { width: 'NARROW' }));
    }
  });

  it('look the same in all states that a seat cannot tell apart', () => {
    playOut(setUp(seats, fastRng(8)), fastRng(8), (state) => {
      const twin = cacao.guess(state, 0, fastRng(state.table.workers.cells.length));
      const scene = sceneOf(state, 0);
      const [one, other] = [cacao.view(state, 0), cacao.view(twin, 0)];
      expect(cacao.svg(other, scene)).toBe(cacao.svg(one, scene));
      expect(cacao.describe!(other, scene)).toEqual(cacao.describe!(one, scene));
    });
  });

  it('are readable on a phone: no text below 11 pixels, no cell below 36', () => {
    playOut(setUp(seats, fastRng(9)), fastRng(9), (state, seat) => {
      const { texts, scales } = read(draw(state, seat, { width: 'NARROW' }));
      expect(texts.filter(({ size }) => size < 10.99)).toEqual([]);
      for (const [target, scale] of scales) if (target.startsWith('cell:')) expect(scale).toBeGreaterThanOrEqual(0.36);
    });
  });
});

describe('a very broad table', () => {
  /** Everybody builds to the west as far as the rules allow. */
  function stretched(): State {
    const rng = fastRng(4);
    const state = setUp(4, rng);
    const col = (action: Action) => ('col' in action ? action.col : 0);
    for (let [seat] = acting(state); seat !== undefined; [seat] = acting(state)) {
      const actions = cacao.legal(state, seat).sort((a, b) => col(a) - col(b));
      // Before the last turn, while free cells are shown.
      if (state.step === 'place' && sizeOf(state.villages[3]!.hand) === 1 && seat === 3) return state;
      cacao.apply(state, seat, actions[0]!, rng);
    }
    return state;
  }

  it.each(['WIDE', 'NARROW'] as const)('is cut into sheets that stay readable (%s)', (width) => {
    const state = stretched();
    const view = cacao.view(state, state.active);
    const cols = [...view.open, ...view.workers].map(({ col }) => col);
    expect(Math.max(...cols) - Math.min(...cols) + 1).toBeGreaterThan(20);
    const { ids, texts, scales } = read(draw(state, state.active, { width }));
    expect(new Set(ids).size).toBe(ids.length);
    expect(texts.filter(({ size }) => size < (width === 'WIDE' ? 7 : 10.99))).toEqual([]);
    const cells = [...scales].filter(([target]) => target.startsWith('cell:'));
    expect(cells).toHaveLength(view.open.length + view.workers.length + view.jungle.length);
    for (const [, scale] of cells) expect(scale).toBeGreaterThanOrEqual(0.36);
    checkPointing(state, state.active);
  });
});

describe('what a picture says', () => {
  it.each([2, 3, 4])('the water value −10, whole, with %i seats', (seats) => {
    for (const width of ['WIDE', 'NARROW'] as const) {
      const picture = draw(position({ seats }), 0, { width });
      const fields = [...picture.matchAll(/<rect [^>]*width="([\d.]+)"[^>]*\/><text [^>]*>(−\d+)<\/text>/g)];
      expect(fields).toHaveLength(3 * seats);
      for (const [, breadth, words] of fields) expect(widthOf(words!, 11)).toBeLessThan(Number(breadth));
    }
  });

  it('names, escaped and shortened', () => {
    const picture = draw(position({ seats: 4 }), 0, { width: 'NARROW' });
    expect(picture).toContain('Bo &amp; &quot;Co&quot;');
    const { texts } = read(picture);
    expect(texts.some(({ words }) => /^Margarethe von.*…$/.test(words))).toBe(true);
    for (const { words, size } of texts) expect(widthOf(words, size)).toBeLessThan(390);
  });

  it('the last action, wherever it is on the table', () => {
    const state = act(position({ hands: [['1-1-1-1']] }), 0, place('1-1-1-1', 1, 2));
    const without = draw(state, null);
    const marked = draw(state, null, { last: { seat: 0, targets: ['hand:1-1-1-1', 'cell:1,2'] } });
    const marks = (picture: string) => picture.split('stroke="#ffd23f"').length;
    expect(marks(marked)).toBe(marks(without) + 1);
  });

  it('a score sheet at the end, with the temples one by one and the cacao that breaks a tie', () => {
    const end = playOut(setUp(3, fastRng(3)), fastRng(3));
    const { texts } = read(draw(end, null));
    const words = texts.map((line) => line.words);
    for (const name of ['coins', 'sun tokens', 'water', 'gold', 'cacao left', 'rank']) expect(words).toContain(name);
    expect(words.filter((line) => line.startsWith('temple ('))).toHaveLength(5);
  });

  it('who won, also when somebody gave up', () => {
    const midway = clone(position({}));
    const result = { scores: [0, 0], ranks: [2, 1] };
    const picture = draw(midway, 0, { result, acting: [], legal: [] });
    expect(picture).toContain('Bo &amp; &quot;Co&quot; wins</title>');
    expect(picture).toContain('The match ended early: the gold is that of this moment.');
    const lines = cacao.describe!(cacao.view(midway, 0), sceneOf(midway, 0, { result }));
    expect(lines).toContain(
      'Rank 1: Bo & "Co" (B, blue) with -10 gold: 0 coins, 0 from temples, 0 from sun tokens, -10 from water; 0 cacao left.',
    );
  });
});

describe('what an action points at', () => {
  const pointed = (action: Action) => cacao.targets!(action, cacao.view(position({}), 0));

  it.each<[Action, string[]]>([
    [place('2-1-0-1', 0, 1, 1), ['hand:2-1-0-1', 'cell:0,1', 'turn:east']],
    [place('1-1-1-1', -1, 0), ['hand:1-1-1-1', 'cell:-1,0']],
    [{ type: 'fill', row: -1, col: 1, tile: 'market_3' }, ['display:market_3', 'cell:-1,1']],
    [{ type: 'harvest', row: 0, col: 1, side: 'W' }, ['cell:0,0', 'cell:0,1']],
    [{ type: 'sell', row: 0, col: 1, side: 'S', count: 2 }, ['cell:1,1', 'cell:0,1', 'count:2']],
  ])('%j', (action, expected) => {
    expect(pointed(action)).toEqual(expected);
  });
});
