import { afterAll } from 'vitest';
import type { Thinker } from '../../src/bots/thinker.ts';
import { openDatabase } from '../../src/database/pool.ts';
import type { Game } from '../../src/games/game.ts';
import { type Registry, registryOf } from '../../src/games/registry.ts';
import type { OnArchiveRead } from '../../src/matches/archive/reader.ts';
import { openBots } from '../../src/matches/live/bot-turns.ts';
import { openLive } from '../../src/matches/live/hints.ts';
import type { Place } from '../../src/matches/live/siblings.ts';
import { sweep } from '../../src/matches/live/sweep.ts';
import { openMemo } from '../../src/matches/log/memo.ts';
import type { Match } from '../../src/matches/log/records.ts';
import { openStore } from '../../src/matches/log/store.ts';
import type { Matches } from '../../src/matches/matches.ts';
import { openMatches } from '../../src/matches/service.ts';
import { outbox } from '../../src/notices/outbox.ts';
import type { Player } from '../../src/players/player.ts';
import { openPlayers } from '../../src/players/service.ts';
import { highest } from '../games/tiny/highest.ts';
import { freshDatabase } from './database.ts';

export const sampleRegistry: Registry = registryOf([highest as Game]);

/** The services of one server, without its faces: several of them share a database, as instances do. */
export interface ServiceOptions {
  registry?: Registry;
  memoMatches?: number;
  pollMs?: number;
  now?: () => Date;
  /** Keys as in ENCRYPTION_KEYS. */
  keys?: string;
  /** An address as in COLD_STORAGE. */
  coldUrl?: string;
  /** Without one, bots do not act. */
  thinker?: Thinker;
  /** Set for workers of one machine. */
  siblings?: Place | undefined;
  aloneAfterMs?: number;
}

export async function openServices(url: string, options: ServiceOptions = {}) {
  const { registry = sampleRegistry, memoMatches = 100, pollMs = 100, now = () => new Date(), thinker } = options;
  const { keys, coldUrl, siblings, aloneAfterMs } = options;
  const database = openDatabase({ url, poolSize: 8, keys, coldUrl });
  const archiveReads: Parameters<OnArchiveRead>[0][] = [];
  const store = openStore(database, {
    alsoWrite: outbox(() => {}),
    onArchiveRead: (read) => void archiveReads.push(read),
  });
  const cuts: [remembered: number, left: number][] = [];
  const memo = openMemo(registry, store, memoMatches, {
    onCutBack(remembered, left) {
      cuts.push([remembered.version, left?.version ?? 0]);
      live.cutBack(remembered.id, left?.version ?? 0);
    },
  });
  const hints = { bus: 0, database: 0, sibling: 0 };
  const live = await openLive({
    url,
    siblings: siblings && { ...siblings, mostUsed: memoMatches, remembered: memo.versionOf, take: memo.take },
    count: (way) => hints[way]++,
    ...(aloneAfterMs !== undefined && { aloneAfterMs }),
    versions: (ids) => store.versions(ids),
    onPolled: (id, version) => memo.check(id, version),
    warn: () => {},
    pollMs,
  });
  const outcomes: string[] = [];
  const onSubmission = (outcome: string) => void outcomes.push(outcome);
  const onCommit = (match: Match) => bots?.consider(match);
  const matches = openMatches({ pool: database.pool, registry, store, memo, live, now, onSubmission, onCommit });
  const bots = thinker && openBots({ matches, store, memo, thinker, warn: () => {}, patienceMs: 200 });
  const players = openPlayers(database);
  return {
    database,
    store,
    memo,
    live,
    matches,
    players,
    outcomes,
    /** How many hints were sent and received, by way. */
    hints,
    /** Matches that were remembered with events that the database has lost. */
    cuts,
    archiveReads,
    /** One round of the work that the server does without a request. */
    sweep: () => sweep({ store, matches, bots: bots ?? { sweep: async () => {} }, warn: () => {} }, now()),
    async close() {
      await bots?.close();
      await live.close();
      await database.close();
    },
  };
}

export type TestServices = Awaited<ReturnType<typeof openServices>>;

/**
 * Two servers on a database of their own, with three players, until the tests of the file are over. With a folder, they
 * are workers of one machine.
 */
export async function twoServers({ folder, ...options }: ServiceOptions & { folder?: string } = {}) {
  const database = await freshDatabase();
  const place = (worker: number) => (folder === undefined ? undefined : { folder, worker });
  const one = await openServices(database.url, { ...options, siblings: place(1) });
  const two = await openServices(database.url, { ...options, siblings: place(2) });
  afterAll(async () => {
    await one.close();
    await two.close();
    await database.drop();
  });
  const players = (await newPlayers(one, 'Ann', 'Ben', 'Cho')) as [Player, Player, Player];
  return { database, one, two, players };
}

export async function newPlayers({ players }: TestServices, ...names: string[]): Promise<Player[]> {
  return Promise.all(names.map(async (name) => (await players.register(name)).player));
}

/** A running match of the first registered game, one player per seat. */
export async function runningMatch(services: TestServices, players: Player[], game = 'highest') {
  const [first, ...others] = players as [Player, ...Player[]];
  let match = await services.matches.create(first, { game, seats: players.length });
  for (const player of others) match = await services.matches.join(player, match.id, {});
  return match;
}

/** The first legal action of a player, as its own client would copy it. */
export async function anAction(matches: Matches, player: Player, id: string): Promise<object> {
  const match = await matches.see(player, id);
  const [action] = match.engine.legal(match.state as object, match.seats.indexOf(player.id));
  return action as object;
}
