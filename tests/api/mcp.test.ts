/** The tools for agents, driven by the protocol's own client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastRng } from '../../src/games/rng.ts';
import { bearer } from '../support/api.ts';
import { graphqlRun } from '../support/api-graphql.ts';
import { rest } from '../support/api-rest.ts';
import { type Member, newMember, type Pair, startPair } from '../support/world.ts';

interface Answer {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent: Record<string, unknown>;
}

interface Table {
  match: string;
  status: string;
  version: number;
  myTurn: boolean;
  legalActions: { number: number; label: string }[];
}

let pair: Pair;
let ann: Member;
let ben: Member;
const agents: Client[] = [];

/** An agent with a token; each of its requests goes to another server. */
async function agent(token: string | undefined): Promise<Client> {
  let turn = 0;
  const fetchInTurn: typeof fetch = (_url, init) => fetch(`${pair.urls[turn++ % 2]}/mcp`, init);
  const transport = new StreamableHTTPClientTransport(new URL(`${pair.urls[0]}/mcp`), {
    requestInit: { headers: bearer(token) },
    fetch: fetchInTurn as never,
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport as never);
  agents.push(client);
  return client;
}

const call = async (client: Client, name: string, args: object = {}): Promise<Answer> =>
  (await client.callTool({ name, arguments: args as Record<string, unknown> })) as Answer;

async function told<T = Table>(client: Client, name: string, args: object = {}): Promise<T> {
  const answer = await call(client, name, args);
  expect([name, answer.isError ?? false, answer.content[0]?.text]).toEqual([name, false, expect.any(String)]);
  return answer.structuredContent as T;
}

beforeAll(async () => {
  pair = await startPair();
  [ann, ben] = [await newMember(rest, pair.urls, 'Ann'), await newMember(rest, pair.urls, 'Ben')];
});
afterAll(async () => {
  await Promise.all(agents.map((client) => client.close()));
  await pair.stop();
});

describe('an agent', () => {
  it('finds tools that describe their arguments', async () => {
    const { tools } = await (await agent(ann.token)).listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_games',
      'read_rules',
      'list_matches',
      'open_match',
      'join_match',
      'look',
      'act',
      'wait_for_turn',
      'replay',
    ]);
    for (const { description, inputSchema } of tools) {
      expect(description?.length).toBeGreaterThan(20);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });

  it('reads of games and their rules', async () => {
    const client = await agent(ann.token);
    const [games] = (await call(client, 'list_games')).content;
    expect(games?.text).toMatch(/cacao: Cacao, 2 to 4 seats.*\n {2}option /);
    const [rules] = (await call(client, 'read_rules', { game: 'hawaii' })).content;
    expect(rules?.text).toMatch(/^# Hawaii/);
    expect(await call(client, 'read_rules', { game: '../design' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'NOT_FOUND' },
    });
  });

  it.each(['cacao', 'hashi', 'haleakala', 'hawaii'])('plays a whole match of %s against another', async (game) => {
    const [one, two] = [await agent(ann.token), await agent(ben.token)];
    const { match, status } = await told(one, 'open_match', { game, seats: 2 });
    expect(status).toBe('OPEN');
    await told(two, 'join_match', { match });
    const chance = fastRng(5);
    let [steps, last] = [0, { status: '' }];
    for (; last.status !== 'FINISHED'; steps++) {
      const mover = steps % 2 === 0 ? one : two;
      let table = await told(mover, 'look', { match });
      while (table.myTurn) {
        const { number } = table.legalActions[chance.int(table.legalActions.length)] as { number: number };
        const choice = { match, version: table.version, number };
        table = await told(mover, 'act', choice);
        if (steps < 2) {
          const again = await told<{ done: unknown }>(mover, 'act', choice);
          expect(again.done).toEqual((table as unknown as { done: unknown }).done);
        }
      }
      last = table;
      if (steps > 1000) throw new Error('without end');
    }
    const over = await told(two, 'wait_for_turn', { match });
    expect(over.status).toBe('FINISHED');
    const { version } = await ann.match(match);
    const { events } = await told<{ events: { version: number; type: string }[] }>(one, 'replay', { match });
    expect(events.map((event) => event.version)).toEqual(
      Array.from({ length: Math.min(100, version) }, (_, i) => i + 1),
    );
    const then = await told(one, 'look', { match, at: 4 });
    expect(then.version).toBe(4);
  });

  it('plays against a bot, and waits for its turn meanwhile', async () => {
    const client = await agent(ann.token);
    const key = { key: 'only once' };
    const { match } = await told(client, 'open_match', { game: 'cacao', bots: ['EASY'], ...key });
    expect((await told(client, 'open_match', { game: 'cacao', bots: ['EASY'], ...key })).match).toBe(match);
    for (let i = 0; i < 4; i++) {
      const table = await told(client, 'wait_for_turn', { match, seconds: 20 });
      expect(table.myTurn).toBe(true);
      await told(client, 'act', { match, version: table.version, number: 1 });
    }
    const { matches } = await told<{ matches: { match: string }[] }>(client, 'list_matches', { which: 'mine' });
    expect(matches.map((one) => one.match)).toContain(match);
  });

  it('hears within seconds that another has acted, and in any of its matches', async () => {
    const [one, two] = [await agent(ann.token), await agent(ben.token)];
    const cho = await newMember(rest, pair.urls, 'Cho');
    const third = await agent(cho.token);
    const { match } = await told(one, 'open_match', { game: 'nim', seats: 2 });
    const start = await told(third, 'join_match', { match });
    const [mover, waiter] = start.myTurn ? [third, one] : [one, third];
    expect(await told(waiter, 'wait_for_turn', { match, seconds: 1 })).toEqual({ myTurn: false, timedOut: true });
    const waiting = told(waiter, 'wait_for_turn', { match });
    const table = await told(mover, 'look', { match });
    await told(mover, 'act', { match, version: table.version, number: 1 });
    expect(await waiting).toMatchObject({ match, myTurn: true });
    if (waiter === third) expect(await told(third, 'wait_for_turn')).toMatchObject({ match, myTurn: true });
    expect(await call(two, 'wait_for_turn', { match })).toMatchObject({ structuredContent: { code: 'NOT_SEATED' } });
  });

  it('is refused with an explanation', async () => {
    const [one, two] = [await agent(ann.token), await agent(ben.token)];
    const hidden = await told<Table & { invite: string }>(one, 'open_match', { game: 'nim', private: true });
    const { match } = hidden;
    const codeOf = async (client: Client, name: string, args: object) => {
      const { isError, structuredContent, content } = await call(client, name, args);
      return [isError, structuredContent.code, content[0]?.text.startsWith(`${structuredContent.code}: `)];
    };
    expect(await codeOf(two, 'look', { match })).toEqual([true, 'NOT_FOUND', true]);
    expect(await codeOf(two, 'join_match', { match })).toEqual([true, 'NOT_FOUND', true]);
    const table = await told(two, 'join_match', { match, invite: hidden.invite });
    const mover = table.myTurn ? two : one;
    const [version, waits] = [table.version, mover === one ? two : one];
    expect(await codeOf(mover, 'act', { match, version, number: 99 })).toEqual([true, 'ILLEGAL_ACTION', true]);
    expect(await codeOf(waits, 'act', { match, version, number: 1 })).toEqual([true, 'NOT_YOUR_TURN', true]);
    expect(await codeOf(mover, 'act', { match, version: 999, number: 1 })).toEqual([true, 'BAD_INPUT', true]);
    await told(mover, 'act', { match, version, number: 1 });
    expect(await codeOf(mover, 'act', { match, version, number: 2 })).toEqual([true, 'STALE_VERSION', true]);
    await expect(call(one, 'look', { match: 7 })).rejects.toThrow(/look: match/);
    await expect(call(one, 'look', {})).rejects.toThrow('look: the arguments must have required properties match');
    const misnamed = { matchId: match };
    await expect(call(one, 'look', misnamed)).rejects.toThrow(/look: there is no argument matchId, only match/);
    await expect(call(one, 'list_games', misnamed)).rejects.toThrow(/there is no argument matchId$/);
    await expect(call(one, 'steal', {})).rejects.toThrow(/There is no tool steal/);
  });

  it('does no more than its token allows', async () => {
    const mutation = 'mutation { createToken(name: "reader", scopes: [READ]) { token } }';
    const { createToken } = await graphqlRun(pair.urls, ann.token)<{ createToken: { token: string } }>(mutation);
    const reader = await agent(createToken.token);
    await told(reader, 'list_games');
    expect(await call(reader, 'open_match', { game: 'cacao' })).toMatchObject({
      isError: true,
      structuredContent: { code: 'FORBIDDEN', scope: 'CREATE' },
    });
    await expect(agent(undefined)).rejects.toThrow();
  });
});

describe('the path', () => {
  const send = (init: RequestInit) => fetch(`${pair.urls[0]}/mcp`, init);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

  it('is for those with a token, one message at a time', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const anonymous = await send({ method: 'POST', headers, body });
    expect([anonymous.status, anonymous.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Bearer/),
    ]);
    const batch = await send({ method: 'POST', headers: { ...headers, ...bearer(ann.token) }, body: `[${body}]` });
    expect(batch.status).toBe(400);
    const long = await send({
      method: 'POST',
      headers: { ...headers, ...bearer(ann.token) },
      body: body.padEnd(40_000),
    });
    expect(long.status).toBe(413);
    for (const method of ['GET', 'DELETE']) expect((await send({ method })).status).toBe(405);
  });

  it('has at most 30 calls of a player under way', async () => {
    const cas = await newMember(rest, pair.urls, 'Cas');
    const params = { name: 'wait_for_turn', arguments: { seconds: 1 } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const wait = () => send({ method: 'POST', headers: { ...headers, ...bearer(cas.token) }, body });
    const answers = await Promise.all(Array.from({ length: 31 }, wait));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(30).fill(200), 429]);
    expect((await wait()).status).toBe(200);
  });

  it.each(['null', '{}', '7', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1,"method":"tools/call"}'])(
    'answers nonsense with an error of the caller: %s',
    async (body) => {
      const response = await send({ method: 'POST', headers: { ...headers, ...bearer(ann.token) }, body });
      expect(response.status).toBeLessThan(500);
      expect(await response.text()).toMatch(/error|detail/);
    },
  );
});
