/** People at tables of every game, and streams on every transport that watch them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rng } from '../../src/games/game.ts';
import { People } from './clients.ts';
import type { Cluster } from './cluster.ts';
import type { Instance } from './instances.ts';
import type { Record } from './record.ts';
import { TRANSPORTS, watch } from './streams.ts';

export const DATABASE = 'atoll';

const TABLES: [game: string, seats: number][] = [
  ['cacao', 2],
  ['hashi', 2],
  ['haleakala', 2],
  ['hawaii', 3],
  ['cacao', 4],
  ['hawaii', 2],
];

/** An instance that accepts no action for this long has not recovered. */
export const RECOVERY_MS = 60_000;

export interface Crowd {
  /** Somebody acts only through this instance, until `until` returns true. */
  canary(instance: Instance, until?: () => boolean): void;
  /** Ends the play, and resolves when every stream has had time to receive the last events. */
  finish(cluster: Cluster): Promise<void>;
}

/** They call any of the instances that are in the list at that time. */
export function openCrowd(instances: readonly Instance[], rng: Rng, record: Record): Crowd {
  let over = false;
  let watchersOver = false;
  const people = new People({ instances, record, rng, over: () => over });
  const watching: Promise<void>[] = [];
  const options = { instances, rng, record, over: () => watchersOver };
  const follow = (match: string) => {
    for (const transport of TRANSPORTS) watching.push(watch(transport, match, options));
  };
  const playing = TABLES.map(([game, seats]) => people.table(game, seats, follow));
  return {
    canary(instance, until) {
      playing.push(people.canary(instance, until));
    },
    async finish(cluster) {
      over = true;
      await Promise.all(playing);
      await caughtUp(cluster, record);
      watchersOver = true;
      await Promise.all(watching);
    },
  };
}

async function caughtUp(cluster: Cluster, record: Record): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const rows = await cluster.sql<{ id: string; version: number }>('SELECT id, version FROM matches', [], DATABASE);
    const versions = new Map(rows.map(({ id, version }) => [id, version]));
    if (record.streams.every(({ match, seen }) => seen.length >= (versions.get(match) ?? 0))) return;
    await sleep(500);
  }
}

/** How long it takes until every instance has accepted an action that was sent after that moment. */
export async function allAct(
  instances: readonly Instance[],
  record: Record,
  since: number,
): Promise<number | undefined> {
  let last = 0;
  for (const { name } of instances) {
    for (;;) {
      const found = record.firstActSince(name, since);
      if (found) {
        last = Math.max(last, found.ended - since);
        break;
      }
      if (performance.now() - since > RECOVERY_MS) return undefined;
      await sleep(20);
    }
  }
  return last;
}
