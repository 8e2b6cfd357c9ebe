/** The width for which the board is drawn: a phone gets its own layout. */
import { signal } from '@preact/signals';
import type { BoardWidth } from '../generated/operations.ts';
import { keep, recall } from '../session.ts';

/** The width from which a board drawn for a screen can be read; see style/table.css. */
const phone = matchMedia('(max-width: 60rem)');

export const boardWidth = signal<BoardWidth>(phone.matches ? 'NARROW' : 'WIDE');

phone.addEventListener('change', () => {
  boardWidth.value = phone.matches ? 'NARROW' : 'WIDE';
});

const FIT = 'atoll.fit';

/** Whether the board is scaled down to fit the screen; otherwise it is as wide as the page. */
export const fits = signal(recall<boolean>(FIT) ?? true);

export function toggleFit(): void {
  fits.value = !fits.value;
  keep(FIT, fits.value);
}
