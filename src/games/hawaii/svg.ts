import type { Scene } from '../game.ts';
import { at, el, NO_SCENE, picture, text } from '../svg.ts';
import { inFocus, standing } from './describe.ts';
import { bold, ICON_SYMBOLS, INK, left } from './icons.ts';
import { beach } from './svg-beach.ts';
import { controls } from './svg-controls.ts';
import { type Block, stack, wrap } from './svg-layout.ts';
import { legend } from './svg-legend.ts';
import { indicator, MAP_WIDTH, map } from './svg-map.ts';
import { MARK_SYMBOLS, seatLetter } from './svg-marks.ts';
import { REALM_WIDTH, realm } from './svg-realm.ts';
import { sheet } from './svg-sheet.ts';
import type { View } from './view.ts';

const WIDTH = 1000;
const MARGIN = 12;
const INNER = WIDTH - 2 * MARGIN;
const NARROW = 390;
const NARROW_MARGIN = 8;
const NARROW_INNER = NARROW - 2 * NARROW_MARGIN;

/** What is the same in every picture is defined once. */
const DEFINITIONS = el('defs', {}, ...ICON_SYMBOLS, ...MARK_SYMBOLS);
const LEGENDS = { WIDE: legend(INNER, 2), NARROW: legend(NARROW_INNER, 1) };

export function svg(view: View, scene: Scene = NO_SCENE): string {
  const isNarrow = scene.width === 'NARROW';
  const all = isNarrow ? narrow(view, scene) : wide(view, scene);
  const title = `Hawaii, round ${view.round} of ${view.rounds}`;
  return picture(isNarrow ? NARROW : WIDTH, all.height, title, DEFINITIONS, all.markup);
}

/** The map with what concerns the round beside it, the beach, realms two by two. */
const wide = (view: View, scene: Scene): Block =>
  stack(MARGIN, 0, MARGIN, [
    heading(view, scene, INNER),
    mapRow(view, scene),
    beach(view, scene, INNER),
    ...pairs(view.seats.map((seat) => realm(seat, view, scene))),
    LEGENDS.WIDE,
  ]);

function mapRow(view: View, scene: Scene): Block {
  const island = map(view, scene);
  const width = INNER - MAP_WIDTH - MARGIN;
  const choices = controls(view, scene, width);
  const points = sheet(view, scene, width);
  const round = indicator(view, width);
  // What is decided now takes the place of the score sheet, so that nothing else moves.
  const isRoom = round.height + choices.height + points.height + 2 * 8 <= island.height;
  const beside = stack(0, 0, 8, [
    ...(isOver(view, scene) ? [] : [round]),
    choices,
    ...(isRoom || choices.height === 0 ? [points] : []),
  ]);
  return {
    height: Math.max(island.height, beside.height - 8),
    markup: island.markup + at(MAP_WIDTH + MARGIN, 0, beside.markup),
  };
}

const isOver = (view: View, scene: Scene): boolean => view.result !== null || scene.result !== null;

/** Two realms side by side; the last of an odd number stands in the middle. */
function pairs(realms: readonly Block[]): Block[] {
  return realms.flatMap((one, i) => {
    if (i % 2 === 1) return [];
    const next = realms[i + 1];
    if (!next) return [{ height: one.height, markup: at((INNER - REALM_WIDTH) / 2, 0, one.markup) }];
    return [{ height: one.height, markup: one.markup + at(INNER - REALM_WIDTH, 0, next.markup) }];
  });
}

/** Everything one below the other: first what is decided, then the table, the viewer's own realm before the others. */
function narrow(view: View, scene: Scene): Block {
  const own = view.seats.filter(({ seat }) => seat === view.you);
  const others = view.seats.filter(({ seat }) => seat !== view.you);
  const points = sheet(view, scene, NARROW_INNER);
  const parts = [
    heading(view, scene, NARROW_INNER),
    ...(isOver(view, scene) ? [points] : []),
    controls(view, scene, NARROW_INNER),
    map(view, scene),
    ...(isOver(view, scene) ? [] : [indicator(view, NARROW_INNER)]),
    beach(view, scene, NARROW_INNER),
    ...[...own, ...others].map((seat) => realm(seat, view, scene)),
    ...(isOver(view, scene) ? [] : [points]),
    LEGENDS.NARROW,
  ];
  return stack(NARROW_MARGIN, 0, NARROW_MARGIN, parts);
}

/** The game, the round, and who has to act or who won and why. */
function heading(view: View, scene: Scene, width: number): Block {
  const isNarrow = scene.width === 'NARROW';
  const seats = inFocus(view, scene);
  const x = (isNarrow ? 8 : 256) + seats.length * 27;
  const size = isNarrow ? 13 : 15;
  const lines = wrap(standing(view, scene), width - x - 4, size);
  const first = isNarrow ? 56 : 32;
  const bottom = Math.max(first + (lines.length - 1) * 18 + 12, first + 12);
  const markup = [
    text(4, 32, 24, 'Hawaii', { ...left, ...bold }),
    text(112, 32, 15, `round ${view.round} of ${view.rounds}`, left),
    ...seats.map((seat, i) => seatLetter(seat, (isNarrow ? 16 : 262) + i * 27, first - 5, 11)),
    ...lines.map((line, i) => text(x, first + i * 18, size, line, { ...left, fill: INK })),
    el('path', { d: `M0 ${bottom}H${width}`, stroke: '#cdb277', 'stroke-width': 1.2 }),
  ];
  return { height: bottom, markup: markup.join('') };
}
