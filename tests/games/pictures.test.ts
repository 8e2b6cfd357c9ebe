/** What every picture owes to a page that shows it: text that can be read, and ids by which pieces are followed. */
import { describe, expect, it } from 'vitest';
import type { Game, Scene } from '../../src/games/game.ts';
import { registry } from '../../src/games/registry.ts';
import { randomMatch, type Step } from '../../tools/random-match.ts';
import { sceneOf } from '../../tools/scene.ts';

const NAMES = ['Moana', 'Easy bot', 'Christopher', 'Łukasz', 'Wilhelmina'];

/** The smallest text: a page shows a wide picture at least 928 pixels wide and a narrow one 390, which gives 11 pixels. */
const SMALLEST = { WIDE: 12 / 1000, NARROW: 11 / 390 };

interface Drawn {
  width: number;
  /** Font sizes in units of the picture, each with its words. */
  texts: [size: number, words: string][];
  /** Every id, with the markup inside of it, without the numbers of its places and sizes. */
  things: Map<string, string>;
  repeated: string[];
}

const PLACES = / (transform|x|y|cx|cy|width|height|font-size)="[^"]*"/g;
const TAG = /<(\/?)([a-z]+)([^>]*?)(\/?)>([^<]*)/gi;

const attribute = (name: string, attributes: string): string =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';

const scaleOf = (attributes: string): number =>
  [...attribute('transform', attributes).matchAll(/scale\(([\d.]+)/g)].reduce((all, [, n]) => all * Number(n), 1);

/** Reads a picture quickly, as there are many. Texts inside symbols count where they are used, as large as they are used. */
function read(svg: string): Drawn {
  const drawn: Drawn = { width: 0, texts: [], things: new Map(), repeated: [] };
  const symbols = new Map<string, { box: number; texts: Drawn['texts'] }>();
  const open: { scale: number; id: string; from: number }[] = [];
  let into = drawn.texts;
  for (const { index, 0: tag, 1: closes, 2: name, 3: attributes = '', 4: empty, 5: words = '' } of svg.matchAll(TAG)) {
    if (closes) {
      const { id, from } = open.pop()!;
      if (name === 'symbol') into = drawn.texts;
      if (id && drawn.things.has(id)) drawn.repeated.push(id);
      if (id.startsWith('p-')) drawn.things.set(id, svg.slice(from, index).replace(PLACES, ''));
      else if (id) drawn.things.set(id, '');
      continue;
    }
    const scale = (open.at(-1)?.scale ?? 1) * (attributes.includes('scale(') ? scaleOf(attributes) : 1);
    if (!empty) open.push({ scale, id: attribute('id', attributes), from: index + tag.length - words.length });
    if (name === 'text') into.push([Number(attribute('font-size', attributes)) * scale, words]);
    if (name !== 'svg' && name !== 'symbol' && name !== 'use') continue;
    const box = Number(attribute('viewBox', attributes).split(' ')[2]);
    if (name === 'svg') drawn.width = box;
    if (name === 'symbol') {
      into = [];
      symbols.set(`#${attribute('id', attributes)}`, { box, texts: into });
    }
    const href = attribute('href', attributes);
    const used = name === 'use' ? symbols.get(href) : undefined;
    const times = (scale * Number(attribute('width', attributes))) / (used?.box ?? 1);
    for (const [size, text] of used?.texts ?? []) into.push([size * times, `${text} of ${href}`]);
  }
  return drawn;
}

/** The sheets of Hashi are passed on once, before the first card, with the numbers on them. */
const PASSED = /^p-number-\d+-seat-/;

interface Look {
  state: object;
  step: Step | undefined;
}

/** The positions of a random match. */
function positions(game: Game, seats: number): Look[] {
  const match = randomMatch(game, Object.values(game.variants)[0]!, seats, 11);
  const looks: Look[] = [];
  let before: Step | undefined;
  for (let next = match.next(); ; next = match.next()) {
    looks.push({ state: next.done ? next.value : next.value.state, step: before });
    if (next.done) return looks;
    before = next.value;
  }
}

function drawing(game: Game, seats: number, { state, step }: Look, eyes: number | null, width: Scene['width']): Drawn {
  const scene = sceneOf(game, { state, seats, eyes, step }, { width, names: NAMES.slice(0, seats) });
  return read(game.svg(game.view(state, eyes), scene));
}

const tables = registry.games.flatMap((game) =>
  [...new Set([game.seats.min, game.seats.max])].map((seats): [string, number, Game] => [game.id, seats, game]),
);

describe.each(tables)('pictures of %s with %i seats', (_id, seats, game) => {
  it('have no small text', () => {
    const small = new Set<string>();
    const all = positions(game, seats);
    for (const [i, look] of all.entries()) {
      if (i % 15 > 0 && i < all.length - 1) continue;
      for (const width of ['WIDE', 'NARROW'] as const) {
        for (const eyes of [seats - 1, null]) {
          const { texts, width: whole } = drawing(game, seats, look, eyes, width);
          for (const [size, words] of texts)
            if (!(size / whole > SMALLEST[width] - 1e-5)) small.add(`${width} ${words}: ${size} of ${whole}`);
        }
      }
    }
    expect([...small]).toEqual([]);
  });

  it('give each thing an id of its own, which it keeps', () => {
    const found = new Set<string>();
    const all = positions(game, seats).slice(0, 90);
    let before = new Map<string, string>();
    for (const look of all) {
      const { things, repeated } = drawing(game, seats, look, 0, 'WIDE');
      for (const id of repeated) found.add(`twice: ${id}`);
      const isNew = ([id]: [string, string], old: Map<string, string>) => id.startsWith('p-') && !old.has(id);
      const come = [...things].filter((thing) => isNew(thing, before));
      const gone = [...before].filter((thing) => isNew(thing, things));
      // Whatever disappears while the same drawing appears elsewhere has moved, and must be followed.
      for (const [id, drawn] of gone)
        for (const [other, same] of come)
          if (drawn === same && !PASSED.test(id)) found.add(`${id} has become ${other}`);
      before = things;
    }
    expect([...found]).toEqual([]);
  });
});
