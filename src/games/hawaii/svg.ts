import { picture } from '../svg.ts';
import type { View } from './view.ts';

export const svg = (view: View): string => picture(1000, 1000, `Hawaii, round ${view.round}`);
