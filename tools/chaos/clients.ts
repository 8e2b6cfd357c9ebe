/** Players at the tables: they send the same action again until it is answered, to any server that is up. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Rng } from '../../src/games/game.ts';
import type { Instance } from './instances.ts';
import type { Record } from './record.ts';

type Json = { [key: string]: unknown };

interface Reply {
  status: number;
  body: Json;
}

const REQUEST_MS = 30_000;
/** How far the time of an event may differ from when its sender received it, and from when it was first sent. */
const TIME_MS = 20_000;

const EVENT = 'version hash at';
const SUBMIT = `mutation ($input: SubmitActionInput!) { submitAction(input: $input) { version event { ${EVENT} } } }`;

export interface Around {
  instances: readonly Instance[];
  record: Record;
  rng: Rng;
  over: () => boolean;
}

export class People {
  readonly instances: readonly Instance[];
  readonly record: Record;
  readonly rng: Rng;
  readonly over: () => boolean;

  constructor({ instances, record, rng, over }: Around) {
    this.instances = instances;
    this.record = record;
    this.rng = rng;
    this.over = over;
  }

  /** Sends one request to one server. Status 0 means that it did not answer. */
  async ask(to: Instance, method: string, path: string, token?: string, body?: unknown, key?: string): Promise<Reply> {
    const began = performance.now();
    const reply = await this.#send(to, method, path, token, body, key);
    const { errors } = reply.body as { errors?: { extensions: { code: string } }[] };
    const code = reply.status === 0 ? 'no answer' : (errors?.[0]?.extensions.code ?? String(reply.body.code ?? 'ok'));
    this.record.answered(to.name, `${method} ${path}`, code, began);
    if (code === 'INTERNAL') this.record.violate(`${to.name} answered INTERNAL to ${method} ${path}`);
    return { ...reply, body: { ...reply.body, code: code === 'ok' ? undefined : code } };
  }

  async #send(
    to: Instance,
    method: string,
    path: string,
    token?: string,
    body?: unknown,
    key?: string,
  ): Promise<Reply> {
    try {
      const response = await fetch(`${to.url}${path}`, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(key && { 'idempotency-key': key }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        signal: AbortSignal.timeout(REQUEST_MS),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Json };
    } catch {
      return { status: 0, body: {} };
    }
  }

  /** Sends the same request until the answer is something other than "try again", each time to another server. */
  async insist(method: string, path: string, token?: string, body?: unknown): Promise<Json | undefined> {
    const key = method === 'POST' ? randomUUID() : undefined;
    while (!this.over()) {
      const reply = await this.ask(this.rng.pick(this.instances), method, path, token, body, key);
      if (reply.status > 0 && reply.status < 300) return reply.body;
      if (reply.status > 0 && reply.status !== 503) return undefined;
      await sleep(100 + this.rng.int(300));
    }
    return undefined;
  }

  async register(name: string): Promise<string> {
    const registered = await this.insist('POST', '/v1/players', undefined, { name });
    return String(registered?.token);
  }

  /**
   * Sends one action over either face until its receipt comes. Resolves to false if it is refused, for example because
   * it came too late.
   */
  async submit(match: string, token: string, action: unknown, only?: Instance): Promise<boolean> {
    const actionId = randomUUID();
    const first = Date.now();
    while (!this.over()) {
      const to = only ?? this.rng.pick(this.instances);
      const byGraphql = this.rng.int(2) === 0;
      const input = { matchId: match, actionId, action };
      const reply = byGraphql
        ? await this.ask(to, 'POST', '/graphql', token, { query: SUBMIT, variables: { input } })
        : await this.ask(to, 'POST', `/v1/matches/${match}/actions`, token, { actionId, action });
      const data = (byGraphql ? (reply.body.data as Json | null)?.submitAction : reply.body) as Json | undefined;
      if (data?.event) {
        const { version, hash, at } = data.event as { version: number; hash: string; at: string };
        this.record.acknowledged.push({ match, actionId, version, hash });
        const time = Date.parse(at);
        if (time < first - TIME_MS || time > Date.now() + TIME_MS)
          this.record.violate(`${match} ${version} is dated ${at}`);
        return true;
      }
      if (!['UNAVAILABLE', 'no answer', 'RATE_LIMITED'].includes(String(reply.body.code))) return false;
      await sleep(100 + this.rng.int(300));
    }
    return false;
  }

  /** Opens tables of a game and plays them, one after another. */
  async table(game: string, seats: number, follow: (match: string) => void): Promise<void> {
    const tokens = await Promise.all(Array.from({ length: seats }, (_, i) => this.register(`${game} ${i}`)));
    while (!this.over()) {
      const made = await this.insist('POST', '/v1/matches', tokens[0], { game, seats });
      if (!made) continue;
      const match = String(made.id);
      for (const token of tokens.slice(1)) await this.insist('POST', `/v1/matches/${match}/seats`, token, {});
      follow(match);
      await Promise.all(tokens.map((token) => this.#play(match, token)));
    }
  }

  async #play(match: string, token: string): Promise<void> {
    while (!this.over()) {
      const legal = await this.insist('GET', `/v1/matches/${match}/legal-actions`, token);
      const list = (legal?.legalActions ?? []) as { action: Json }[];
      if (list.length > 0) await this.submit(match, token, this.rng.pick(list).action);
      else if (await this.#isOver(match, token)) return;
      await sleep(50 + this.rng.int(200));
    }
  }

  async #isOver(match: string, token: string): Promise<boolean> {
    const found = await this.insist('GET', `/v1/matches/${match}`, token);
    return found !== undefined && found.endedAt !== null;
  }

  /** Acts continuously through one server only, to show when it works again. */
  async canary(only: Instance, until = () => false): Promise<void> {
    const token = await this.register(`canary ${only.name}`);
    while (!this.over() && !until()) {
      const made = await this.insist('POST', '/v1/matches', token, { game: 'hashi', seats: 1 });
      for (let going = made !== undefined; going && !this.over() && !until(); ) {
        const reply = await this.ask(only, 'GET', `/v1/matches/${made?.id}/legal-actions`, token);
        const list = (reply.body.legalActions ?? []) as { action: Json }[];
        if (reply.status === 200 && list.length === 0) break;
        if (list.length > 0) going = await this.submit(String(made?.id), token, this.rng.pick(list).action, only);
        await sleep(100);
      }
    }
  }
}
