import { type Attributes, el, group, text } from '../svg.ts';

export const INK = '#2b2118';
export const SOFT = '#5c5142';
export const FAINT = '#8b7d6b';
export const PAPER = '#fffdf7';

const line = (d: string, stroke = INK, width = 1.6): string =>
  el('path', { d, fill: 'none', stroke, 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' });
const shape = (d: string, fill: string, width = 1.4): string =>
  el('path', { d, fill, stroke: INK, 'stroke-width': width, 'stroke-linejoin': 'round' });
const dot = (cx: number, cy: number, r: number, fill: string, width = 0): string =>
  el('circle', { cx, cy, r, fill, stroke: width > 0 ? INK : undefined, 'stroke-width': width || undefined });
const small = (x: number, y: number, scale: number, markup: string): string =>
  group({ transform: `translate(${x} ${y}) scale(${scale})` }, markup);

const SHELL =
  shape('M12 21C4 18 1 10 5 6C9 2 15 2 19 6C23 10 20 18 12 21Z', '#f3b9a2') +
  line('M12 20L6.5 6.5M12 20L10 4.5M12 20L14 4.5M12 20L17.5 6.5', INK, 1);
const FOOT =
  el('ellipse', { cx: 12, cy: 15.5, rx: 5, ry: 6.5, fill: '#7b4f32' }) +
  [
    [6, 8.4, 1.5],
    [8.6, 5.6, 1.7],
    [12, 4.4, 1.9],
    [15.4, 5.6, 1.7],
    [18, 8.4, 1.5],
  ]
    .map(([x, y, r]) => dot(x!, y!, r!, '#7b4f32'))
    .join('');
const FRUIT =
  dot(12, 14, 7.5, '#74ad3f', 1.4) + shape('M12 7C12 3 16 1.5 19 2.5C18.5 6 15.5 7.5 12 7Z', '#3f7d2a', 1.2);
const SPEARS = line('M3 21L20 4M21 21L4 4', INK, 1.8) + shape('M20 4L15.5 5L19 8.5ZM4 4L8.5 5L5 8.5Z', '#d9d9d9', 1.2);
const hut = (inside: string): string =>
  shape('M4.5 11H19.5V22H4.5Z', '#f7e6c4') + shape('M1 12L12 2L23 12Z', '#c2844a') + inside;
const god = (letters: string): string =>
  shape('M1.5 1.5H22.5L23.5 8C23.5 16 18 20.5 12 23.5C6 20.5 0.5 16 0.5 8Z', '#5d4691') +
  text(12, 15.5, 14.5, letters, { fill: '#ffffff', 'font-weight': 700 });

/** Every icon in a box of 24 by 24. */
const ICONS = {
  shells: SHELL,
  feet: FOOT,
  fruit: FRUIT,
  spears: SPEARS,
  shellHut: hut(small(6.6, 11.4, 0.45, SHELL)),
  footHut: hut(small(6.6, 11.2, 0.45, FOOT)),
  spearHut: hut(small(6.8, 11.6, 0.43, SPEARS)),
  exchangeHut: hut(line('M7 15H16M13.6 13L16.2 15L13.6 17M17 19H8M10.4 17.2L7.8 19L10.4 21', INK, 1.3)),
  longHut:
    shape('M2 11H22V20H2Z', '#f7e6c4') +
    shape('M0.7 11L5 4H19L23.3 11Z', '#c2844a') +
    line('M6 20V14M12 20V14M18 20V14', INK, 2.4),
  printedHut: shape('M5 12H19V22H5Z', '#e9e2d3') + shape('M2 12.5L12 4L22 12.5Z', '#b9ab92'),
  irrigation:
    line('M2 8Q5 4 8 8T14 8T22 8', '#2f6f9f', 2.4) +
    line('M2 14Q5 10 8 14T14 14T22 14', '#2f6f9f', 2.4) +
    line('M2 20Q5 16 8 20T14 20T22 20', '#2f6f9f', 2.4),
  hula:
    dot(12, 4.5, 2.8, '#9a6a45', 1.2) +
    line('M12 8V13M12 9.5L5.5 7L3 9.5M12 9.5L18.5 11L21 8', INK, 2) +
    shape('M9.5 12.5H14.5L19 22H5Z', '#9fbf4a') +
    line('M10 15L8 22M12 15V22M14 15L16 22', INK, 1),
  breadfruit:
    shape('M12 3C19 3 21 9 20.5 13C20 19 16 22 12 22C8 22 4 19 3.5 13C3 9 5 3 12 3Z', '#c4d46a') +
    line('M7 8L17 18M12 5L20 13M4.5 12L12 20M17 8L7 18M12 5L4.5 12M20 13L12 20', INK, 0.9) +
    line('M12 3V0.8', INK, 2),
  taro:
    shape('M12 22C6 17 2 13 3 8C4 4 8 3 12 7C16 3 20 4 21 8C22 13 18 17 12 22Z', '#5f9a58') +
    line('M12 22V8M12 14L7 9M12 14L17 9', INK, 1.1),
  coconut:
    dot(12, 12, 9.5, '#7b4f32', 1.4) +
    dot(9, 9, 1.7, '#20140c') +
    dot(15, 9, 1.7, '#20140c') +
    dot(12, 14, 1.7, '#20140c'),
  banana:
    shape('M4 4C4 14 10 20 20 20C21 20 22.5 18.5 21 17.5C14 16.5 9 11 7.5 3.5C7 2 4 2.5 4 4Z', '#f2ce4b') +
    line('M6 7C7.5 13 12 17.5 18.5 18.7', INK, 0.9),
  boat:
    shape('M1 15H23C22 20 19 22 15 22H8C4 22 2 20 1 15Z', '#a5673f') +
    line('M11 15V2', INK, 1.8) +
    shape('M12.5 3C19 5 20 10 20 13H12.5Z', '#ffffff'),
  fishing:
    shape('M1 12C5 14 19 14 23 12C22 17 18 19 12 19C6 19 2 17 1 12Z', '#d6a36c') +
    line('M8 12.5L4 4M8 12.5L12.5 21.5', INK, 1.8),
  surfer:
    line('M1 20Q5 15 9 19T17 19T23 18', '#2f6f9f', 2.2) +
    shape('M2.5 17.5L20 12.5C22 12 22.5 13.5 21 14.5L5 19Z', '#f0a53a', 1.2) +
    dot(12.5, 3.5, 2.5, '#9a6a45', 1.2) +
    line('M12.5 6.5L11 11L8 15.5M11 11L14 14M12 7.5L17.5 6M12 7.5L7 9', INK, 1.9),
  kahuna:
    line('M20 3V22', INK, 1.8) +
    dot(20, 3, 1.9, '#e4b22f', 1) +
    shape('M10 9L16 22H4Z', '#b33b2e') +
    dot(10, 7, 3.4, '#9a6a45', 1.3) +
    line('M6.5 4L5 1.5M10 3.2V0.8M13.5 4L15 1.5', INK, 1.5),
  tiki:
    shape('M6 2H18V22H6Z', '#a5673f') +
    shape('M4 2H20V6H4Z', '#7b4f32', 1.2) +
    dot(9.2, 10, 1.9, '#ffffff', 1) +
    dot(14.8, 10, 1.9, '#ffffff', 1) +
    shape('M8 14.5H16V19H8Z', '#ffffff', 1.1) +
    line('M10.7 14.5V19M13.3 14.5V19', INK, 1),
  ku: god('Ku'),
  kane: god('Ka'),
  pele: god('Pe'),
  lono: god('Lo'),
  laka: god('La'),
  kanaloa: god('Kn'),
  fish:
    shape('M2 12C6 6 13 6 17 12C13 18 6 18 2 12Z', '#f4f8fa', 1.3) +
    shape('M16 12L22.5 7.5V16.5Z', '#f4f8fa', 1.3) +
    dot(6.5, 11, 1.2, INK),
  points: shape('M12 1L15.2 8.5L23 9.2L17 14.5L19 22.5L12 18.2L5 22.5L7 14.5L1 9.2L8.8 8.5Z', '#f2ce4b'),
} as const;

export type Icon = keyof typeof ICONS;

/** A picture that is defined once and used by its name. */
export const symbol = (name: string, viewBox: string, markup: string, attributes: Attributes = {}): string =>
  el('symbol', { id: `hawaii-${name}`, viewBox, ...attributes }, markup);

/** Rounds a number to two decimals, because paths are written out. */
export const cut = (n: number): number => Math.round(n * 100) / 100;

/** Half of a picture consists of this element, so it is written out. */
export const use = (name: string, x: number, y: number, width: number, height: number, opacity = 1): string =>
  `<use href="#hawaii-${name}" x="${cut(x)}" y="${cut(y)}" width="${cut(width)}" height="${cut(height)}"${opacity < 1 ? ` opacity="${opacity}"` : ''}/>`;

export const ICON_SYMBOLS = Object.entries(ICONS).map(([name, markup]) => symbol(name, '0 0 24 24', markup));

/** A picture with its top left corner at (x, y). */
export const icon = (name: Icon, x: number, y: number, size: number, opacity = 1): string =>
  use(name, x, y, size, size, opacity);

export const panel = (
  x: number,
  y: number,
  width: number,
  height: number,
  fill: string,
  stroke: string = FAINT,
): string => el('rect', { x, y, width, height, rx: 10, fill, stroke, 'stroke-width': 1.2 });

export const left = { 'text-anchor': 'start' };
export const right = { 'text-anchor': 'end' };
export const bold = { 'font-weight': 700 };
