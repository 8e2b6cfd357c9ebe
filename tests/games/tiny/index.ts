/** Games that are for the tests alone: small enough to be understood at a glance, and complete. */
import type { Game } from '../../../src/games/game.ts';
import { auction } from './auction.ts';
import { highest } from './highest.ts';
import { nim } from './nim.ts';

export const tinyGames: readonly Game[] = [highest as Game, nim as Game, auction as Game];
