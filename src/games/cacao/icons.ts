import { el, group, text } from '../svg.ts';

/** What tiles and villages show. Icons differ by shape as well as by colour. */

export const INK = '#2b2118';
export const FAINT = '#655a4a';
export const PAPER = '#fffaf0';
export const LINE = '#cdbfa5';
const GOLD = '#e9b430';
const LEAF = '#4d7c3a';
const POD = '#8a4b23';

/** A cacao pod, about 32 wide and 54 high. */
export const pod = (x: number, y: number, scale: number): string =>
  group(
    { transform: `translate(${x} ${y}) rotate(18) scale(${scale})`, stroke: INK, 'stroke-width': 2 },
    el('path', { d: 'M0 -24 Q10 -36 22 -30 Q14 -20 0 -24', fill: LEAF }),
    el('path', { d: 'M0 -26 C22 -18 20 16 0 28 C-20 16 -22 -18 0 -26Z', fill: POD }),
    el('path', {
      d: 'M0 -22 V23 M-4 -21 C-13 -8 -12 10 -4 21 M4 -21 C13 -8 12 10 4 21',
      fill: 'none',
      stroke: '#f0c9a0',
      'stroke-width': 2.5,
    }),
  );

export function coin(x: number, y: number, r: number, value: number | string): string {
  return (
    el('circle', { cx: x, cy: y, r, fill: GOLD, stroke: INK, 'stroke-width': r / 9 }) +
    (value === '' ? '' : text(x, y + r * 0.48, r * 1.35, value, { 'font-weight': 700, fill: INK }))
  );
}

export function stall(): string {
  const stripes = [0, 1, 2, 3, 4].map((i) =>
    el('path', {
      d: `M${14 + i * 14.4} 16 h14.4 v22 a7.2 7.2 0 0 1 -14.4 0z`,
      fill: i % 2 === 0 ? '#b23a2e' : '#fffaf0',
      stroke: INK,
      'stroke-width': 2,
    }),
  );
  const posts = el('path', { d: 'M19 44 V90 M81 44 V90', stroke: INK, 'stroke-width': 5 });
  return posts + stripes.join('');
}

export function mine(): string {
  return (
    el('path', { d: 'M6 90 L30 22 L44 44 L58 14 L94 90Z', fill: '#8d8478', stroke: INK, 'stroke-width': 2.5 }) +
    el('path', { d: 'M24 90 V64 a26 26 0 0 1 52 0 V90Z', fill: '#33291f', stroke: INK, 'stroke-width': 2.5 })
  );
}

/** A drop of water, about 46 wide and 62 high. */
export const drop = (x: number, y: number, scale: number): string =>
  group(
    { transform: `translate(${x} ${y - 8}) scale(${scale})` },
    el('path', {
      d: 'M0 -32 C10 -16 23 -4 23 9 a23 23 0 0 1 -46 0 C-23 -4 -10 -16 0 -32Z',
      fill: '#2f7fb5',
      stroke: INK,
      'stroke-width': 2,
    }),
    el('path', {
      d: 'M-12 8 a12 12 0 0 0 9 12',
      fill: 'none',
      stroke: '#e8f5fb',
      'stroke-width': 4,
      'stroke-linecap': 'round',
    }),
  );

export const wave = (y: number): string =>
  el('path', { d: `M10 ${y} q10 -8 20 0 t20 0 t20 0 t20 0`, fill: 'none', stroke: '#2f7fb5', 'stroke-width': 3 });

const RAYS = Array.from({ length: 16 }, (_, i) => {
  const [r, angle] = [i % 2 === 0 ? 31 : 17, (i * Math.PI) / 8];
  return `${Math.round(r * Math.sin(angle))},${Math.round(r * Math.cos(angle))}`;
});

/** A sun, about 60 wide. */
export const sun = (x: number, y: number, scale: number): string =>
  group(
    { transform: `translate(${x} ${y}) scale(${scale})`, stroke: INK, 'stroke-width': 2 },
    el('polygon', { points: RAYS.join(' '), fill: '#d9731a' }),
    el('circle', { r: 16, fill: '#f6c531' }),
  );

export function pyramid(): string {
  const step = (x: number, y: number) =>
    el('rect', { x, y, width: 100 - 2 * x, height: 15, fill: '#8c7aa6', stroke: INK, 'stroke-width': 2 });
  return (
    [step(38, 12), step(29, 27), step(20, 42), step(11, 57)].join('') +
    el('path', { d: 'M43 72 V27 h14 V72Z', fill: '#f2edf7', stroke: INK, 'stroke-width': 2 })
  );
}
