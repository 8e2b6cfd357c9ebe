import { picture } from '../svg.ts';
import type { View } from './view.ts';

export function svg(view: View): string {
  return picture(1000, 1100, `Haleakalā, round ${view.round}`);
}
