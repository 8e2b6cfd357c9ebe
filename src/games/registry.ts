import { refusals } from '../errors.ts';
import { cacao } from './cacao/index.ts';
import type { Game } from './game.ts';
import { haleakala } from './haleakala/index.ts';
import { hashi } from './hashi/index.ts';
import { hawaii } from './hawaii/index.ts';

export interface Registry {
  /** The newest rules of each game, in the order of the list. */
  readonly games: readonly Game[];
  /** Every version of the rules of every game. */
  readonly versions: readonly Game[];
  /** A game by id, with the newest rules unless a version is named. */
  game(id: string, rules?: number): Game;
}

/**
 * A list within the list, or several entries with one id, are versions of one game. A match keeps the version it
 * started with.
 */
export function registryOf(list: readonly (Game | readonly Game[])[]): Registry {
  const versions = list.flat();
  const newest = new Map<string, Game>();
  const byVersion = new Map<string, Game>();
  for (const entry of versions) {
    if (byVersion.has(`${entry.id}@${entry.rules}`)) throw new Error(`${entry.id} has rules ${entry.rules} twice`);
    byVersion.set(`${entry.id}@${entry.rules}`, entry);
    if ((newest.get(entry.id)?.rules ?? 0) < entry.rules) newest.set(entry.id, entry);
  }
  return {
    games: [...newest.values()],
    versions,
    game(id, rules) {
      const found = rules === undefined ? newest.get(id) : byVersion.get(`${id}@${rules}`);
      if (found) return found;
      const known = [...newest.keys()].join(', ');
      if (!newest.has(id)) throw refusals.noSuchGame(id, known);
      throw refusals.noSuchRules(String(rules), id);
    },
  };
}

/** The one place where a game is listed: its object, or the list of its versions. */
export const registry = registryOf([cacao, hashi, haleakala, hawaii]);
