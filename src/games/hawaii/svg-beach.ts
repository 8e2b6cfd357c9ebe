import type { Scene } from '../game.ts';
import { at, el, target, text } from '../svg.ts';
import { DOCKS, ISLAND_NAMES, type Island } from './data.ts';
import { bold, type Icon, INK, icon, left, PAPER, panel, SOFT } from './icons.ts';
import { type Block, isLast, isLastChief, lastFrame, seatName } from './svg-layout.ts';
import { chiefMark, fishMark, seatLetter, tokenMark } from './svg-marks.ts';
import type { View } from './view.ts';

const ISLAND_ICONS: Record<Island, [Icon, string]> = {
  points: ['points', '5'],
  kahunas: ['kahuna', '×2'],
  footHut: ['footHut', 'II'],
  shellHut: ['shellHut', 'II'],
  hula: ['hula', 'II'],
  anyFruit: ['breadfruit', 'II'],
  surfer: ['surfer', 'II'],
  tikis: ['tiki', '×2'],
  fruit: ['fruit', '×4'],
};

const SAND = '#f3dfb0';
const SAND_EDGE = '#cdb277';

/** The beach: chiefs, the order track, the docks with their islands, the bay. */
export function beach(view: View, scene: Scene, width: number): Block {
  if (scene.width === 'NARROW') {
    const parts = [
      panel(0, 0, width, 506, SAND, SAND_EDGE),
      at(8, 8, resting(view, scene, width - 16)),
      at(8, 54, track(view, scene, 72)),
      at(8, 208, docks(view, scene, 86, 4)),
      at(8, 370, bay(view, scene, width - 16, 9)),
    ];
    return { height: 506, markup: parts.join('') };
  }
  const parts = [
    panel(0, 0, width, 190, SAND, SAND_EDGE),
    at(12, 8, resting(view, scene, 302)),
    at(12, 50, track(view, scene, 61)),
    at(336, 16, docks(view, scene, 97, 6)),
    at(762, 16, bay(view, scene, width - 776, 5)),
  ];
  return { height: 190, markup: parts.join('') };
}

/** The chiefs on the sand; going back there to rest is a turn. */
function resting(view: View, scene: Scene, width: number): string {
  const chiefs = view.seats.filter(({ chief }) => chief === 'beach').map(({ seat }) => seat);
  const area = target(
    'beach',
    'The beach',
    { desc: 'A chief who comes back from a place may rest here for a turn, free of charge.' },
    el('rect', { width, height: 38, rx: 8, fill: '#f8ebc9', stroke: SAND_EDGE }),
    text(10, 24, 12.5, 'On the beach', { ...left, ...bold }),
    isLast(scene, 'beach') || isLastChief(scene, chiefs) ? lastFrame(0, 0, width, 38) : '',
  );
  return area + chiefs.map((seat, i) => chiefMark(seat, 126 + i * 32, 19, 11)).join('');
}

const SPACE = { height: 134, rx: 7 };
const dashes = { 'stroke-dasharray': '3 2.5' };

/** Five spaces: who moves when, the token, and below it the chief who has passed. Those beyond the seats are not used. */
function track(view: View, scene: Scene, pitch: number): string {
  const width = pitch - 5;
  const used = view.track.map((space, i) => at(i * pitch, 0, trackSpace(space, scene, width)));
  const unused = el('rect', { ...SPACE, width, fill: 'none', stroke: SAND_EDGE, ...dashes });
  const free = Array.from({ length: 5 - used.length }, (_, i) => at((used.length + i) * pitch, 0, unused));
  return [...used, ...free].join('');
}

function trackSpace({ space, seat, token, passed }: View['track'][number], scene: Scene, width: number): string {
  const middle = width / 2;
  const name = `space:${space}`;
  const takes = token ? `, with a token ${token.value}${token.spear ? ' with spears' : ''}` : ', without a token';
  const drawn = target(
    name,
    `Space ${space} of the order track`,
    { desc: `${seatName(scene, seat)} moves at this place in this round. Whoever passes takes a free space${takes}.` },
    el('rect', { ...SPACE, width, fill: '#e7cd92', stroke: '#b79c5f' }),
    el('rect', { x: 6, y: 92, width: width - 12, height: 36, rx: 6, fill: PAPER, stroke: '#b79c5f', ...dashes }),
    text(11, 18, 13, space, bold),
    seatLetter(seat, middle + 7, 24, 11),
    token ? tokenMark(token, middle, 66, 13) : '',
    passed === null ? text(middle, 114, 12, 'pass', { fill: SOFT }) : '',
    isLast(scene, name) ? lastFrame(0, 0, width, SPACE.height) : '',
  );
  return drawn + (passed === null ? '' : chiefMark(passed, middle, 110, 11));
}

const docks = (view: View, scene: Scene, width: number, gap: number): string =>
  view.docks.map((dock, i) => at(i * (width + gap + 1), 0, dockOf(dock, view, scene, width, i))).join('');

function dockOf({ dock, island }: View['docks'][number], view: View, scene: Scene, width: number, i: number): string {
  const { feet, points } = DOCKS[i]!;
  const name = `dock:${dock}`;
  const middle = width / 2;
  const desc = `${island === null ? 'visited in this round' : ISLAND_NAMES[island]}; ${feet} feet, ${points} points`;
  return target(
    name,
    `Dock ${dock}`,
    { desc },
    el('rect', { width, height: 120, rx: 8, fill: '#b9dbe6', stroke: '#7fa9b8' }),
    el('rect', { y: 120, x: 3, width: width - 6, height: 34, rx: 4, fill: '#d2ab77', stroke: '#8a6435' }),
    text(13, 142, 13, dock, bold),
    icon('feet', middle - 24, 128, 17),
    text(middle - 6, 142, 13, feet, { ...left, ...bold }),
    icon('points', middle + 8, 129, 15),
    text(middle + 25, 142, 13, points, { ...left, ...bold }),
    island === null ? text(middle, 64, 12, 'visited', { fill: '#33505c' }) : islandCard(island, width, view),
    isLast(scene, name) ? lastFrame(0, 0, width, 154) : '',
  );
}

function islandCard(island: Island, width: number, view: View): string {
  const [name, mark] = ISLAND_ICONS[island];
  const middle = width / 2;
  // There are two islands with points: only a single one can be followed by its name.
  const isAlone = view.docks.filter((dock) => dock.island === island).length === 1;
  return el(
    'g',
    { id: isAlone ? `p-island-${island}` : undefined },
    el('ellipse', {
      cx: middle,
      cy: 48,
      rx: middle - 5,
      ry: 35,
      fill: '#e2eccb',
      stroke: '#7f9d57',
      'stroke-width': 1.5,
    }),
    icon(name, middle - 25, 29, 37),
    text(middle + 14, 58, 15, mark, { ...left, ...bold }),
    text(middle, 106, 12, ISLAND_NAMES[island].replace(/ II$/, ''), bold),
  );
}

function bay(view: View, scene: Scene, width: number, columns: number): string {
  const down = `Islands to come: ${view.islands.faceDown} face down`;
  const up = `${view.islands.faceUp.length} visited under them`;
  const fish = view.bay.join(', ');
  const height = columns > 5 ? 108 : 120;
  return [
    target(
      'bay',
      'The bay',
      { desc: view.bay.length > 0 ? `Tokens with this many fish: ${fish}` : 'There are no fish.' },
      el('rect', { width, height, rx: 8, fill: '#a5d0df', stroke: '#5d93a8' }),
      text(12, 20, 12.5, 'Bay', { ...left, ...bold }),
      view.bay.length === 0 ? text(width / 2, 68, 12, 'no fish', { fill: INK }) : '',
      ...view.bay.map((fish, i) => fishMark(fish, 24 + (i % columns) * 38, 48 + Math.floor(i / columns) * 40, 16)),
      isLast(scene, 'bay') ? lastFrame(0, 0, width, height) : '',
    ),
    ...(columns > 5 ? [`${down}, ${up}`] : [`${down},`, up]).map((line, i) =>
      text(0, height + 18 + i * 15, 12, line, left),
    ),
  ].join('');
}
