/** The few functions with which every game draws its table. They take and return strings. */
import type { Scene, Seat } from './game.ts';

export type Attributes = Record<string, string | number | undefined>;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (c) => ESCAPES[c] as string);

/**
 * An element. Undefined attributes are left out, and numbers are rounded to two decimals. Children must already be
 * markup.
 */
export function el(name: string, attributes: Attributes = {}, ...children: string[]): string {
  let out = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) out += ` ${key}="${typeof value === 'number' ? round(value) : escapeXml(value)}"`;
  }
  return children.length > 0 ? `${out}>${children.join('')}</${name}>` : `${out}/>`;
}

export const group = (attributes: Attributes, ...children: string[]): string => el('g', attributes, ...children);

/** Children drawn with their origin at (x, y). */
export const at = (x: number, y: number, ...children: string[]): string =>
  el('g', { transform: `translate(${round(x)} ${round(y)})` }, ...children);

/** One line of text, centred on x unless `text-anchor` says otherwise. */
export const text = (
  x: number,
  y: number,
  size: number,
  content: string | number,
  attributes: Attributes = {},
): string =>
  el('text', { x, y, 'font-size': size, 'text-anchor': 'middle', ...attributes }, escapeXml(String(content)));

/** The whole picture. It scales to any width, and looks the same on light and dark pages. */
export const picture = (width: number, height: number, title: string, ...children: string[]): string =>
  el(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${round(width)} ${round(height)}`,
      role: 'img',
      'font-family': 'ui-sans-serif, system-ui, "DejaVu Sans", sans-serif',
    },
    el('title', {}, escapeXml(title)),
    el('rect', { width, height, fill: '#f6f1e7' }),
    ...children,
  );

/**
 * How seats are distinguished: by colour and, for those who cannot distinguish colours, by shape and letter. The
 * colours stay distinct in the common kinds of colour blindness and differ in lightness.
 */
export const SEATS = [
  { colour: '#cd4458', ink: '#ffffff', shape: 'circle', letter: 'A', name: 'red' },
  { colour: '#30638e', ink: '#ffffff', shape: 'square', letter: 'B', name: 'blue' },
  { colour: '#edae49', ink: '#2b2118', shape: 'triangle', letter: 'C', name: 'yellow' },
  { colour: '#f7f7f2', ink: '#2b2118', shape: 'diamond', letter: 'D', name: 'white' },
  { colour: '#3d3a4b', ink: '#ffffff', shape: 'hexagon', letter: 'E', name: 'black' },
] as const;

/** An empty scene: seats have no names, nobody has to act, nothing has happened. */
export const NO_SCENE: Scene = { names: [], acting: [], result: null, last: null, legal: [], width: 'WIDE' };

/** The name of a seat: its player's name, or its letter while nobody sits there. */
export const nameOf = (scene: Scene, seat: Seat): string =>
  scene.names[seat] ?? (SEATS[seat % SEATS.length] as (typeof SEATS)[number]).letter;

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The approximate width of a grapheme, in units of the font size. It errs on the wide side. */
function breadthOf(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (code >= 0x2e80 || (code >= 0x1100 && code < 0x1200)) return 1.05;
  if (code >= 0x2000) return 0.9;
  if (/[MWmw@%]/.test(grapheme)) return 0.98;
  if (/[\p{Lu}\p{Nd}]/u.test(grapheme)) return 0.72;
  return /[ijltrfI.,:;'!|()\s-]/.test(grapheme) ? 0.42 : 0.64;
}

/** Nearly every line consists of these, and pictures have many lines, so they are measured once. */
const ASCII = /^[\x20-\x7e]*$/;
const ASCII_BREADTHS = Array.from({ length: 127 }, (_, code) => breadthOf(String.fromCharCode(code)));

/** The approximate width of a line at this font size. */
export function widthOf(line: string, size: number): number {
  let sum = 0;
  if (ASCII.test(line))
    for (let i = 0; i < line.length; i++) sum += (ASCII_BREADTHS[line.charCodeAt(i)] as number) * size;
  else for (const { segment } of GRAPHEMES.segment(line)) sum += breadthOf(segment) * size;
  return sum;
}

/** A line that fits this width, with an ellipsis for what was cut off. */
export function shorten(line: string, width: number, size: number): string {
  if (widthOf(line, size) <= width) return line;
  let out = '';
  let used = size; // of the ellipsis
  for (const { segment } of GRAPHEMES.segment(line)) {
    used += breadthOf(segment) * size;
    if (used > width) break;
    out += segment;
  }
  return `${out.trimEnd()}…`;
}

/**
 * A thing that actions can be about, which a client makes clickable. `title` names it in a few words; `desc` adds what
 * a person would see of it. The id stays the same from version to version, so that a client can animate it.
 */
export const target = (
  name: string,
  title: string,
  { desc, ...attributes }: Attributes & { desc?: string },
  ...children: string[]
): string =>
  el(
    'g',
    { id: `t-${name}`, 'data-target': name, ...attributes },
    el('title', {}, escapeXml(title)),
    ...(desc ? [el('desc', {}, escapeXml(desc))] : []),
    ...children,
  );

/** A choice that is not a thing on the table, such as passing, drawn as a button. */
export interface Choice {
  target: string;
  text: string;
  desc?: string;
}

const CHOICE_HEIGHT = 44;
const GAP = 10;

/** Buttons for the choices that the viewer has now, in rows of the given width. */
export function choices(scene: Scene, all: readonly Choice[], width: number, size = 18) {
  const rows: Choice[][] = [];
  const breadth = ({ text }: Choice) => Math.min(width, widthOf(text, size) + 24);
  let used = 0;
  for (const choice of all.filter((one) => scene.legal.includes(one.target))) {
    used += breadth(choice) + GAP;
    if (rows.length === 0 || used - GAP > width) {
      rows.push([]);
      used = breadth(choice) + GAP;
    }
    rows.at(-1)?.push(choice);
  }
  const markup = rows.flatMap((row, line) => {
    let x = 0;
    return row.map((choice) => {
      const left = x;
      x += breadth(choice) + GAP;
      return at(left, line * (CHOICE_HEIGHT + GAP), button(choice, breadth(choice), size));
    });
  });
  return { markup: markup.join(''), height: rows.length * (CHOICE_HEIGHT + GAP) };
}

const button = ({ target: name, text: words, desc }: Choice, width: number, size: number): string =>
  target(
    name,
    words,
    desc === undefined ? {} : { desc },
    el('rect', { width, height: CHOICE_HEIGHT, rx: 10, fill: '#fffaf0', stroke: '#2b2118', 'stroke-width': 1.5 }),
    text(width / 2, CHOICE_HEIGHT / 2 + size * 0.35, size, words, { fill: '#2b2118' }),
  );

/** The mark of a seat, centred on (x, y), about 2r wide. */
export function seatMark(seat: number, x: number, y: number, r: number, attributes: Attributes = {}): string {
  const { colour, shape } = SEATS[seat % SEATS.length] as (typeof SEATS)[number];
  const paint = { fill: colour, stroke: '#2b2118', 'stroke-width': Math.max(0.8, r / 7), ...attributes };
  if (shape === 'circle') return el('circle', { cx: x, cy: y, r, ...paint });
  const corners = { square: [4, 45, 1.18], triangle: [3, -90, 1.25], diamond: [4, 0, 1.2], hexagon: [6, 0, 1.08] }[
    shape
  ];
  const [n, turn, scale] = corners as [number, number, number];
  const points = Array.from({ length: n }, (_, i) => {
    const angle = ((turn + (360 * i) / n) * Math.PI) / 180;
    return `${round(x + r * scale * Math.cos(angle))},${round(y + r * scale * Math.sin(angle))}`;
  });
  return el('polygon', { points: points.join(' '), ...paint });
}

const round = (n: number): number => Math.round(n * 100) / 100;
