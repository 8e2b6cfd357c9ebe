/** Matches that are ready to be played: opened through the API, with all actions prepared in advance. */
import type { Database } from '../../src/database/pool.ts';
import { registry } from '../../src/games/registry.ts';
import { fastRng, rngFor } from '../../src/games/rng.ts';
import { seedOf } from '../../src/matches/proof/hashes.ts';
import { GraphqlConnection } from './clients.ts';

/** The seat and the action of each turn, in order. */
export type Script = { seat: number; action: object }[];

export interface Table {
  id: string;
  /** The version at the start: action n leads to version start + n + 1. */
  start: number;
  script: Script;
}

/** A whole random match, played in advance with the match's own seed, so that the driver only has to send it. */
export function scriptOf(game: string, seats: number, seed: Uint8Array, chance: number): Script {
  const rules = registry.game(game);
  const rng = fastRng(chance);
  const state = rules.setup(Object.values(rules.variants)[0] as object, seats, rngFor(seed, 0));
  let drawn = 1;
  const script: Script = [];
  for (;;) {
    const seat = Array.from({ length: seats }, (_, i) => i).find((i) => rules.legal(state, i).length > 0);
    if (seat === undefined) return script;
    const action = rng.pick(rules.legal(state, seat));
    script.push({ seat, action });
    const stream = rngFor(seed, drawn);
    rules.apply(state, seat, action, stream);
    if (stream.used) drawn++;
  }
}

const usualLengths = new Map<string, number>();

/** About how many actions a random match takes. */
export function usualLength(game: string, seats: number): number {
  const key = `${game} ${seats}`;
  const known = usualLengths.get(key);
  if (known !== undefined) return known;
  const lengths = [1, 2, 3, 4].map((n) => scriptOf(game, seats, Buffer.alloc(32, n), n).length);
  const length = lengths.reduce((a, b) => a + b) / lengths.length;
  usualLengths.set(key, length);
  return length;
}

/** Registers this many players, each with a token of its own. */
export async function register(port: number, count: number): Promise<string[]> {
  const connection = new GraphqlConnection(port);
  const tokens: string[] = [];
  for (let i = 0; i < count; i++) {
    const name = `bench ${i} ${Math.random().toString(36).slice(2, 8)}`;
    const answer = await connection.request<{ register: { token: string } }>(
      'mutation ($name: String!) { register(name: $name) { token } }',
      { name },
    );
    tokens.push(answer.register.token);
  }
  connection.close();
  return tokens;
}

/** Opens matches of these players, who take the seats in order. */
export async function open(connections: GraphqlConnection[], game: string, count: number): Promise<Table[]> {
  const [first, ...others] = connections as [GraphqlConnection, ...GraphqlConnection[]];
  const seats = connections.length;
  const tables: Table[] = [];
  for (let i = 0; i < count; i++) {
    const { createMatch } = await first.request<{ createMatch: { id: string } }>(
      'mutation ($input: CreateMatchInput!) { createMatch(input: $input) { id } }',
      { input: { game, seats } },
    );
    for (const connection of others) {
      await connection.request('mutation ($id: ID!) { joinMatch(matchId: $id) { id } }', { id: createMatch.id });
    }
    tables.push({ id: createMatch.id, start: seats + 1, script: [] });
  }
  return tables;
}

/** The seeds are secret, so they are read from the database, which only a benchmark can do. */
export async function script(database: Database, game: string, seats: number, tables: Table[]): Promise<void> {
  const { rows } = await database.pool.query<{ id: string; server_seed: Buffer }>(
    'SELECT id, server_seed FROM matches WHERE id = ANY($1)',
    [tables.map(({ id }) => id)],
  );
  const seeds = new Map(rows.map((row) => [row.id, row.server_seed]));
  const nothing = new Array<null>(seats).fill(null);
  for (const [i, table] of tables.entries()) {
    table.script = scriptOf(game, seats, seedOf(seeds.get(table.id) as Buffer, nothing), i);
  }
}
