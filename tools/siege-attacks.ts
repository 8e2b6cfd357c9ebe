/** The attacks. Each continues until its time is up, whatever the answers. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT_ATTACKS } from './siege-account-attacks.ts';
import { Caller, rawConnection, requestText } from './siege-client.ts';
import {
  aliased,
  anybody,
  operation,
  operations,
  player,
  readOnce,
  requests,
  rng,
  type Siege,
  storm,
  subscriptions,
  unread,
} from './siege-storm.ts';
import { LONG } from './siege-world.ts';

const createMatch = (input: string) => `createMatch(input: { ${input} }) { id }`;

export const ATTACKS: Record<string, (siege: Siege) => Promise<void>> = {
  'subscription: an export with every event': (siege) =>
    subscriptions(
      siege,
      2,
      4,
      anybody(siege),
      `subscription { matchEvents(matchId: "${siege.long}", after: 0) { version match { id export } } }`,
    ),
  'subscription: 29 earlier views with every event': (siege) =>
    subscriptions(
      siege,
      1,
      4,
      anybody(siege),
      `subscription { matchEvents(matchId: "${siege.ordinary}", after: 0) { match { ${aliased(29, (i) => `view(at: ${100 + 2 * i})`)} } } }`,
    ),
  'subscription: boards, from the beginning': (siege) =>
    subscriptions(
      siege,
      10,
      20,
      anybody(siege),
      `subscription { matchEvents(matchId: "${siege.long}", after: 0) { version match { board view legalActions { label } } } }`,
    ),
  'event streams of a long match, over and over': (siege) => {
    const from = { ...anybody(siege), accept: 'text/event-stream' };
    const callers = Array.from({ length: 20 }, () => new Caller(from));
    return storm(siege, 20, (lane) =>
      (callers[lane] as Caller).send('GET', `/v1/matches/${siege.long}/events?after=0`, undefined, 30_000),
    );
  },
  'earlier views and boards of a long match': (siege) =>
    operations(
      siege,
      16,
      () => anybody(siege),
      () =>
        `{ match(id: "${siege.long}") { ${aliased(30, (i) => `${i % 2 ? 'view' : 'board'}(at: ${LONG - rng(500)})`)} } }`,
    ),
  'exports by GraphQL': (siege) =>
    operations(
      siege,
      8,
      () => anybody(siege),
      () => `{ match(id: "${siege.long}") { ${aliased(15, () => 'export')} } }`,
    ),
  'exports by REST': (siege) => {
    const callers = Array.from({ length: 16 }, () => new Caller(anybody(siege)));
    return storm(siege, 16, (lane) =>
      (callers[lane] as Caller).send('GET', `/v1/matches/${siege.long}/export`, undefined, 30_000),
    );
  },
  'the dearest documents': (siege) =>
    operations(
      siege,
      16,
      () => anybody(siege),
      (_, n) =>
        n % 2
          ? '{ matches(first: 100) { edges { node { board view legalActions { label } } } } }'
          : `{ match(id: "${siege.long}") { ${aliased(4, (i) => `events(first: 500, after: ${i * 500}) { version type seat action label acting at hash }`)} } }`,
    ),
  'long matches that nobody remembers': (siege) => {
    const callers = Array.from({ length: 24 }, () => new Caller(anybody(siege)));
    return storm(siege, 24, (lane, n) =>
      (callers[lane] as Caller).send(
        'GET',
        `/v1/matches/${siege.cold[(lane + n) % siege.cold.length]}`,
        undefined,
        30_000,
      ),
    );
  },
  'standing orders, 30 in a request': (siege) =>
    operations(
      siege,
      8,
      (lane) => player(siege, lane % 2),
      () =>
        `mutation { ${aliased(30, () => `setOrder(matchId: "${siege.running}", order: { work: "ask" }) { version }`)} }`,
    ),
  'acting and taking back': async (siege) => {
    const callers = [0, 1].map((i) => new Caller(player(siege, i)));
    await storm(siege, 2, async (lane) => {
      const caller = callers[lane] as Caller;
      const path = `/v1/matches/${siege.running}`;
      const legal = await caller.send('GET', `${path}/legal-actions`);
      const { legalActions = [] } = JSON.parse(legal.text) as { legalActions?: { action: object }[] };
      const [first] = legalActions;
      if (first) await caller.send('POST', `${path}/actions`, JSON.stringify({ action: first.action }));
      const { version } = JSON.parse((await caller.send('GET', path)).text) as { version: number };
      return caller.send('POST', `${path}/undo`, JSON.stringify({ expectedVersion: version }));
    });
  },
  forks: (siege) =>
    operations(
      siege,
      8,
      (lane) => player(siege, lane),
      () => `mutation { ${aliased(30, () => `forkMatch(matchId: "${siege.long}", at: ${LONG - rng(500)}) { id }`)} }`,
    ),
  imports: (siege) => {
    const text = readFileSync(siege.document, 'utf8');
    // Wrong only in its last event, so that all of it has to be proven.
    const end = text.lastIndexOf('"stateHash":"') + '"stateHash":"'.length;
    const wrong = `${text.slice(0, end)}${'0'.repeat(64)}${text.slice(end + 64)}`;
    const callers = Array.from({ length: 4 }, (_, lane) => new Caller(player(siege, lane)));
    return storm(siege, 4, (lane, n) =>
      (callers[lane] as Caller).send('POST', '/v1/matches/import', n % 2 ? text : wrong, 60_000),
    );
  },
  'answers that nobody reads': (siege) =>
    unread(siege, 25, requestText(anybody(siege), 'GET', `/v1/matches/${siege.ordinary}/export`).repeat(400)),
  'pictures that nobody reads': (siege) =>
    unread(siege, 100, requestText(anybody(siege), 'GET', `/v1/matches/${siege.ordinary}/board.svg`).repeat(100)),
  'event streams that nobody reads': (siege) =>
    unread(
      siege,
      300,
      requestText(anybody(siege), 'GET', `/v1/matches/${siege.long}/events`, '', 'Accept: text/event-stream\r\n'),
    ),
  'thousands of connections': async (siege) => {
    const open = Array.from({ length: 4000 }, () => rawConnection(anybody(siege)));
    for (const socket of open) socket.write('GET /v1/games HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    await sleep(Math.max(0, siege.until - performance.now()));
    siege.tally.ok = open.filter(({ destroyed, connecting }) => !destroyed && !connecting).length;
    siege.tally.refused = open.length - siege.tally.ok;
    for (const socket of open) socket.destroy();
  },
  'matches, as many as can be': (siege) =>
    operations(
      siege,
      16,
      (lane) => player(siege, lane),
      () => `mutation { ${aliased(30, () => createMatch('game: "hawaii", seats: 5'))} }`,
    ),
  'matches of five hard bots': (siege) =>
    operations(
      siege,
      4,
      (lane) => player(siege, lane),
      () =>
        `mutation { ${aliased(30, () => createMatch('game: "hawaii", seats: 5, sit: false, bots: [HARD, HARD, HARD, HARD, HARD]'))} }`,
    ),
  registrations: (siege) =>
    operations(
      siege,
      8,
      () => anybody(siege),
      () => `mutation { ${aliased(30, (i) => `register(name: "nobody ${i}") { token }`)} }`,
    ),
  'wrong tokens': (siege) =>
    operations(
      siege,
      16,
      (lane) => ({ ...anybody(siege), token: `atoll_${lane}${'x'.repeat(42)}` }),
      () => '{ me { id } }',
    ),
  'states of a long match by REST': (siege) =>
    requests(
      siege,
      16,
      () => anybody(siege),
      () => {
        const from = rng(LONG - 100);
        const query = `from=${from}&to=${from + 29}&include=view,board`;
        return ['GET', `/v1/matches/${siege.long}/states?${query}`, undefined];
      },
      [200],
    ),
  'states and matchThen by GraphQL': (siege) =>
    requests(
      siege,
      16,
      () => anybody(siege),
      (_, n) => {
        const from = rng(LONG - 50);
        const fields = n % 2 ? `states(from: ${from}, to: ${from + 20})` : `events(after: ${from}, first: 20)`;
        const then = 'view board legalActions { label }';
        const query = `{ match(id: "${siege.long}") { ${fields} { ${n % 2 ? then : `matchThen { ${then} }`} } } }`;
        return ['POST', '/graphql', operation(query)];
      },
      ({ status, text }) => status === 200 && !text.startsWith('{"errors"'),
    ),
  'lines of a long match that nobody reads': async (siege) => {
    const accept = 'application/x-ndjson';
    const path = `/v1/matches/${siege.long}`;
    const query = 'include=view,board,description,legalActions';
    await readOnce(
      siege,
      { ...anybody(siege), accept },
      ['GET', `${path}/events?after=${LONG - 10}&${query}`],
      (text) => text.includes('"matchThen"'),
    );
    const texts = [`${path}/events?after=0&${query}`, `${path}/states?from=0&to=99&${query}`].map((target) =>
      requestText(anybody(siege), 'GET', target, '', `Accept: ${accept}\r\n`),
    );
    await unread(siege, 300, (i) => texts[i % 2] as string);
  },
  'options, actions and orders of 20,000 keys': (siege) => {
    const keys = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1])));
    const graphql = (query: string) => `{"query":${JSON.stringify(query)},"variables":{"keys":${keys}}}`;
    const texts: [path: string, text: string][] = [
      ['/v1/matches', `{"game":"cacao","seats":2,"options":${keys}}`],
      [`/v1/matches/${siege.running}/actions`, `{"action":${keys}}`],
      [
        '/graphql',
        graphql('mutation ($keys: JSON) { createMatch(input: { game: "cacao", seats: 2, options: $keys }) { id } }'),
      ],
      [
        '/graphql',
        graphql(`mutation ($keys: JSON!) { setOrder(matchId: "${siege.running}", order: $keys) { version } }`),
      ],
    ];
    return requests(
      siege,
      8,
      (lane) => player(siege, lane),
      (_, n) => ['POST', ...(texts[n % texts.length] as [string, string])],
      // Each is refused for what it says, not for its path or its length.
      ({ text }) => /"code":"(BAD_INPUT|ILLEGAL_ACTION|NOT_SEATED|NOT_YOUR_TURN)"/.test(text),
    );
  },
  ...ACCOUNT_ATTACKS,
};
