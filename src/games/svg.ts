/** The few words in which every game draws its table. Strings in, strings out. */

export type Attributes = Record<string, string | number | undefined>;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (c) => ESCAPES[c] as string);

/** An element; undefined attributes are left out, numbers are cut to two decimals. Children must be markup already. */
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

/** One line of text; centred on x unless `text-anchor` says otherwise. */
export const text = (
  x: number,
  y: number,
  size: number,
  content: string | number,
  attributes: Attributes = {},
): string =>
  el('text', { x, y, 'font-size': size, 'text-anchor': 'middle', ...attributes }, escapeXml(String(content)));

/** The whole picture: scales to any width, reads the same on light and dark pages. */
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
 * How a seat is told from the others: by colour and, for those who cannot tell colours, by shape and letter.
 * The colours keep apart in the common kinds of colour blindness and differ in lightness.
 */
export const SEATS = [
  { colour: '#d1495b', ink: '#ffffff', shape: 'circle', letter: 'A', name: 'red' },
  { colour: '#30638e', ink: '#ffffff', shape: 'square', letter: 'B', name: 'blue' },
  { colour: '#edae49', ink: '#2b2118', shape: 'triangle', letter: 'C', name: 'yellow' },
  { colour: '#f7f7f2', ink: '#2b2118', shape: 'diamond', letter: 'D', name: 'white' },
  { colour: '#3d3a4b', ink: '#ffffff', shape: 'hexagon', letter: 'E', name: 'black' },
] as const;

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
