import { picture } from '../svg.ts';
import type { View } from './view.ts';

export const svg = (_view: View): string => picture(1000, 700, 'Hashi');
