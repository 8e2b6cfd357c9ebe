/** Operations that need no executor are answered, to the last byte, as the executor answers them. */
import { parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { operationOf } from '../../src/api/graphql/documents/parsing.ts';
import { plainOf } from '../../src/api/graphql/documents/plain.ts';
import { fastRng } from '../../src/games/rng.ts';
import { bearer } from '../support/api.ts';
import { EVENT } from '../support/api-graphql.ts';
import { rest } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { type Member, newMember } from '../support/world.ts';

const events = (root: string, selection: string, more = '') =>
  `subscription ($id: ID!) { ${root}matchEvents(matchId: $id) { ${selection} } } ${more}`;
const FRAGMENT = 'fragment Rest on MatchEvent { label ...More } fragment More on MatchEvent { targets hash undone }';

/** Each with the same operation in a form that only the executor takes. */
const SUBSCRIPTIONS: [string, string, string][] = [
  ['everything', events('', EVENT), events('', `${EVENT} @include(if: true)`)],
  [
    'aliases and fragments',
    events(
      'e: ',
      'n: version __typename ...Rest ... on MatchEvent { who: seat seat ... { acting } } ...Rest',
      FRAGMENT,
    ),
    events(
      'e: ',
      'n: version @skip(if: false) __typename ...Rest ... on MatchEvent { who: seat seat ... { acting } } ...Rest',
      FRAGMENT,
    ),
  ],
  [
    'effects that are merged',
    events('', 'effects { type } version effects { __typename what: text data }'),
    events('', 'effects { type } version effects { __typename @include(if: true) what: text data }'),
  ],
];
const input = '($input: SubmitActionInput!) { submitAction(input: $input)';
const SUBMISSIONS: [string, string] = [
  `mutation ${input} { __typename v: version event { ${EVENT} } } }`,
  `mutation ${input} { __typename v: version event @include(if: true) { ${EVENT} } } }`,
];

const isPlain = (query: string): boolean => {
  const document = parse(query);
  return plainOf(document, operationOf(document, null) as never) !== null;
};

describe('what is plain', () => {
  it.each([...SUBSCRIPTIONS, ['a submission', ...SUBMISSIONS] as const])('%s', (_, plain, executed) => {
    expect([isPlain(plain), isPlain(executed)]).toEqual([true, false]);
  });

  it.each([
    ['what depends on who asks', events('', 'version match { mySeat }')],
    [
      'two submissions',
      `mutation ($input: SubmitActionInput!) { a: submitAction(input: $input) { version }
      b: submitAction(input: $input) { version } }`,
    ],
    ['the match of a receipt', `mutation ${input} { match { id } } }`],
    ['an input in pieces', 'mutation ($a: JSON!) { submitAction(input: { matchId: "x", action: $a }) { version } }'],
    [
      'an input with a default',
      `mutation ($input: SubmitActionInput! = { matchId: "x", action: {} }) {
      submitAction(input: $input) { version } }`,
    ],
    ['another mutation', 'mutation { resign(matchId: "x") { version } }'],
    ['a query', '{ me { id } }'],
  ])('not %s', (_, query) => {
    expect(isPlain(query)).toBe(false);
  });
});

let database: FreshDatabase;
let instance: Instance;
let ann: Member;
let ben: Member;

beforeAll(async () => {
  database = await freshDatabase();
  instance = await startInstance(database.url);
  ann = await newMember(rest, [instance.url], 'Ann');
  ben = await newMember(rest, [instance.url], 'Ben');
});
afterAll(async () => {
  await instance.stop();
  await database.drop();
});

/** The texts of the answers to a subscription, as they came. */
async function follow(id: string, token: string | undefined, query: string): Promise<{ texts: string[]; end(): void }> {
  const socket = new WebSocket(`${instance.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const texts: string[] = [];
  await new Promise((resolve) => socket.once('open', resolve));
  socket.on('message', (data) => {
    const text = String(data);
    if (text.includes('connection_ack')) {
      socket.send(JSON.stringify({ id: 's', type: 'subscribe', payload: { query, variables: { id } } }));
    } else if (text.includes('"type":"next"')) {
      texts.push(text);
    }
  });
  socket.send(JSON.stringify({ type: 'connection_init', payload: token ? { token } : {} }));
  return { texts, end: () => socket.terminate() };
}

async function post(query: string, variables: object, token: string | undefined): Promise<string> {
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  const body = JSON.stringify({ query, variables });
  return (await fetch(`${instance.url}/graphql`, { method: 'POST', headers, body })).text();
}

describe.each(['highest', 'hashi', 'hawaii', 'cacao', 'haleakala'])('%s', (game) => {
  it('is sent to everybody exactly as by the executor, including what is hidden from some', async () => {
    const { id } = await ann.createMatch({ game, seats: 2 });
    await ben.join(id);
    const eyes = [ann.token, ben.token, undefined];
    const streams = await Promise.all(
      eyes.flatMap((token) => SUBSCRIPTIONS.flatMap(([, ...both]) => both.map((query) => follow(id, token, query)))),
    );
    const rng = fastRng(5);
    let version = 3;
    for (let n = 0; n < 12; n++) {
      const { acting } = await ann.match(id);
      const player = [ann, ben][acting.at(-1) ?? 2];
      if (!player) break;
      const { action } = rng.pick(await player.legalActions(id));
      const variables = { input: { matchId: id, action, actionId: `${n}`, expectedVersion: version } };
      const answers = [await post(SUBMISSIONS[0], variables, player.token)];
      version = JSON.parse(answers[0] as string).data.submitAction.v;
      for (const { texts } of streams) await expect.poll(() => texts.length, { interval: 2 }).toBe(version);
      // Sent again it changes nothing, so that both ways can be compared.
      for (const query of SUBMISSIONS) answers.push(await post(query, variables, player.token));
      expect(new Set(answers).size).toBe(1);
    }
    for (let i = 0; i < streams.length; i += 2) expect(streams[i]?.texts).toEqual(streams[i + 1]?.texts);
    const [own, , , , , , other, , , , , , nobody] = streams.map(({ texts }) => texts);
    const hasSecrets = ['highest', 'hashi'].includes(game);
    // Each seat has seen what it did itself; nobody else has, while it was secret.
    expect(own?.join() === other?.join()).toBe(!hasSecrets);
    expect(other?.join() === nobody?.join()).toBe(!hasSecrets);
    for (const { end } of streams) end();
  });
});

it.each([
  ['an input that is no object', { input: 7 }],
  ['no match', { input: { action: {} } }],
  ['no action', { input: { matchId: 'x', action: null } }],
  ['a version that is no number', { input: { matchId: 'x', action: {}, expectedVersion: '3' } }],
  ['a version beyond 32 bits', { input: { matchId: 'x', action: {}, expectedVersion: 2 ** 40 } }],
  ['an unknown field', { input: { matchId: 'x', action: {}, more: 1 } }],
  ['numbers for names', { input: { matchId: 7, actionId: 8, action: {} } }],
  ['an unknown match', { input: { matchId: 'x', action: {} } }],
  ['no input at all', {}],
])('%s is refused as by the executor', async (_, variables) => {
  const texts = await Promise.all(SUBMISSIONS.map((query) => post(query, variables, ann.token)));
  expect(texts[0]).toContain('"errors"');
  // The twin differs by a directive, which moves nothing before it.
  expect(texts[0]).toBe(texts[1]);
  expect(await post(SUBMISSIONS[0], variables, undefined)).toBe(await post(SUBMISSIONS[1], variables, undefined));
});
