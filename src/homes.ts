/**
 * With several workers on one machine, every match is at home at one of them: the one that opened it. Its id says which,
 * so that nobody has to be asked. After a restart with another number of workers it is at home anywhere.
 */
import { newId } from './id.ts';

/** The variable in which a worker finds its number among all of them, from 0, and how many there are. */
export const WORKER_NUMBER = 'ATOLL_WORKER_NUMBER';

export const textOfNumber = (number: number, count: number): string => `${number}/${count}`;

const [OWN = 0, COUNT = 1] = process.env[WORKER_NUMBER]?.split('/').map(Number) ?? [];

/** The number of the worker at which a match is at home. */
export const homeOf = (match: string, count = COUNT): number => Number.parseInt(match.slice(-8), 16) % count || 0;

/** Whether the match is at home at another worker. */
export const isElsewhere = (match: string): boolean => COUNT > 1 && homeOf(match) !== OWN;

/** The id of a new match that is at home here. */
export function newMatchId(now: number): string {
  for (;;) {
    const id = newId(now);
    if (!isElsewhere(id)) return id;
  }
}
