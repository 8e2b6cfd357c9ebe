/** For which width the board is drawn: a phone gets a layout of its own. */
import { signal } from '@preact/signals';
import type { BoardWidth } from '../generated/operations.ts';

const phone = matchMedia('(max-width: 40rem)');

export const boardWidth = signal<BoardWidth>(phone.matches ? 'NARROW' : 'WIDE');

phone.addEventListener('change', () => {
  boardWidth.value = phone.matches ? 'NARROW' : 'WIDE';
});
