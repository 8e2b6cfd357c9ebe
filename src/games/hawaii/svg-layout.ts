/** How the parts of the picture are put together, and the few marks that every part needs. */
import type { Scene, Seat } from '../game.ts';
import { at, el, nameOf, SEATS, widthOf } from '../svg.ts';

/** A part of the picture, drawn from its own top left corner. */
export interface Block {
  height: number;
  markup: string;
}

export const NOTHING: Block = { height: 0, markup: '' };

/** Blocks one below the other; empty ones take no room. */
export function stack(x: number, y: number, gap: number, blocks: readonly Block[]): Block {
  let below = y;
  const markup: string[] = [];
  for (const block of blocks) {
    if (block.height === 0) continue;
    markup.push(at(x, below, block.markup));
    below += block.height + gap;
  }
  return { height: below - y, markup: markup.join('') };
}

/** Words in lines that fit this width. */
export function wrap(words: string, width: number, size: number): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word;
    if (lines.length > 0 && widthOf(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** A seat by its player's name and colour; its mark, which is drawn beside it, has its letter. */
export const seatName = (scene: Scene, seat: Seat): string => `${nameOf(scene, seat)} (${SEATS[seat]!.name})`;

const GLOW = '#c2410c';

/** The frame around what the last action was about. */
export const lastFrame = (x: number, y: number, width: number, height: number): string =>
  el('rect', { x, y, width, height, rx: 9, fill: 'none', stroke: GLOW, 'stroke-width': 3, 'stroke-dasharray': '7 4' });

/** Whether the last action was about this thing; villages are those of the seat that acted. */
export const isLast = (scene: Scene, target: string, seat?: Seat): boolean =>
  scene.last !== null && (seat === undefined || seat === scene.last.seat) && scene.last.targets.includes(target);

const IS_THING = /^(place|bay|dock|beach|space|village)/;

/**
 * Payments, purchases and boats are not things on the table. The place of the seat's chief shows what they were for.
 */
export const isLastChief = (scene: Scene, seats: readonly Seat[]): boolean =>
  scene.last !== null && seats.includes(scene.last.seat) && !scene.last.targets.some((name) => IS_THING.test(name));
