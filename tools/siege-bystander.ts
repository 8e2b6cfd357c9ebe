/** Two people who play an ordinary match while somebody else attacks the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import type WebSocket from 'ws';
import { latencies } from './bench/process.ts';
import { Caller, openSocket, PATIENCE_MS, subscribe } from './siege-client.ts';

const LOOK = `query ($id: ID!) { match(id: $id) {
  version status acting mySeat view board legalActions { action label } seats { index acting player { name } } canUndo { possible }
} }`;
const SUBMIT = 'mutation ($input: SubmitActionInput!) { submitAction(input: $input) { version } }';
const EVENTS = `subscription ($id: ID!, $after: Int) { matchEvents(matchId: $id, after: $after) {
  version type seat action label acting at match { version status acting }
} }`;
const OPEN = 'mutation ($input: CreateMatchInput!) { createMatch(input: $input) { id } }';
const JOIN = 'mutation ($id: ID!) { joinMatch(matchId: $id) { version } }';

interface Look {
  version: number;
  status: string;
  acting: number[];
  mySeat: number;
  legalActions: { action: object }[];
}

/** A person thinks, and then a client asks. */
const PAUSE_MS = 60;

interface Person {
  caller: Caller;
  token: string;
}

export interface Experience {
  requests: number;
  failures: number;
  p50: number;
  p99: number;
  /** The longest wait of all. */
  worst: number;
}

export class Bystander {
  readonly #port: number;
  readonly #people: Person[] = [];
  #match = '';
  #sockets: WebSocket[] = [];
  #waits: number[] = [];
  #failures = 0;
  #lastFailure = '';
  /** By version, what waits for the other player's subscription to deliver it. */
  readonly #seen = new Map<number, () => void>();

  constructor(port: number) {
    this.#port = port;
  }

  async arrive(): Promise<void> {
    const anybody = new Caller({ port: this.#port, address: '127.0.0.1' });
    for (const name of ['Ana', 'Bo']) {
      const { register } = await anybody.insist<{ register: { token: string } }>(
        'mutation ($name: String!) { register(name: $name) { token } }',
        { name },
      );
      const { token } = register;
      this.#people.push({ token, caller: new Caller({ port: this.#port, address: '127.0.0.1', token }) });
    }
    anybody.close();
    await this.#sitDown();
  }

  /** Plays for this long, and returns how it went. A failure counts as the longest possible wait. */
  async play(ms: number): Promise<Experience> {
    this.#waits = [];
    this.#failures = 0;
    this.#lastFailure = '';
    for (const until = performance.now() + ms; performance.now() < until; await sleep(PAUSE_MS)) await this.#turn();
    const { p50, p99 } = latencies(this.#waits);
    const worst = Math.round(Math.max(...this.#waits));
    return { requests: this.#waits.length, failures: this.#failures, p50, p99, worst };
  }

  /** The last thing that went wrong, in words. */
  get lastFailure(): string {
    return this.#lastFailure;
  }

  leave(): void {
    for (const { caller } of this.#people) caller.close();
    for (const socket of this.#sockets) socket.terminate();
  }

  async #sitDown(): Promise<void> {
    const [ana, bo] = this.#people as [Person, Person];
    for (const socket of this.#sockets) socket.terminate();
    this.#seen.clear();
    const { createMatch } = await ana.caller.insist<{ createMatch: { id: string } }>(OPEN, {
      input: { game: 'cacao', seats: 2 },
    });
    await bo.caller.insist(JOIN, { id: createMatch.id });
    this.#match = createMatch.id;
    this.#sockets = await Promise.all(this.#people.map(({ token }) => this.#watch(token)));
  }

  async #watch(token: string): Promise<WebSocket> {
    const from = { port: this.#port, address: '127.0.0.1', token };
    const socket = await openSocket(from, ({ type, payload }) => {
      if (type !== 'next') return;
      const { data } = payload as { data?: { matchEvents: { version: number } } };
      if (data) this.#seen.get(data.matchEvents.version)?.();
    });
    subscribe(socket, 'events', EVENTS, { id: this.#match, after: 0 });
    return socket;
  }

  async #turn(): Promise<void> {
    for (const { caller } of this.#people) {
      const look = await this.#timed(() => caller.graphql<{ match: Look }>(LOOK, { id: this.#match }));
      if (!look) continue;
      const { status, version, legalActions } = look.match;
      if (status !== 'ACTIVE') {
        await this.#timed(() => this.#sitDown());
        return;
      }
      const action = legalActions[Math.floor(Math.random() * legalActions.length)]?.action;
      if (!action) continue;
      await this.#submit(caller, version, action);
    }
  }

  /** Resolves when the answer is there and the subscriptions have delivered the event. */
  async #submit(caller: Caller, expectedVersion: number, action: object): Promise<void> {
    const input = { matchId: this.#match, expectedVersion, actionId: String(expectedVersion), action };
    const told = new Promise<void>((resolve) => this.#seen.set(expectedVersion + 1, resolve));
    await this.#timed(async () => {
      await caller.graphql(SUBMIT, { input });
      if ((await Promise.race([told, sleep(PATIENCE_MS, 'late', { ref: false })])) === 'late')
        throw new Error('the event was not delivered');
    });
    this.#seen.delete(expectedVersion + 1);
  }

  async #timed<T>(task: () => Promise<T>): Promise<T | undefined> {
    const start = performance.now();
    try {
      const result = await task();
      this.#waits.push(performance.now() - start);
      return result;
    } catch (error) {
      this.#failures++;
      this.#lastFailure = (error as Error).message;
      this.#waits.push(Math.max(PATIENCE_MS, performance.now() - start));
      return undefined;
    }
  }
}
