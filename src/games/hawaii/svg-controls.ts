import type { Scene } from '../game.ts';
import { at, el, target, text, widthOf } from '../svg.ts';
import { BOAT_NAMES, BOAT_ROOM, BOATS, type Boat, KANE_COST, TILE_NAMES, type Tile } from './data.ts';
import { question } from './describe.ts';
import { bold, type Icon, INK, icon, left, panel } from './icons.ts';
import { type Block, NOTHING, wrap } from './svg-layout.ts';
import { TILE_EFFECTS } from './svg-legend.ts';
import { fishMark, tokenMark } from './svg-marks.ts';
import type { View } from './view.ts';

/** A button: what it is in words, for those who cannot see it, and how it is drawn in a box 40 high. */
interface Control {
  name: string;
  title: string;
  desc?: string;
  width: number;
  markup: string;
}

const HEIGHT = 40;
const GAP = 6;
const SIZE = 14;

const ONE = { shells: 'shell', feet: 'foot', fruit: 'fruit' };
const amount = (n: string, resource: keyof typeof ONE): string => `${n} ${n === '1' ? ONE[resource] : resource}`;

const worded = (name: string, title: string, picture: Icon, words = title, desc?: string): Control => ({
  name,
  title,
  ...(desc ? { desc } : {}),
  width: widthOf(words, SIZE) + 46,
  markup: icon(picture, 8, 9, 22) + text(36, 25, SIZE, words, { ...left, fill: INK }),
});

const plain = (name: string, words: string): Control => ({
  name,
  title: words,
  width: widthOf(words, SIZE) + 22,
  markup: text(11, 25, SIZE, words, { ...left, fill: INK }),
});

function tokenControl(name: string, code: string): Control {
  const token = { value: Number.parseInt(code, 10), spear: code.endsWith('s') };
  const title = `price token ${token.value}${token.spear ? ' with spears' : ''}`;
  return { name, title, width: 48, markup: tokenMark(token, 24, 20, 13) };
}

function boatControl(name: string, boat: Boat, count: string): Control {
  const room = BOAT_ROOM[BOATS.indexOf(boat)]!;
  const words = boat === 'fishing' ? BOAT_NAMES[boat] : `${count} × ${BOAT_NAMES[boat]}`;
  return worded(name, `${words}, room ${room}`, boat === 'fishing' ? 'fishing' : 'boat', words);
}

const isPair = (view: View): boolean => {
  const place = view.places.find(({ place }) => place === view.seats[view.turn?.seat ?? 0]!.chief);
  return place?.sells.some(({ tile }) => tile === 'kahuna' || tile === 'tiki') ?? false;
};

/** The button of a target, which is given in its parts: pay:feet:2. */
function control(name: string, view: View): Control | null {
  const [kind, what = '', count = ''] = name.split(':');
  if (name === 'pay:nothing') return plain(name, 'nothing');
  if (kind === 'pay')
    return worded(name, `pay ${amount(count, what as 'feet')}`, what as Icon, amount(count, what as 'feet'));
  if (kind === 'tile')
    return worded(name, TILE_NAMES[what as Tile], what as Tile, undefined, TILE_EFFECTS[what as Tile]);
  if (kind === 'token') return tokenControl(name, what);
  if (kind === 'side' && isPair(view)) return plain(name, what === '1' ? 'one' : 'two, for the double price');
  if (kind === 'side') return plain(name, what === '1' ? 'side I' : 'side II, for the double price');
  if (kind === 'fish') {
    const title = `${count} ${count === '1' ? 'token' : 'tokens'} with ${what} fish`;
    const words = text(40, 25, SIZE, `×${count}`, { ...left, fill: INK });
    return { name, title, width: 70, markup: fishMark(Number(what), 21, 20, 14) + words };
  }
  if (kind === 'boats') return boatControl(name, what as Boat, count);
  if (kind === 'income') return worded(name, amount('1', what as 'feet'), what as Icon);
  return null;
}

/** The caption above the buttons of a kind. */
const CAPTIONS: Record<string, string> = {
  pay: 'Payment',
  tile: 'Tile',
  token: 'Price token',
  side: 'Side',
  fish: 'Tokens by fish',
  boats: 'Boats',
  income: 'Take',
};
/** What to click when the possible actions are on the table itself. */
const HINTS: Partial<Record<View['step'], string>> = {
  turn: 'Choose a place to buy at, the bay, an island at a dock, or a space of the order track to pass.',
  build: 'Choose a village of your realm.',
};

function hintOf(view: View, scene: Scene): string {
  const owed = view.step === 'kane' ? KANE_COST : (view.turn?.owed?.amount ?? 0);
  const isMixed = scene.legal.some((name) => name.startsWith('pay:') && Number(name.split(':')[2]) < owed);
  return isMixed ? 'A mixed payment is chosen part by part.' : (HINTS[view.step] ?? '');
}

/** What the viewer decides now if it is not a thing on the table: payments, tiles and tokens to buy, boats, income. */
export function controls(view: View, scene: Scene, width: number): Block {
  if (scene.legal.length === 0) return NOTHING;
  const rows = Object.keys(CAPTIONS).flatMap((key) => {
    const names = scene.legal.filter((name) => name.split(':')[0] === key);
    return names.length > 0 ? [row(CAPTIONS[key]!, names, view, width - 20)] : [];
  });
  const title = wrap(question(view), width - 24, SIZE);
  const hint = wrap(hintOf(view, scene), width - 24, 12);
  let y = 12 + title.length * 18;
  const parts = title.map((line, i) => text(12, 22 + i * 18, SIZE, line, { ...left, ...bold }));
  for (const line of hint.filter((line) => line !== '')) {
    parts.push(text(12, y + 12, 12, line, left));
    y += 16;
  }
  for (const block of rows) {
    parts.push(at(10, y, block.markup));
    y += block.height;
  }
  return { height: y + 6, markup: panel(0, 0, width, y + 6, '#fff7e0', INK) + parts.join('') };
}

const ORDER = ['shells', 'feet', 'fruit', 'nothing', 'fishing', 'I', 'II', '3', '2', '1'];

/** Sorted by kind and, within a kind, by amount. Tiles, tokens and sides stay in the order of the rules. */
function inOrder(names: readonly string[]): string[] {
  const rank = (name: string): number => {
    const [, what = '', count = '0'] = name.split(':');
    return 100 * ORDER.indexOf(what) + Number(count);
  };
  return names.some((name) => name.split(':').length === 3) ? [...names].sort((a, b) => rank(a) - rank(b)) : [...names];
}

/** A caption and its buttons, in as many lines as they need. */
function row(caption: string, names: readonly string[], view: View, width: number): Block {
  const parts = [text(2, 16, 12, caption, left)];
  let [x, y] = [0, 22];
  for (const name of inOrder(names)) {
    const drawn = control(name, view);
    if (!drawn) continue;
    if (x > 0 && x + drawn.width > width) [x, y] = [0, y + HEIGHT + GAP];
    parts.push(at(x, y, button(drawn)));
    x += drawn.width + GAP;
  }
  return { height: y + HEIGHT + GAP, markup: parts.join('') };
}

const button = ({ name, title, desc, width, markup }: Control): string =>
  target(
    name,
    title,
    desc ? { desc } : {},
    el('rect', { width, height: HEIGHT, rx: 8, fill: '#fffdf7', stroke: INK, 'stroke-width': 1.4 }),
    markup,
  );
