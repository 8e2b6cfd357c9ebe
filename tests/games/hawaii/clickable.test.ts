/** The picture that can be clicked and the table in sentences, in random matches of every seat count and both rules. */
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { Game, Scene } from '../../../src/games/game.ts';
import { hawaii } from '../../../src/games/hawaii/index.ts';
import type { View } from '../../../src/games/hawaii/view.ts';
import { acting } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { randomMatch } from '../../../tools/random-match.ts';

const NAMES = ['Tui', 'Kealakekua Nāmaka the Navigator', '王小明 & <b>', 'Zoë', 'E'];

/** Every attribute of a kind in a picture that is well-formed XML. */
function attributes(svg: string): { ids: string[]; targets: string[] } {
  const found = { ids: [] as string[], targets: [] as string[] };
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ attributes }) => {
    if (attributes.id) found.ids.push(attributes.id.value);
    if (attributes['data-target']) found.targets.push(attributes['data-target'].value);
  });
  parser.write(svg).close();
  return found;
}

/** What a seat is shown, as a server would show it. */
function shown(
  game: Game,
  state: object,
  seats: number,
  eyes: number | null,
  width: Scene['width'],
  last: Scene['last'],
) {
  const view = game.view(state, eyes) as View;
  const lists = eyes === null ? [] : game.legal(state, eyes).map((action) => game.targets!(action, view));
  const legal = [...new Set(lists.flat())];
  const scene: Scene = {
    names: NAMES.slice(0, seats),
    acting: acting(game, state, seats),
    result: game.result(state),
    last,
    legal,
    width,
  };
  return { lists, legal, svg: game.svg(view, scene), sentences: game.describe!(view, scene) };
}

const tables = (hawaii as readonly Game[]).flatMap((game) =>
  [2, 3, 4, 5].map((seats) => ({ game, rules: game.rules, seats })),
);

describe.each(tables)('rules $rules, $seats seats', ({ game, seats }) => {
  const variants = Object.values(game.variants);

  it('every decision can be made by pointing, in both layouts, and nothing hidden shows', () => {
    const steps = new Set<string>();
    for (let seed = 1; seed <= 2; seed++) {
      let last: Scene['last'] = null;
      for (const { state, seat, action, version } of randomMatch(
        game,
        variants[seed % variants.length] as object,
        seats,
        seed,
      )) {
        const view = game.view(state, seat);
        const sets = game.legal(state, seat).map((action) => [...game.targets!(action, view)].sort().join(' '));
        expect(new Set(sets).size).toBe(sets.length);
        expect(sets).not.toContain('');
        const step = (state as { step: string }).step;
        // Pictures are slow to draw and to parse: the first one of a step, and some others.
        const before = last;
        last = { seat, targets: game.targets!(action, game.view(state, null)) };
        if (steps.has(step) && version % 20 > 0) continue;
        steps.add(step);
        const width = version % 2 === 0 ? 'WIDE' : 'NARROW';
        const { lists, legal, svg, sentences } = shown(game, state, seats, seat, width, before);
        const { ids, targets } = attributes(svg);
        expect(new Set(ids).size).toBe(ids.length);
        expect(legal.filter((name) => !targets.includes(name))).toEqual([]);
        expect(svg).not.toMatch(/undefined|NaN|\[object/);
        expect(sentences.join('\n')).not.toMatch(/undefined|NaN|\[object/);
        for (const sentence of sentences) expect(sentence.length).toBeLessThanOrEqual(200);
        const guess = game.guess(state, seat, fastRng(version));
        const other = shown(game, guess, seats, seat, width, before);
        expect([other.svg, other.sentences, other.lists]).toEqual([svg, sentences, lists]);
      }
    }
    expect(steps.size).toBeGreaterThan(5);
  });
});
