/** Attacks on accounts, signing in, apps, agents and what players can find out about each other. */
import { type Answer, Caller, type From, requestText } from './siege-client.ts';
import {
  aliased,
  anybody,
  operation,
  player,
  readOnce,
  requests,
  rng,
  type Siege,
  storm,
  unread,
} from './siege-storm.ts';

const APP = 'https://app.example.org';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const app = (siege: Siege): From => ({ ...anybody(siege), headers: FORM });
const random = (length: number) => Array.from({ length }, () => 'BCDFGHJKLMNPQRSTVWXZ'[rng(20)]).join('');

const AUTHORIZE = `/oauth/authorize?${form({
  response_type: 'code',
  client_id: APP,
  redirect_uri: `${APP}/back`,
  scope: 'read play',
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
})}`;

/** A browser in which this player has signed in. */
async function browser(siege: Siege, i: number): Promise<Caller> {
  const caller = new Caller(player(siege, i));
  const { status, text, cookie } = await caller.send('POST', '/v1/session', '{}');
  caller.close();
  if (!cookie) throw new Error(`no session: ${status} ${text}`);
  const headers = { ...FORM, cookie, origin: `http://127.0.0.1:${siege.port}` };
  return new Caller({ ...anybody(siege), headers });
}

const browsers = (siege: Siege, n: number) => Promise.all(Array.from({ length: n }, (_, i) => browser(siege, i)));

const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const tool = (name: string, given: object) => rpc('tools/call', { name, arguments: given });
const HELLO = rpc('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'siege', version: '1' },
});
const AGENT = 'application/json, text/event-stream';
const agent = (siege: Siege, i: number): From => ({ ...player(siege, i), accept: AGENT });

const localhost = (siege: Siege, from: From): From => ({ ...from, headers: { host: `localhost:${siege.port}` } });

const isData = ({ status, text }: Answer) => status === 200 && !text.startsWith('{"errors"');

const APPS: Record<string, (siege: Siege) => Promise<void>> = {
  'apps: wrong codes and tokens': (siege) =>
    requests(
      siege,
      16,
      () => app(siege),
      (_, n) => {
        const code = { grant_type: 'authorization_code', code: random(43), code_verifier: random(43) };
        const refresh = { grant_type: 'refresh_token', refresh_token: `refresh_${random(43)}` };
        const fields = { ...(n % 2 ? code : refresh), client_id: APP, redirect_uri: `${APP}/back` };
        return n % 3
          ? ['POST', '/oauth/token', form(fields)]
          : ['POST', '/oauth/revoke', form({ token: `atoll_${random(43)}` })];
      },
      ({ status, text }) => status === 200 || text.includes('"invalid_grant"'),
    ),
  'apps: huge forms and forms of many fields': (siege) => {
    const many = Array.from({ length: 3000 }, (_, i) => i.toString(36)).join('&');
    const texts = ['a='.padEnd(200_000, 'a'), '%41'.repeat(60_000), many, '&'.repeat(16_000)];
    const paths = ['/oauth/token', '/oauth/device', '/oauth/revoke', '/oauth/authorize'];
    return requests(
      siege,
      16,
      () => app(siege),
      (lane, n) => ['POST', paths[lane % 4] as string, texts[n % 4]],
      [400, 413],
    );
  },
  'apps: device codes, asked for and polled': (siege) => {
    const codes: string[] = [];
    const callers = Array.from({ length: 16 }, () => new Caller(app(siege)));
    return storm(
      siege,
      16,
      async (lane, n) => {
        const caller = callers[lane] as Caller;
        if (n % 4 === 0) {
          const answer = await caller.send('POST', '/oauth/device', form({ client_id: APP, scope: 'read play' }));
          const code = /"device_code":"([^"]+)/.exec(answer.text)?.[1];
          if (code) codes.push(code);
          return answer;
        }
        const known = n % 4 === 1 ? codes[rng(codes.length)] : undefined;
        const fields = { grant_type: DEVICE_GRANT, client_id: APP, device_code: known ?? `device_${random(43)}` };
        return caller.send('POST', '/oauth/token', form(fields));
      },
      ({ status, text }) => status === 200 || /authorization_pending|slow_down|expired_token/.test(text),
    );
  },
  'apps: codes of devices, guessed': async (siege) => {
    const callers = await browsers(siege, 5);
    await storm(
      siege,
      10,
      (lane) => (callers[lane % 5] as Caller).send('GET', `/oauth/device?user_code=${random(8)}`),
      ({ status, text }) => status === 404 && text.includes('There is no such code'),
    );
  },
  'apps: permissions, given over and over': async (siege) => {
    const callers = await browsers(siege, 5);
    await storm(
      siege,
      10,
      async (lane) => {
        const caller = callers[lane % 5] as Caller;
        const page = await caller.send('GET', AUTHORIZE);
        if (page.status !== 200) return page;
        const fields = [...page.text.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
        const given = Object.fromEntries(fields.map(([, name, value]) => [name, value]));
        return caller.send('POST', '/oauth/authorize', form({ ...given, decision: 'allow' }));
      },
      ({ status, text }) => status === 303 || text.includes('at most 50 apps'),
    );
  },
  'apps: permission pages with wrong sessions': (siege) =>
    requests(
      siege,
      16,
      (lane) => ({ ...anybody(siege), headers: { cookie: `atoll_session=${lane}${'x'.repeat(42)}` } }),
      () => ['GET', AUTHORIZE, undefined],
      [401],
    ),
};

const AGENTS: Record<string, (siege: Siege) => Promise<void>> = {
  'agents: sessions, opened and left': (siege) =>
    storm(
      siege,
      32,
      async (lane) => {
        const caller = new Caller(agent(siege, lane));
        const answer = await caller.send('POST', '/mcp', HELLO);
        caller.close();
        return answer;
      },
      ({ text }) => text.includes('"protocolVersion"'),
    ),
  'agents: calls of tools with 20,000 keys': (siege) => {
    const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1]));
    const texts = [
      tool('look', keys),
      tool('open_match', { game: 'cacao', options: keys }),
      tool('look', { match: 'x'.repeat(200_000) }),
    ];
    return requests(
      siege,
      8,
      (lane) => agent(siege, lane),
      (_, n) => ['POST', '/mcp', texts[n % texts.length]],
      ({ status, text }) => status === 413 || /too many arguments|BAD_INPUT|NOT_FOUND/.test(text),
    );
  },
  'agents: looks at and replays of a long match': (siege) =>
    requests(
      siege,
      16,
      (lane) => agent(siege, lane),
      (_, n) => {
        const at = 1 + rng(4800);
        const given = n % 2 ? { match: siege.long, at } : { match: siege.long, from: at, to: at + 99 };
        return ['POST', '/mcp', tool(n % 2 ? 'look' : 'replay', given)];
      },
      ({ text }) => text.includes('"structuredContent"'),
    ),
  'agents: waits that nobody reads': async (siege) => {
    const wait = (seconds: number) => tool('wait_for_turn', { seconds });
    await readOnce(siege, agent(siege, 0), ['POST', '/mcp', wait(1)], (text) => text.includes('"timedOut":true'));
    await unread(siege, 600, (i) => requestText(agent(siege, i), 'POST', '/mcp', wait(50), `Accept: ${AGENT}\r\n`));
  },
};

const SIGN_IN: Record<string, (siege: Siege) => Promise<void>> = {
  'tickets, as many as can be': (siege) =>
    requests(
      siege,
      16,
      (lane) => player(siege, lane),
      (_, n) =>
        n % 2
          ? ['POST', '/v1/tickets', JSON.stringify({ purpose: 'EVENTS', matchId: siege.long })]
          : [
              'POST',
              '/graphql',
              operation(`mutation { ${aliased(30, () => 'createTicket(purpose: TURNS) { ticket }')} }`),
            ],
      (answer) => answer.status === 201 || isData(answer),
    ),
  'tickets, guessed': (siege) =>
    requests(
      siege,
      16,
      () => anybody(siege),
      (_, n) => {
        const ticket = random(n % 2 ? 200 : 900);
        return ['GET', `/v1/matches/${siege.long}/${n % 3 ? 'events' : 'board.svg'}?ticket=${ticket}`, undefined];
      },
      [401],
    ),
  'sign-in mails, asked for': (siege) =>
    requests(
      siege,
      16,
      () => anybody(siege),
      (lane, n) => ['POST', '/v1/sign-in/email', `{"address":"${n % 2 ? `${lane}-${n}` : 'ana'}@example.org"}`],
      [202],
    ),
  'sign-in codes, guessed': async (siege) => {
    const caller = new Caller(anybody(siege));
    const { text } = await caller.send('POST', '/v1/sign-in/email', '{"address":"bo@example.org"}');
    const { id } = JSON.parse(text) as { id: string };
    await requests(
      siege,
      16,
      () => anybody(siege),
      (_, n) => {
        if (n % 3 === 0) return ['POST', '/v1/sign-in/recovery-code', JSON.stringify({ code: random(16) })];
        const given = n % 3 === 1 ? { id, code: random(8) } : { link: random(43) };
        return ['POST', '/v1/sign-in/email/code', JSON.stringify(given)];
      },
      [401],
    );
  },
  'passkey challenges, asked for': (siege) =>
    requests(
      siege,
      16,
      (lane) => localhost(siege, lane % 2 ? player(siege, lane) : anybody(siege)),
      (lane) => ['POST', lane % 2 ? '/v1/account/passkeys/options' : '/v1/sign-in/passkey/options', '{}'],
      [200],
    ),
  'sessions of browsers, as many as can be': (siege) =>
    requests(
      siege,
      16,
      (lane) => player(siege, lane),
      () => ['POST', '/v1/session', '{}'],
      [201],
    ),
};

const PROFILES: Record<string, (siege: Siege) => Promise<void>> = {
  'exports of an account with 100,000 events': (siege) =>
    requests(
      siege,
      8,
      (lane) => player(siege, lane % 2),
      (_, n) => (n % 2 ? ['POST', '/graphql', operation('{ exportAccount }')] : ['GET', '/v1/me/export', undefined]),
      // A document that is too long for GraphQL is refused there.
      ({ status, text }) => status === 200 || /answer would be longer|exceeds the limit/.test(text),
    ),
  'exports of all matches': (siege) =>
    requests(
      siege,
      16,
      (lane) => ({ ...player(siege, lane % 2), most: 100_000 }),
      () => ['GET', '/v1/me/matches/export', undefined],
      [200],
    ),
  'exports of all matches that nobody reads': async (siege) => {
    const path = '/v1/me/matches/export';
    // A player without long matches gets theirs at once.
    await readOnce(siege, player(siege, 4), ['GET', path], (text) => text.includes('atoll-match'));
    await unread(siege, 300, (i) => requestText(player(siege, i % 2), 'GET', path));
  },
  'searches for players': (siege) =>
    requests(
      siege,
      16,
      () => anybody(siege),
      (_, n) => {
        if (n % 3 === 0) return ['GET', `/v1/players?name=Siege%20${rng(200)}%20%23${random(4)}`, undefined];
        if (n % 3 === 1) return ['GET', `/v1/players?first=100&search=${n % 2 ? 'S' : '%25_'.repeat(20)}`, undefined];
        const page =
          'players(search: "s", first: 100) { edges { node { id name matches(first: 20) { edges { node { id } } } } } }';
        return ['POST', '/graphql', operation(`{ ${page} }`)];
      },
      isData,
    ),
};

export const ACCOUNT_ATTACKS = { ...APPS, ...AGENTS, ...SIGN_IN, ...PROFILES };
