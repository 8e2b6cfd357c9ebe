/** The table that can be clicked and read: targets, both layouts and the sentences, on random matches. */
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Scene, Seat } from '../../../src/games/game.ts';
import type { Action } from '../../../src/games/haleakala/actions.ts';
import { haleakala2 as haleakala } from '../../../src/games/haleakala/index.ts';
import type { Options, State } from '../../../src/games/haleakala/state.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { NO_SCENE } from '../../../src/games/svg.ts';

const NAMES = ['Tui', 'Ngā Tāngata <o> te Whenua & Moana 5'];
const targetsOf = (list: Action[], state: State, seat: Seat | null): string[][] => {
  const view = haleakala.view(state, seat);
  return list.map((action) => haleakala.targets!(action, view));
};

interface Seen {
  state: State;
  list: Action[];
  last: Scene['last'];
}

/** Every state of a random match. */
function* matchOf(options: Options, seed: number): Generator<Seen> {
  const rng = fastRng(seed);
  const state = haleakala.setup(options, 2, rng);
  let last: Scene['last'] = null;
  for (;;) {
    const seat = state.actor;
    const list = haleakala.legal(state, seat);
    yield { state, list, last };
    if (list.length === 0) return;
    const action = rng.pick(list);
    last = { seat, targets: targetsOf([action], state, seat)[0]! };
    haleakala.apply(state, seat, action, rng);
  }
}

function sceneOf({ state, list, last }: Seen, width: Scene['width'], you: Seat | null): Scene {
  const result = haleakala.result(state);
  const legal = you === state.actor ? [...new Set(targetsOf(list, state, you).flat())] : [];
  return { names: NAMES, acting: result ? [] : [state.actor], result, last, legal, width };
}

/** Targets, ids and the size of every text in pixels when the picture is shown this wide; throws when it is no XML. */
function read(svg: string, shownWidth: number) {
  const found = { targets: [] as string[], untitled: [] as string[], ids: [] as string[], sizes: [] as number[] };
  const scales: number[] = [];
  const open: string[] = [];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const around = scales.at(-1) ?? 1;
    const own = /scale\(([\d.]+)\)/.exec(attributes.transform ?? '')?.[1];
    const first = name === 'svg' ? shownWidth / Number(attributes.viewBox!.split(' ')[2]) : Number(own ?? 1);
    scales.push(around * first);
    if (attributes.id) found.ids.push(attributes.id);
    if (attributes['data-target']) found.targets.push(attributes['data-target']);
    if (name === 'text') found.sizes.push(Number(attributes['font-size']) * around);
    const parent = open.at(-1);
    if (parent?.startsWith('target ') && name !== 'title') found.untitled.push(parent);
    if (parent?.startsWith('target ')) open[open.length - 1] = 'seen';
    open.push(attributes['data-target'] ? `target ${attributes['data-target']}` : name);
  });
  parser.on('closetag', () => {
    scales.pop();
    open.pop();
  });
  parser.write(svg).close();
  return found;
}

const variants = Object.entries(haleakala.variants);

describe.each(variants)('the table that can be clicked (%s)', (_name, options) => {
  it('gives every action of a list its own set of targets, for its seat and for a spectator alike', () => {
    const found: string[] = [];
    for (let seed = 0; seed < 5; seed++) {
      for (const { state, list } of matchOf(options, seed)) {
        const sets = targetsOf(list, state, state.actor).map((set) => set.join(' '));
        if (new Set(sets.map((set) => set.split(' ').sort().join())).size < list.length) found.push(`twice in ${sets}`);
        const seen = targetsOf(list, state, null).map((set) => set.join(' '));
        if (seen.join() !== sets.join()) found.push(`a spectator sees ${seen}`);
        found.push(...sets.filter((set) => set.split(' ').length > 3).map((set) => `many clicks: ${set}`));
      }
    }
    expect(found).toEqual([]);
  });

  it.each(['WIDE', 'NARROW'] as const)('shows every target in the picture (%s)', (width) => {
    let n = 0;
    for (const seen of matchOf(options, 3)) {
      if (n++ % 16 > 0 && seen.list.length > 0) continue;
      for (const you of [seen.state.actor, null]) {
        const scene = sceneOf(seen, width, you);
        const svg = haleakala.svg(haleakala.view(seen.state, you), scene);
        const { targets, untitled, ids, sizes } = read(svg, width === 'WIDE' ? 1280 : 390);
        expect(scene.legal.filter((target) => !targets.includes(target))).toEqual([]);
        expect(new Set(targets).size).toBe(targets.length);
        expect(new Set(ids).size).toBe(ids.length);
        expect(untitled).toEqual([]);
        expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
        expect(svg).not.toMatch(/undefined|NaN|null/);
      }
    }
  });

  it('is described in short sentences without gaps', () => {
    const found: string[] = [];
    for (const seen of matchOf(options, 4)) {
      for (const you of [seen.state.actor, null]) {
        const view = haleakala.view(seen.state, you);
        const sentences = haleakala.describe!(view, sceneOf(seen, 'WIDE', you));
        if (sentences.length < 12) found.push(`only ${sentences}`);
        for (const sentence of sentences) {
          const gap = /undefined|NaN|null|\[object/.test(sentence);
          if (gap || sentence.length > 200 || !/^[A-Z0-9].*\.$/.test(sentence)) found.push(sentence);
        }
      }
    }
    expect(found).toEqual([]);
  });
});

describe('the scene', () => {
  const state = haleakala.setup(haleakala.variants.base!, 2, fastRng(1));
  const view = haleakala.view(state, 0);
  const scene = { ...NO_SCENE, names: NAMES, acting: [state.actor] };

  it('brings the names, cut where they are too long and escaped', () => {
    const svg = haleakala.svg(view, scene);
    expect(svg).toContain('>Tui<');
    expect(svg).toContain('Ngā Tāngata &lt;o&gt;');
    expect(svg).toContain('…');
    expect(haleakala.svg(view)).toContain('>A<');
  });

  it('marks what the last action was about and nothing else', () => {
    const marks = (targets: string[]) =>
      haleakala.svg(view, { ...scene, last: { seat: 0, targets } }).split('stroke="#7b2cbf"').length - 1;
    expect(marks([])).toBe(0);
    expect(marks(['disc:A3'])).toBe(1);
    expect(marks(['disc:A3', 'beach:4'])).toBe(2);
    expect(marks(['boat', 'card:4-1', 'board:butterflies', 'crater:0', 'forest:3'])).toBe(5);
    expect(marks(['stay', 'decline'])).toBe(0);
  });

  it('knows better than the table who has won', () => {
    const result = { scores: [0, 0], ranks: [1, 2] };
    for (const width of ['WIDE', 'NARROW'] as const) {
      expect(haleakala.svg(view, { ...scene, width, acting: [], result })).toContain('wins before the last scoring');
    }
    expect(haleakala.describe!(view, { ...scene, result })[2]).toBe('Tui (A, red) wins before the last scoring.');
  });

  it('has buttons for what the viewer may do and the table does not show', () => {
    expect(haleakala.svg(view, scene)).not.toContain('data-target="stay"');
    expect(haleakala.svg(view, { ...scene, legal: ['stay'] })).toContain('data-target="stay"');
  });
});
