import { at, text } from '../svg.ts';
import { TILE_NAMES, TILES, type Tile } from './data.ts';
import { bold, type Icon, icon, left, panel } from './icons.ts';
import { type Block, wrap } from './svg-layout.ts';

/** What each tile does, on side I and on side II. */
export const TILE_EFFECTS: Record<Tile, string> = {
  shellHut: '1 shell after each round but the last; II: 2 shells',
  footHut: '1 foot after each round but the last; II: 2 feet',
  spearHut: '1 point for each token with spears that you take; II: 2 points',
  exchangeHut: 'once a turn one unit of a payment may be any other resource; II: two units of one payment',
  longHut: 'makes a village longer; II: also 5 points at the end',
  irrigation:
    '1, 3, 6 or 10 points at the end for 1 to 4 fruit tiles in its village; II: also a shell, foot or fruit after each round but the last',
  hula: '1 point at the end for each tile of its village, itself and the printed hut included; II: 2 points',
  breadfruit: '1 fruit after each round but the last; II: 2 fruit',
  taro: 'as breadfruit',
  coconut: 'as breadfruit',
  banana: 'as breadfruit',
  boat: 'carries 3 feet; II: carries 4, one of which is printed on it, if at least one is paid',
  surfer: 'lowers the sum that you need by 2; II: by 4',
  kahuna: 'scores its points at the end if the village beside it scores',
  tiki: 'a village scores at the end only if it reaches a tiki; tikis are placed from right to left',
  ku: '1 point for each token with spears and 1 foot after each round; II: 2 points',
  kane: '1 shell after each round, and when bought a tiki for any 2 resources; II: 2 shells',
  pele: 'a walk costs at most 2 feet; II: at most 1',
  lono: '2 points in each round in which you reach the sum; II: 4 points',
  laka: '1 point at the end for each fruit on your fruit tiles; II: 2 points',
  kanaloa: '2 points at the end for each boat and each surfer; II: 4 points',
};

const RESOURCES: [Icon, string, string][] = [
  ['shells', 'shells', 'pay for tiles'],
  ['feet', 'feet', 'pay for walks, fishing and islands'],
  ['fruit', 'fruit', 'pays for anything, but a payment is never mixed without an exchange hut'],
];

const SIZE = 12;
const LINE = 15;

/** What the pictures mean and what tiles do. */
export function legend(width: number, columns: number): Block {
  const entries: [Icon, string, string][] = [
    ...RESOURCES,
    ...TILES.map((tile): [Icon, string, string] => [tile, TILE_NAMES[tile], TILE_EFFECTS[tile]]),
  ];
  const column = width / columns;
  const drawn = entries.map(([name, word, does]) => entry(name, word, does, column - 24));
  const half = drawn.reduce((sum, { height }) => sum + height, 0) / columns;
  const parts: string[] = [];
  let [x, y, tallest] = [12, 34, 0];
  for (const { height, markup } of drawn) {
    if (y - 34 >= half && x + column < width) [x, y] = [x + column, 34];
    parts.push(at(x, y, markup));
    y += height;
    tallest = Math.max(tallest, y);
  }
  const title = text(12, 22, 13, 'What tiles do', { ...left, ...bold });
  return { height: tallest + 6, markup: panel(0, 0, width, tallest + 6, '#fbf6ea') + title + parts.join('') };
}

function entry(name: Icon, word: string, does: string, width: number): Block {
  const lines = wrap(`${word}: ${does}`, width - 28, SIZE * 0.93);
  const words = lines.map((line, i) => text(26, 11 + i * LINE, SIZE, line, left));
  return { height: Math.max(26, lines.length * LINE + 6), markup: icon(name, -3, -5, 24) + words.join('') };
}
