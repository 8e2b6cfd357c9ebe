/** The match as it stood after each event: the same by every way that tells it, and nothing that was not known then. */
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, expect, it } from 'vitest';
import WebSocket from 'ws';
import { fastRng } from '../../src/games/rng.ts';
import { playOut } from '../support/api.ts';
import { graphql, graphqlRun } from '../support/api-graphql.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { type Member, newMember } from '../support/world.ts';

let database: FreshDatabase;
let instance: Instance;
let ann: Member;
let ben: Member;
let id: string;
let version: number;

interface State {
  version: number;
  acting: number[];
  view: unknown;
  board: string | null;
  description: string[] | null;
  legalActions: { label: string }[];
  event: { version: number; label: string | null } | null;
}

/** What each seat saw while the match was played, by version. */
const seen = new Map<string, Omit<State, 'event'>>();

beforeAll(async () => {
  database = await freshDatabase();
  instance = await startInstance(database.url);
  [ann, ben] = [await newMember(graphql, [instance.url], 'Ann'), await newMember(graphql, [instance.url], 'Ben')];
  id = (await ann.createMatch({ game: 'hashi', seats: 2 })).id;
  await ben.join(id);
  const query = 'query ($id: ID!) { match(id: $id) { version acting view board description legalActions { label } } }';
  const chance = fastRng(3);
  const choose = (n: number) => chance.int(n);
  const look = async () => {
    for (const { token } of [ann, ben]) {
      const { match } = await graphqlRun([instance.url], token)<{ match: State }>(query, { id });
      seen.set(`${token} ${match.version}`, match);
    }
  };
  version = await playOut(id, [ann, ben], choose, look);
});
afterAll(async () => {
  await instance?.stop();
  await database?.drop();
});

const FIELDS = 'version acting view board description legalActions { label } event { version label }';

/** A picture of now also shows what can be chosen now. */
const known = ({ version, acting, view, legalActions }: Omit<State, 'event'>) => ({
  version,
  acting,
  view,
  legalActions,
});

async function states(token: string | undefined, from: number, to: number): Promise<State[]> {
  const query = `query ($id: ID!) { match(id: $id) { states(from: ${from}, to: ${to}) { ${FIELDS} } } }`;
  return (await graphqlRun([instance.url], token)<{ match: { states: State[] } }>(query, { id })).match.states;
}

it('shows what each seat knew and could do at that time', async () => {
  expect(version).toBeGreaterThan(60);
  for (const { token } of [ann, ben]) {
    for (let from = 3; from < version; from += 50) {
      const to = Math.min(from + 49, version - 1);
      for (const state of await states(token, from, to)) {
        const then = seen.get(`${token} ${state.version}`);
        expect(known(state)).toEqual(known(then as State));
        expect(state.event?.version).toBe(state.version);
        expect(state.board).toContain('<svg');
      }
    }
  }
});

it('is the same by view(at), by the history, and by a subscription', async () => {
  const [from, to] = [20, 30];
  const wanted = await states(ann.token, from, to);
  const run = graphqlRun([instance.url], ann.token);
  const at = await run<{ match: Record<string, unknown> }>(
    `query ($id: ID!) { match(id: $id) { ${wanted.map((s) => `v${s.version}: view(at: ${s.version})`).join(' ')} } }`,
    { id },
  );
  expect(Object.values(at.match)).toEqual(wanted.map(({ view }) => view));
  const history = await run<{ match: { events: { matchThen: State }[] } }>(
    `query ($id: ID!) { match(id: $id) { events(after: ${from - 1}, first: ${to - from + 1}) { matchThen { ${FIELDS} } } } }`,
    { id },
  );
  expect(history.match.events.map(({ matchThen }) => matchThen)).toEqual(wanted);
  const client = createClient({
    url: `${instance.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { token: ann.token },
  });
  const told: State[] = [];
  const query = `subscription ($id: ID!) { matchEvents(matchId: $id, after: ${from - 1}) { matchThen { ${FIELDS} } } }`;
  for await (const { data } of client.iterate<{ matchEvents: { matchThen: State } }>({ query, variables: { id } })) {
    told.push((data as { matchEvents: { matchThen: State } }).matchEvents.matchThen);
    if (told.length === wanted.length) break;
  }
  await client.dispose();
  expect(told).toEqual(wanted);
});

it('shows spectators what they could see, and after the end any seat', async () => {
  const [now] = await states(undefined, 12, 12);
  expect(now?.legalActions).toEqual([]);
  expect(now?.view).not.toEqual((await states(ann.token, 12, 12))[0]?.view);
  const run = graphqlRun([instance.url]);
  const query = 'query ($id: ID!) { match(id: $id) { states(from: 12, to: 12) { view(seat: 0) } } }';
  const { match } = await run<{ match: { states: State[] } }>(query, { id });
  expect(match.states[0]?.view).toEqual((await states(ann.token, 12, 12))[0]?.view);
});

it('says how many states fit into an operation that asks for too many', async () => {
  const query = (range: string) => `query ($id: ID!) { match(id: $id) { states(${range}) { ${FIELDS} } } }`;
  const strict = await startInstance(database.url, { env: { GRAPHQL_MAX_COST: '2000' } });
  const run = graphqlRun([strict.url], ann.token);
  const refusal = await run(query('from: 0, to: 99'), { id }).catch((error: Error) => error.message);
  const [, fit] = /With these fields at most (\d+) states fit/.exec(String(refusal)) ?? [];
  await run(query(`from: 1, to: ${fit}`), { id });
  await expect(run(query(`from: 0, to: ${fit}`), { id })).rejects.toThrow(`at most ${fit} states fit`);
  const variables = query('from: $from, to: $to').replace('($id: ID!)', '($id: ID!, $from: Int!, $to: Int!)');
  await expect(run(variables, { id, from: 0, to: 1 })).rejects.toThrow('variables count as 100 states');
  await strict.stop();
});

it('comes in answers of at most 100, within the versions there are', async () => {
  const many = 'query ($id: ID!) { match(id: $id) { states(from: 0, to: 100) { version } } }';
  await expect(graphqlRun([instance.url])(many, { id })).rejects.toThrow(/At most 100 states|versions of this match/);
  expect(await graphqlRun([instance.url])(many.replace(', to: 100', ''), { id })).toMatchObject({
    match: { states: { length: Math.min(100, version + 1) } },
  });
  await expect(states(ann.token, 5, 4)).rejects.toThrow(/versions of this match/);
  await expect(states(ann.token, -1, 4)).rejects.toThrow(/versions of this match/);
  await expect(states(ann.token, version - 3, version + 1)).rejects.toThrow(/At most|versions of this match/);
  const [first] = await states(ann.token, 0, 0);
  expect(first).toMatchObject({ version: 0, event: null, view: null, board: null, legalActions: [], acting: [] });
});
