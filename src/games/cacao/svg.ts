import { picture } from '../svg.ts';
import type { View } from './view.ts';

export function svg(view: View): string {
  return picture(1000, 900, `Cacao, round ${view.round}`);
}
