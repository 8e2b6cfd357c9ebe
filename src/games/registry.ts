import { AtollError } from '../errors.ts';
import { cacao } from './cacao/index.ts';
import type { Game } from './game.ts';
import { haleakala } from './haleakala/index.ts';
import { hashi } from './hashi/index.ts';
import { hawaii } from './hawaii/index.ts';

export interface Registry {
  /** The newest rules of each game, in the order of the list. */
  readonly games: readonly Game[];
  /** A game by id, with the newest rules unless a version is named. */
  game(id: string, rules?: number): Game;
}

/** Several entries with one id are versions of that game: matches keep the one they started with. */
export function registryOf(list: readonly Game[]): Registry {
  const newest = new Map<string, Game>();
  const byVersion = new Map<string, Game>();
  for (const entry of list) {
    byVersion.set(`${entry.id}@${entry.rules}`, entry);
    if ((newest.get(entry.id)?.rules ?? 0) < entry.rules) newest.set(entry.id, entry);
  }
  return {
    games: [...newest.values()],
    game(id, rules) {
      const found = rules === undefined ? newest.get(id) : byVersion.get(`${id}@${rules}`);
      if (found) return found;
      const known = [...newest.keys()].join(', ');
      if (!newest.has(id)) throw new AtollError('NOT_FOUND', `There is no game "${id}"; there are: ${known}`);
      throw new AtollError('NOT_FOUND', `There are no rules ${rules} of the game "${id}"`);
    },
  };
}

/** The one place where a game is listed. */
export const registry = registryOf([cacao, hashi, haleakala, hawaii]);
