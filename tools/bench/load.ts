/** The two ways to load a server, the same for Atoll and for its peers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { meter } from './meter.ts';
import { latencies } from './process.ts';

export interface Load {
  /** The number of matches in flight, with one move each. */
  matches: number;
  warmupSeconds: number;
  seconds: number;
  /**
   * With 0, a closed loop: the next move of a match is made as soon as the previous one has been seen. Otherwise an
   * open loop: this many moves a second over all matches, due at fixed times. A move that could not be made in time
   * counts from when it was due, so that a server that stalls cannot hide it.
   */
  rate: number;
  /** Resolves when the opponent's client has the move. */
  move(match: number): Promise<void>;
  /** Process ids, by the name to show. */
  processes: Record<string, number>;
}

export async function runLoad({ matches, warmupSeconds, seconds, rate, move, processes }: Load) {
  const took: number[] = [];
  const interval = rate > 0 ? (1000 * matches) / rate : 0;
  let measuringUntil = 0;
  let stopped = false;
  const player = async (match: number) => {
    let due = performance.now() + Math.random() * interval;
    while (!stopped) {
      const early = rate > 0 ? due - performance.now() : 0;
      if (early > 0) await sleep(early);
      if (stopped) return;
      const sent = rate > 0 && early <= 0 ? due : performance.now();
      due += interval;
      await move(match);
      const seen = performance.now();
      if (seen <= measuringUntil) took.push(seen - sent);
    }
  };
  const players = Promise.all(Array.from({ length: matches }, (_, match) => player(match)));
  players.catch(() => {}); // awaited below
  await Promise.race([sleep(warmupSeconds * 1000), players]);
  const read = meter({ driver: process.pid, ...processes });
  const start = performance.now();
  measuringUntil = start + seconds * 1000;
  await Promise.race([sleep(seconds * 1000), players]);
  const elapsed = (performance.now() - start) / 1000;
  const cores = read();
  stopped = true;
  const stuck = new AbortController();
  await Promise.race([
    players,
    sleep(10_000, undefined, { signal: stuck.signal }).then(() => {
      throw new Error('a move was not seen within ten seconds after the end');
    }),
  ]);
  stuck.abort();
  return { moves: took.length, movesPerSecond: Math.round(took.length / elapsed), ms: latencies(took), cores };
}
