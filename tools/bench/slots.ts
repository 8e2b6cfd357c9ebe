/** Matches that are played by clients as real ones are: one WebSocket and one keep-alive HTTP connection for each. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/database/pool.ts';
import { fastRng } from '../../src/games/rng.ts';
import { UsageError } from '../cli.ts';
import { GraphqlConnection, GraphqlSocket } from './clients.ts';
import { open, register, script, type Table, usualLength } from './tables.ts';

const SUBMIT = 'mutation ($input: SubmitActionInput!) { submitAction(input: $input) { version } }';

/** How many moves per second are prepared: more than any machine makes today. */
const ENOUGH_PER_SECOND = 16_000;

export interface Setting {
  game: string;
  via: string;
  loop: string;
  matches: number;
  seats: number;
  rate: number;
  seconds: number;
  warmup: number;
  fields: string;
}

/** Both connections of one player. */
interface Client {
  http: GraphqlConnection;
  socket: GraphqlSocket;
}

/** One match after the other, played by clients that stay. */
export class Slot {
  readonly #clients: Client[];
  readonly #viaSocket: boolean;
  readonly #events: string;
  readonly #game: string;
  #tables: Table[] = [];
  #at = 0;
  #played = 0;
  /** Called when the seat's subscription has the version. */
  #awaited: { seat: number; version: number; seen(): void } | undefined;
  /** How often there was no match left to play. */
  short = 0;

  constructor(clients: Client[], { game, via, fields }: Setting) {
    this.#clients = clients;
    this.#game = game;
    this.#viaSocket = via === 'socket';
    this.#events = `subscription ($id: ID!, $after: Int) { matchEvents(matchId: $id, after: $after) { ${fields} } }`;
  }

  /** Opens matches until there are enough for this many moves, and one more. */
  async stock(database: Database, moves: number): Promise<void> {
    const [game, seats] = [this.#game, this.#clients.length];
    this.#tables = this.#tables.slice(this.#at);
    this.#at = 0;
    const left = this.#tables.reduce((sum, { script: all }) => sum + all.length, -this.#played);
    const count = Math.ceil((moves - left) / usualLength(game, seats)) + 1;
    if (count <= 0) return;
    const connections = this.#clients.map(({ http }) => http);
    const tables = await open(connections, game, count);
    await script(database, game, seats, tables);
    this.#tables.push(...tables);
  }

  follow(): void {
    const { id, start } = this.#tables[this.#at] as Table;
    for (const [seat, { socket }] of this.#clients.entries()) {
      socket.subscribe(id, this.#events, { id, after: start }, (data) => {
        const { version } = (data as { matchEvents: { version: number } }).matchEvents;
        if (this.#awaited?.seat === seat && this.#awaited.version === version) this.#awaited.seen();
      });
    }
  }

  async move(): Promise<void> {
    if (this.#played >= (this.#tables[this.#at] as Table).script.length && !this.#next()) {
      this.short++;
      return sleep(1000);
    }
    const { id, start, script: moves } = this.#tables[this.#at] as Table;
    const { seat, action } = moves[this.#played] as Table['script'][number];
    const expectedVersion = start + this.#played++;
    const opponent = (seat + 1) % this.#clients.length;
    const seen = new Promise<void>((done) => {
      this.#awaited = { seat: opponent, version: expectedVersion + 1, seen: done };
    });
    const { http, socket } = this.#clients[seat] as Client;
    const input = { matchId: id, expectedVersion, actionId: String(expectedVersion), action };
    await Promise.all([seen, (this.#viaSocket ? socket : http).request(SUBMIT, { input })]);
  }

  #next(): boolean {
    if (this.#at + 1 >= this.#tables.length) return false;
    for (const { socket } of this.#clients) socket.unsubscribe((this.#tables[this.#at] as Table).id);
    this.#at++;
    this.#played = 0;
    this.follow();
    return true;
  }

  close(): void {
    for (const { http, socket } of this.#clients) {
      http.close();
      socket.close();
    }
  }
}

/**
 * Opens a socket for each player, in no particular order: several workers take connections by turns, and opponents who
 * came one after the other would never meet the same worker.
 */
function openSockets(port: number, tokens: readonly string[]): GraphqlSocket[] {
  const sockets: GraphqlSocket[] = [];
  const order = fastRng(1).shuffle(tokens.map((_, i) => i));
  for (const i of order) sockets[i] = new GraphqlSocket(port, tokens[i] as string);
  return sockets;
}

export async function prepare(port: number, database: Database, setting: Setting): Promise<Slot[]> {
  const { seats, matches, loop, rate, seconds, warmup } = setting;
  const perSecond = loop === 'open' ? rate : ENOUGH_PER_SECOND;
  const tokens = await register(port, matches * seats);
  const sockets = openSockets(port, tokens);
  return Promise.all(
    Array.from({ length: matches }, async (_, i) => {
      const clients = Array.from({ length: seats }, (_client, seat) => {
        const n = i * seats + seat;
        return { http: new GraphqlConnection(port, tokens[n] as string), socket: sockets[n] as GraphqlSocket };
      });
      const slot = new Slot(clients, setting);
      await slot.stock(database, (perSecond * (seconds + warmup)) / matches);
      for (const { socket } of clients) await socket.ready();
      return slot;
    }),
  );
}

/** The chosen ones of a list, as an option names them. */
export function choices(name: string, text: string, known: readonly string[]): string[] {
  const chosen = text.split(',');
  const wrong = chosen.find((one) => !known.includes(one));
  if (wrong === undefined) return chosen;
  throw new UsageError(`--${name} takes a list of ${known.join(', ')}, not "${wrong}"`);
}
