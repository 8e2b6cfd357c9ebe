/** Who others are, what they show of themselves, who is here, and what is told to the operator: by both faces. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TABLES } from '../../src/players/account-export.ts';
import { type Json, playOut, Refusal } from '../support/api.ts';
import { graphql, graphqlRun } from '../support/api-graphql.ts';
import { rest, restCall } from '../support/api-rest.ts';
import { type Mailbox, startSmtp } from '../support/smtp.ts';
import { type Member, NOWHERE, newMember, type Pair, startPair } from '../support/world.ts';

let pair: Pair;
let mailbox: Mailbox;
let client: pg.Client;

const sql = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows as Json[];

beforeAll(async () => {
  mailbox = await startSmtp();
  pair = await startPair({
    env: {
      SMTP_URL: mailbox.url,
      MAIL_FROM: 'atoll@example.org',
      PUBLIC_URL: 'https://atoll.example',
      OPERATOR_EMAIL: 'operator@example.org',
      QUOTA_REPORTS_PER_DAY: '3',
    },
  });
  client = new pg.Client({ connectionString: pair.database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await pair.stop();
  await mailbox[Symbol.asyncDispose]();
});

interface Found {
  id: string;
  name: string;
  tag: string | null;
}
interface Page {
  ids: string[];
  endCursor: string | null;
  hasNextPage: boolean;
}
interface Privacy {
  listed: boolean;
  matches: boolean;
  online: boolean;
}

/** The same questions to either face. */
interface Profiles {
  player(by: { id?: string; name?: string }): Promise<Found | null>;
  players(page: Json): Promise<Page>;
  matchesOf(id: string, page?: Json): Promise<Page>;
  online(matchId: string): Promise<number[]>;
  privacy(): Promise<Privacy>;
  setPrivacy(input: Json): Promise<Privacy>;
  exportAccount(): Promise<{ data: Record<string, Json[]> }>;
  report(input: Json, key?: string): Promise<{ id: string }>;
  remove(confirm: string): Promise<Found>;
}

const PLAYER = 'id name kind tag';
const PAGE = 'edges { node { id } } pageInfo { hasNextPage endCursor }';

function byGraphql(token?: string): Profiles {
  const run = graphqlRun(pair.urls, token);
  const one = async <T>(query: string, variables?: Json) => Object.values(await run<Json>(query, variables))[0] as T;
  interface Connection {
    edges: { node: { id: string } }[];
    pageInfo: Omit<Page, 'ids'>;
  }
  const pageOf = ({ edges, pageInfo }: Connection): Page => ({ ids: edges.map(({ node }) => node.id), ...pageInfo });
  return {
    player: (by) => one(`query ($id: ID, $name: String) { player(id: $id, name: $name) { ${PLAYER} } }`, by),
    players: async (page) =>
      pageOf(
        await one(
          `query ($search: String, $first: Int, $after: String) {
             players(search: $search, first: $first, after: $after) { ${PAGE} } }`,
          page,
        ),
      ),
    async matchesOf(id, page = {}) {
      const player = await one<{ matches: Connection } | null>(
        `query ($id: ID, $first: Int, $after: String) {
           player(id: $id) { matches(first: $first, after: $after) { ${PAGE} } } }`,
        { id, ...page },
      );
      return pageOf((player as { matches: Connection }).matches);
    },
    async online(id) {
      const match = await one<{ seats: { index: number; online: boolean }[] } | null>(
        'query ($id: ID!) { match(id: $id) { seats { index online } } }',
        { id },
      );
      if (!match) throw new Refusal('NOT_FOUND', 'null', {}, new Headers());
      return match.seats.filter(({ online }) => online).map(({ index }) => index);
    },
    privacy: () => one('{ privacy { listed matches online } }'),
    setPrivacy: (input) =>
      one('mutation ($input: PrivacyInput!) { setPrivacy(input: $input) { listed matches online } }', { input }),
    exportAccount: () => one('{ exportAccount }'),
    report: (input, idempotencyKey) =>
      one('mutation ($input: ReportInput!) { report(input: $input) { id createdAt } }', {
        input: { ...input, idempotencyKey },
      }),
    remove: (confirm) =>
      one(`mutation ($confirm: String) { deletePlayer(confirm: $confirm) { ${PLAYER} } }`, { confirm }),
  };
}

function byRest(token?: string): Profiles {
  const call = restCall(pair.urls, token);
  const query = (params: Json) => new URLSearchParams(params as Record<string, string>);
  const pageOf = (list: string, answer: Json): Page => ({
    ids: (answer[list] as Found[]).map(({ id }) => id),
    ...(answer.pageInfo as Omit<Page, 'ids'>),
  });
  return {
    async player({ id, name }) {
      if (id !== undefined) return call('GET', `/players/${id}`).catch(() => null) as Promise<Found | null>;
      const { players } = (await call('GET', `/players?${query({ name })}`)) as { players: Found[] };
      return players[0] ?? null;
    },
    players: async (page) => pageOf('players', (await call('GET', `/players?${query(page)}`)) as Json),
    matchesOf: async (id, page = {}) =>
      pageOf('matches', (await call('GET', `/players/${id}/matches?${query(page)}`)) as Json),
    online: async (id) => ((await call('GET', `/matches/${id}/presence`)) as { online: number[] }).online,
    privacy: () => call('GET', '/me/privacy') as Promise<Privacy>,
    setPrivacy: (input) => call('PATCH', '/me/privacy', input) as Promise<Privacy>,
    exportAccount: () => call('GET', '/me/export') as ReturnType<Profiles['exportAccount']>,
    report: (input, key) =>
      call('POST', '/reports', input, key === undefined ? {} : { 'idempotency-key': key }) as Promise<{ id: string }>,
    remove: (confirm) => call('DELETE', `/me?${query({ confirm })}`) as Promise<Found>,
  };
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => 'accepted',
    (error) => (error instanceof Refusal ? error.code : Promise.reject(error)),
  );

describe.each([
  [graphql, byGraphql],
  [rest, byRest],
] as const)('$name', (face, profiles) => {
  const mark = face.name.toLowerCase();
  let ann: Member;
  let ben: Member;
  const anybody = () => profiles();

  beforeAll(async () => {
    ann = await newMember(face, pair.urls, `Annelie ${mark}`);
    ben = await newMember(face, pair.urls, `Benno ${mark}`);
  });

  it('finds a player by id, by name, and by name and tag', async () => {
    const { tag } = await ann.me();
    const found = { id: ann.id, name: `Annelie ${mark}`, kind: 'HUMAN', tag };
    expect(await anybody().player({ id: ann.id })).toEqual(found);
    expect(await anybody().player({ name: `annelie ${mark}` })).toEqual(found);
    expect(await anybody().player({ name: `Annelie ${mark} #${tag}` })).toEqual(found);
    expect(await anybody().player({ name: `Annelie ${mark} #ZZZZ` })).toBeNull();
    expect(await anybody().player({ name: 'Hard bot' })).toMatchObject({ kind: 'BOT', tag: null });
    expect(await anybody().player({ id: NOWHERE })).toBeNull();
  });

  it('does not guess which of several guests is meant', async () => {
    const twins = [await newMember(face, pair.urls, `Twin ${mark}`), await newMember(face, pair.urls, `Twin ${mark}`)];
    expect(await anybody().player({ name: `Twin ${mark}` })).toBeNull();
    const second = twins[1] as Member;
    expect(await anybody().player({ name: `Twin ${mark} #${(await second.me()).tag}` })).toMatchObject({
      id: second.id,
    });
  });

  it('searches by the beginning of names, page by page, and takes no wildcard', async () => {
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.unshift((await newMember(face, pair.urls, `Zed%${mark}_${n}`)).id);
    const first = await anybody().players({ search: `zED%${mark}`, first: 2 });
    expect(first).toEqual({ ids: ids.slice(0, 2), hasNextPage: true, endCursor: ids[1] });
    const second = await anybody().players({ search: `zed%${mark}`, first: 2, after: first.endCursor });
    expect(second).toMatchObject({ ids: ids.slice(2), hasNextPage: false });
    expect((await anybody().players({ search: '%', first: 5 })).ids).toEqual([]);
    expect(await refusal(anybody().players({ first: 1000 }))).toBe('BAD_INPUT');
    expect(await refusal(anybody().players({ after: 'x' }))).toBe('BAD_INPUT');
  });

  it('shows the matches of a player that the caller may see, also those given up, but no analysis', async () => {
    const open = await ann.createMatch({ game: 'highest', seats: 2 });
    const hidden = await ann.createMatch({ game: 'highest', seats: 2, visibility: 'PRIVATE' });
    const left = await ann.createMatch({ game: 'highest', seats: 3, bots: ['EASY', 'EASY'] });
    await ann.resign(left.id);
    const ended = await ann.createMatch({ game: 'highest', seats: 2 });
    await ben.join(ended.id);
    await playOut(ended.id, [ann, ben], () => 0);
    await ann.fork(ended.id, 4);
    expect(await anybody().matchesOf(ann.id)).toMatchObject({ ids: [ended.id, left.id, open.id], hasNextPage: false });
    expect((await profiles(ann.token).matchesOf(ann.id)).ids).toEqual([ended.id, left.id, hidden.id, open.id]);
    const page = await anybody().matchesOf(ann.id, { first: 1 });
    expect(page).toEqual({ ids: [ended.id], hasNextPage: true, endCursor: ended.id });
    expect((await anybody().matchesOf(ann.id, { after: page.endCursor })).ids).toEqual([left.id, open.id]);
  });

  it('shows of a player what the player chose', async () => {
    const shy = await newMember(face, pair.urls, `Shy ${mark}`);
    const own = profiles(shy.token);
    const { id } = await shy.createMatch({ game: 'highest', seats: 2, bots: ['EASY'] });
    expect(await own.privacy()).toEqual({ listed: true, matches: true, online: true });
    expect(await own.setPrivacy({ listed: false })).toEqual({ listed: false, matches: true, online: true });
    expect(await own.setPrivacy({ matches: false, online: false })).toEqual({
      listed: false,
      matches: false,
      online: false,
    });
    expect((await anybody().players({ search: `Shy ${mark}` })).ids).toEqual([]);
    expect(await anybody().player({ name: `Shy ${mark}` })).toBeNull();
    expect(await own.player({ name: `Shy ${mark}` })).toMatchObject({ id: shy.id });
    expect((await anybody().matchesOf(shy.id)).ids).toEqual([]);
    expect((await own.matchesOf(shy.id)).ids).toEqual([id]);
    expect(await anybody().online(id)).toEqual([1]); // the bot
    expect(await refusal(anybody().privacy())).toBe('UNAUTHENTICATED');
  });

  it('says who is online, on every server', async () => {
    const { id } = await ann.createMatch({ game: 'highest', seats: 2 });
    await ben.join(id);
    for (let server = 0; server < 2; server++) await expect.poll(() => anybody().online(id)).toEqual([0, 1]);
    expect(await refusal(profiles(ann.token).online(NOWHERE))).not.toBe('accepted');
  });

  it('sends reports to the operator, up to the daily limit', async () => {
    const own = profiles(ben.token);
    const before = mailbox.mails.length;
    const { id } = await own.report({ playerId: ann.id, text: ' She calls me names.\nOften. ' });
    const mail = (await mailbox.until(before + 1))[before];
    expect(mail).toMatchObject({ to: ['operator@example.org'] });
    expect(mail?.text).toContain('She calls me names.');
    expect(mail?.text).toContain(ann.id);
    const stored = await sql('SELECT reporter_id, player_id, text FROM reports WHERE id = $1', [id]);
    expect(stored).toEqual([{ reporter_id: ben.id, player_id: ann.id, text: 'She calls me names.\nOften.' }]);
    const hidden = await ann.createMatch({ game: 'highest', seats: 2, visibility: 'PRIVATE' });
    expect(await refusal(own.report({ text: 'x' }))).toBe('BAD_INPUT');
    expect(await refusal(own.report({ playerId: ben.id, text: 'x' }))).toBe('BAD_INPUT');
    expect(await refusal(own.report({ playerId: ann.id, text: '  ' }))).toBe('BAD_INPUT');
    expect(await refusal(own.report({ playerId: NOWHERE, text: 'x' }))).toBe('NOT_FOUND');
    expect(await refusal(own.report({ matchId: hidden.id, text: 'x' }))).toBe('NOT_FOUND');
    expect(await refusal(anybody().report({ playerId: ann.id, text: 'x' }))).toBe('UNAUTHENTICATED');
    // Sent again with the same key, from either face, it is one report, and counts once.
    const once = await own.report({ playerId: ann.id, text: 'again' }, `${face.name} again`);
    for (const again of [byGraphql, byRest])
      expect(await again(ben.token).report({ playerId: ann.id, text: 'again' }, `${face.name} again`)).toEqual(once);
    expect(await refusal(own.report({ playerId: ann.id, text: 'more' }, `${face.name} again`))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    await own.report({ playerId: ann.id, text: 'again' });
    expect(await refusal(own.report({ playerId: ann.id, text: 'again' }))).toBe('QUOTA_EXCEEDED');
  });

  it('exports everything that is stored about a player, without secrets', async () => {
    const dee = await newMember(face, pair.urls, `Dee ${mark}`);
    const { id } = await dee.createMatch({ game: 'highest', seats: 2, bots: ['EASY'], entropy: 'my own' });
    await profiles(ann.token)
      .report({ playerId: dee.id, text: 'about Dee' })
      .catch(() => {});
    const { data } = await profiles(dee.token).exportAccount();
    expect(data.players).toMatchObject([{ id: dee.id, name: `Dee ${mark}` }]);
    expect(data.matches).toMatchObject([{ id, opened: true, seat: 0 }]);
    expect(data.events).toMatchObject([{ match_id: id, type: 'JOINED', entropy: 'my own' }]);
    expect(data.tokens).toMatchObject([{ name: 'first' }]);
    expect(data.reports).toMatchObject([{ direction: 'about', text: 'about Dee' }]);
    expect(JSON.stringify(data)).not.toContain(ann.id);
    expect(Object.keys(data).sort()).toEqual(
      Object.keys(TABLES)
        .filter((table) => 'rows' in (TABLES[table] as object))
        .sort(),
    );
    expect(await refusal(anybody().exportAccount())).toBe('UNAUTHENTICATED');
  });

  it('deletes an account only when its name is confirmed, and forgets what it had set', async () => {
    const gone = await newMember(face, pair.urls, `Gone ${mark}`);
    const { id } = await gone.createMatch({ game: 'highest', seats: 2 });
    await ben.join(id);
    const own = profiles(gone.token);
    await own.setPrivacy({ online: false });
    expect(await refusal(own.remove('Somebody'))).toBe('BAD_INPUT');
    expect(await gone.me()).toMatchObject({ name: `Gone ${mark}` });
    expect(await own.remove(`Gone ${mark}`)).toMatchObject({ id: gone.id, name: 'Deleted player' });
    expect((await ben.match(id)).status).toBe('FINISHED');
    expect(await sql('SELECT * FROM privacy WHERE player_id = $1', [gone.id])).toEqual([]);
    expect(await anybody().player({ id: gone.id })).toMatchObject({ name: 'Deleted player' });
    expect(await anybody().player({ name: 'Deleted player' })).toBeNull();
  });
});

it('every table is covered by the export, or known to hold nothing about anybody', async () => {
  const columns = (await sql(
    `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'`,
  )) as { table_name: string; column_name: string }[];
  expect([...new Set(columns.map(({ table_name }) => table_name))].sort()).toEqual(Object.keys(TABLES).sort());
  const personal = /player|creator|reporter|owner|user|account|seats|who$|address|email/;
  const overlooked = columns.filter(
    ({ table_name, column_name }) => 'nothing' in (TABLES[table_name] as object) && personal.test(column_name),
  );
  expect(overlooked).toEqual([]);
});
