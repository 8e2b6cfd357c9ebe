/** Webhooks are signed, contain ids only, and are sent once a turn, whatever the receiver does. */
import { readFileSync } from 'node:fs';
import { Webhook as Verifier } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { presentable } from '../../src/api/http/answers/failure.ts';
import { type Append, appending } from '../../src/matches/log/append.ts';
import type { LoggedEvent, Match } from '../../src/matches/log/records.ts';
import { outbox } from '../../src/notices/outbox.ts';
import type { CreateWebhook } from '../../src/notices/webhooks.ts';
import type { Player } from '../../src/players/player.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import {
  act,
  deliveriesOf,
  eventually,
  jobs,
  type NoticeServer,
  noJobs,
  openNoticeServer,
  runJobsNow,
  settled,
} from '../support/notices.ts';
import { type Received, type Receiver, startReceiver } from '../support/receiver.ts';
import { newPlayers, runningMatch } from '../support/servers.ts';

let database: FreshDatabase;
let server: NoticeServer;
/** A server that waits an hour before it reports a turn. */
let patient: NoticeServer;
let receiver: Receiver;
let ann: Player;
let ben: Player;

beforeAll(async () => {
  database = await freshDatabase();
  server = await openNoticeServer(database.url, { PUBLIC_URL: 'https://atoll.example/' });
});
afterAll(async () => {
  await server.close();
  await database.drop();
});
beforeEach(async () => {
  receiver = await startReceiver();
  [ann, ben] = (await newPlayers(server, 'Ann', 'Ben')) as [Player, Player];
});
afterEach(() => receiver[Symbol.asyncDispose]());

const hook = (player: Player, input: Partial<CreateWebhook> = {}) =>
  server.notices.webhooks.create(player, { url: receiver.url, ...input });

const LATER = new Date('2030-01-01T12:00:00.123Z');

/** An append of one event, after which it is the first seat's turn. */
function withTurnOfSeat0(match: Match): Append {
  const { version: expected } = match;
  const last = match.events.at(-1) as LoggedEvent;
  const events = match.events.plus({ ...last, version: expected + 1, actionId: 'next', acting: [0], at: LATER });
  return { expected, match: { ...match, version: expected + 1, acting: [0], events } };
}

const verified = (secret: string, { headers, body }: Received) =>
  new Verifier(secret).verify(body, headers as Record<string, string>);

describe('a turn gained', () => {
  it('is reported once, signed and without content', async () => {
    const { webhook, secret } = await hook(ann);
    const match = await runningMatch(server, [ann, ben]);
    const [request] = (await receiver.until(1)) as [Received];
    const event = match.events.at(-1);
    expect(verified(secret, request)).toEqual({
      type: 'turn.gained',
      timestamp: event?.at.toISOString(),
      data: {
        matchId: match.id,
        game: 'highest',
        version: 3,
        seat: 0,
        playerId: ann.id,
        url: `https://atoll.example/v1/matches/${match.id}`,
        page: `https://atoll.example/matches/${match.id}`,
      },
    });
    expect(request.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Atoll-Webhooks/1' });
    const [delivery] = await settled(server, webhook, 1);
    expect(delivery).toMatchObject({
      id: request.headers['webhook-id'],
      type: 'TURN_GAINED',
      status: 'DELIVERED',
      attempts: 1,
      responseCode: 200,
      lastError: null,
    });
    const informed = await eventually(
      async () => server.informed,
      ({ length }) => length > 0,
    );
    expect(informed).toEqual([expect.objectContaining({ outcome: 'delivered', delivery: delivery?.id })]);
    expect(JSON.stringify(server.informed)).not.toContain(receiver.url);
    expect(await server.metrics.registry.metrics()).toMatch(
      /atoll_notices_total\{channel="webhook",outcome="delivered"\} [1-9]/,
    );
  });

  it('is reported for each turn, not for each action', async () => {
    const { webhook } = await hook(ann);
    const { id } = await runningMatch(server, [ann, ben]);
    await receiver.until(1);
    await act(server, ann, id);
    await act(server, ben, id); // ends the round: Ann gains the turn, Ben keeps it
    await receiver.until(2);
    await act(server, ben, id);
    await act(server, ann, id); // Ann keeps it: she acts twice in a row
    await act(server, ann, id);
    await act(server, ben, id); // the end: nobody's turn
    expect((await settled(server, webhook, 2)).map(({ version }) => version)).toEqual([5, 3]);
    await noJobs(server.database.pool);
  });

  it('writes nothing if nobody asked for it', async () => {
    const told: number[] = [];
    const { pool } = server.database;
    await pool.query('CREATE TABLE told (n int)');
    await pool.query(
      `CREATE FUNCTION count_told() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO told VALUES (1); RETURN NEW; END $$;
       CREATE TRIGGER count_told AFTER INSERT ON notices FOR EACH ROW EXECUTE FUNCTION count_told()`,
    );
    try {
      for (const wanted of [false, true]) {
        if (wanted) await hook(ben);
        const { id } = await runningMatch(server, [ann, ben]);
        await act(server, ann, id);
        told.push((await pool.query('SELECT FROM told')).rowCount as number);
      }
    } finally {
      await pool.query('DROP TRIGGER count_told ON notices; DROP FUNCTION count_told; DROP TABLE told');
    }
    expect(told).toEqual([0, 2]); // the start and Ben's turn
  });

  it('is written for those who want it, in the matches that the append has moved', async () => {
    const [cleo] = (await newPlayers(server, 'Cleo')) as [Player];
    await hook(ben);
    const waiting = async (first: Player) => {
      const { id } = await runningMatch(server, [first, ann]);
      await act(server, first, id);
      return server.matches.see(null, id);
    };
    const [moved, unwanted, behind] = [await waiting(ben), await waiting(cleo), await waiting(ben)];
    await act(server, ann, behind.id);
    const client = await server.database.pool.connect();
    try {
      await client.query('BEGIN');
      const done = await appending(outbox(() => {}))(client, [moved, unwanted, behind].map(withTurnOfSeat0));
      expect([...done.moved].sort()).toEqual([moved.id, unwanted.id].sort());
      expect(done.alsoWrote).toBe(true);
      const written = await client.query(
        'SELECT type, match_id, player_id, seat, at, deadline, renewed FROM notices WHERE version = $1 AND match_id = ANY ($2)',
        [moved.version + 1, [moved.id, unwanted.id]],
      );
      const notice = { type: 'TURN_GAINED', match_id: moved.id, player_id: ben.id, seat: 0, deadline: null };
      expect(written.rows).toEqual([{ ...notice, at: LATER, renewed: false }]);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('is not reported for analysis matches', async () => {
    const { webhook } = await hook(ann);
    const { id } = await runningMatch(server, [ann, ben]);
    await settled(server, webhook, 1);
    const fork = await server.matches.fork(ann, id, 3);
    expect(fork.acting).not.toEqual([]);
    expect((await server.database.pool.query('SELECT FROM notices')).rowCount).toBe(0);
    expect(await deliveriesOf(server, webhook)).toHaveLength(1);
  });
});

describe('turns that come and go before they are reported', () => {
  let slow: FreshDatabase;

  beforeAll(async () => {
    slow = await freshDatabase();
    patient = await openNoticeServer(slow.url, { NOTICE_DELAY_SECONDS: '3600' });
  });
  afterAll(async () => {
    await patient.close();
    await slow.drop();
  });

  async function started() {
    const players = (await newPlayers(patient, 'Cho', 'Dee')) as [Player, Player];
    const { webhook } = await patient.notices.webhooks.create(players[0], { url: receiver.url });
    const { id } = await runningMatch(patient, players);
    const waiting = (version: number) =>
      eventually(
        () => deliveriesOf(patient, webhook),
        ([first]) => first?.version === version,
      );
    await waiting(3);
    return { players, webhook, id, waiting };
  }

  it('are reported once, as the last of them', async () => {
    const { players, webhook, id, waiting } = await started();
    await act(patient, players[0], id);
    await act(patient, players[1], id);
    expect(await waiting(5)).toHaveLength(1);
    expect(await jobs(patient.database.pool)).toHaveLength(1);
    await runJobsNow(patient.database.pool);
    const [request] = (await receiver.until(1)) as [Received];
    expect(JSON.parse(request.body).data.version).toBe(5);
    expect(await settled(patient, webhook, 1)).toHaveLength(1);
    await noJobs(patient.database.pool);
  });

  it('are not reported once they have passed', async () => {
    const { players, webhook, id } = await started();
    await act(patient, players[0], id);
    await runJobsNow(patient.database.pool);
    const [delivery] = await settled(patient, webhook, 1);
    expect(delivery).toMatchObject({ status: 'DROPPED', lastError: 'The turn has passed', responseCode: null });
    expect(receiver.requests).toEqual([]);
  });

  it('are reported again if one comes back while the previous report is being sent', async () => {
    const { players, webhook, id, waiting } = await started();
    receiver.answer('silent', 200);
    await runJobsNow(patient.database.pool);
    await receiver.until(1);
    await act(patient, players[0], id);
    await act(patient, players[1], id);
    await waiting(5);
    await receiver.stop(); // the first attempt fails, and gives way to the newer delivery
    await eventually(
      () => deliveriesOf(patient, webhook),
      (all) => all.map(({ status }) => status).join() === 'PENDING,DROPPED',
    );
    await receiver.start();
    await runJobsNow(patient.database.pool);
    await receiver.until(2);
    expect((await settled(patient, webhook, 2)).map(({ status, version }) => [status, version])).toEqual([
      ['DELIVERED', 5],
      ['DROPPED', 3],
    ]);
  });
});

describe('a receiver', () => {
  const afterStart = async (expected: number) => {
    const { webhook } = await hook(ann);
    await runningMatch(server, [ann, ben]);
    const [delivery] = await settled(server, webhook, expected);
    return { webhook, delivery };
  };

  it('that answers 500, then 200, gets the same message again', async () => {
    receiver.answer(500, 503, 200);
    const { delivery } = await afterStart(1);
    expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: 3, responseCode: 200, lastError: null });
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([delivery?.id]));
    expect(new Set(receiver.requests.map(({ body }) => body)).size).toBe(1);
  });

  it('that is down for a while gets the message when it is back', async () => {
    await receiver.stop();
    const late = await openNoticeServer(database.url, {}, { retryMs: Array(1000).fill(30) });
    await noJobs(server.database.pool); // one that is cut off would stay locked for hours
    await server.notices.close(); // only the server with the long delay is working
    const { webhook } = await hook(ann);
    await runningMatch(server, [ann, ben]);
    const [waiting] = await eventually(
      () => deliveriesOf(late, webhook),
      ([first]) => (first?.attempts ?? 0) > 1 && first?.status === 'PENDING',
    );
    expect(waiting).toMatchObject({
      status: 'PENDING',
      responseCode: null,
      lastError: expect.stringContaining('ECONNREFUSED'),
    });
    expect(waiting?.nextAttemptAt).toBeInstanceOf(Date);
    await receiver.start();
    expect((await settled(late, webhook, 1))[0]).toMatchObject({ status: 'DELIVERED' });
    await noJobs(late.database.pool);
    await late.close();
    await server.close();
    server = await openNoticeServer(database.url, { PUBLIC_URL: 'https://atoll.example/' });
  });

  it('that never answers with success is given up in the end', async () => {
    receiver.answer(500);
    const { delivery } = await afterStart(1);
    expect(delivery).toMatchObject({
      status: 'FAILED',
      attempts: 4,
      responseCode: 500,
      lastError: 'It was answered with 500',
    });
    await noJobs(server.database.pool);
  });

  it.each([
    ['120', 120],
    ['a date', 300],
    ['99999999', 36_000],
    ['soon', 0],
  ])('that asks for time by Retry-After: %s gets it', async (asked, seconds) => {
    const retryAfter = asked === 'a date' ? new Date(Date.now() + 300_000).toUTCString() : asked;
    receiver.answer({ status: 429, retryAfter }, { status: 503, retryAfter: '100' });
    const before = Date.now();
    const { webhook } = await hook(ann);
    await runningMatch(server, [ann, ben]);
    const [waiting] = await eventually(
      () => deliveriesOf(server, webhook),
      ([first]) => first?.responseCode === (seconds > 0 ? 429 : 503),
    );
    const waited = ((waiting?.nextAttemptAt?.getTime() ?? 0) - before) / 1000;
    expect(waited).toBeGreaterThan((seconds || 100) - 10);
    expect(waited).toBeLessThan((seconds || 100) * 1.1 + 50);
  });

  it('that redirects is not followed', async () => {
    receiver.answer('redirect', 200);
    const { delivery } = await afterStart(1);
    expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: 2 });
    receiver.answer('redirect');
    const again = await afterStart(1);
    expect(again.delivery).toMatchObject({
      status: 'FAILED',
      responseCode: 302,
      lastError: 'It was answered with 302, and redirects are not followed',
    });
  });

  it('that answers 410 is never called again', async () => {
    receiver.answer(410);
    const { webhook, delivery } = await afterStart(1);
    expect(delivery).toMatchObject({ status: 'FAILED', attempts: 1, responseCode: 410 });
    expect(await server.notices.webhooks.get(ann, webhook.id)).toMatchObject({
      disabledAt: expect.any(Date),
      disabledReason: 'The receiver answered 410 Gone',
    });
    await expect(server.notices.webhooks.test(ann, webhook.id)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(server.notices.webhooks.redeliver(ann, delivery?.id as string)).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
    await server.notices.webhooks.update(ann, webhook.id, { enabled: true });
    receiver.answer(200);
    expect(await server.notices.webhooks.test(ann, webhook.id)).toMatchObject({ type: 'PING', status: 'DELIVERED' });
  });
});

describe('the owner of a webhook', () => {
  it('chooses the events', async () => {
    const { webhook } = await hook(ann, { events: ['MATCH_STARTED', 'MATCH_FINISHED'] });
    const { id } = await runningMatch(server, [ann, ben]);
    for (let round = 0; round < 3; round++) for (const player of [ann, ben]) await act(server, player, id);
    await settled(server, webhook, 2);
    const bodies = receiver.requests.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ type }) => type).sort()).toEqual(['match.finished', 'match.started']);
    expect(bodies[0].data).toMatchObject({ matchId: id, playerId: ann.id, seat: 0 });
  });

  it('may be told of every seat of a match, once each', async () => {
    const open = await server.matches.create(ann, { game: 'highest', seats: 2 });
    const { webhook } = await hook(ann, { matchId: open.id, events: ['TURN_GAINED', 'MATCH_STARTED'] });
    await server.matches.join(ben, open.id, {});
    await runningMatch(server, [ann, ben]); // another match, of which this webhook hears nothing
    await settled(server, webhook, 3);
    const heard = receiver.requests.map(({ body }) => JSON.parse(body));
    expect(heard.map(({ type, data }) => [type, data.playerId]).sort()).toEqual(
      [
        ['match.started', ann.id],
        ['turn.gained', ann.id],
        ['turn.gained', ben.id],
      ].sort(),
    );
  });

  it('must belong to a match to be told of all its seats', async () => {
    const { id } = await runningMatch(server, [ann, ben]);
    const [eve] = (await newPlayers(server, 'Eve')) as [Player];
    await expect(hook(eve, { matchId: id })).rejects.toMatchObject({ code: 'NOT_SEATED' });
    await expect(hook(eve, { matchId: 'nonsense' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('changes the secret while both the old and the new one sign', async () => {
    const { webhook, secret } = await hook(ann);
    const { secret: next } = await server.notices.webhooks.rotate(ann, webhook.id);
    expect(next).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await server.notices.webhooks.test(ann, webhook.id);
    const [request] = receiver.requests as [Received];
    expect(verified(secret, request)).toEqual(verified(next, request));
    await server.database.pool.query(
      "UPDATE webhooks SET old_secret_until = now() - interval '1 second' WHERE id = $1",
      [webhook.id],
    );
    await server.notices.webhooks.test(ann, webhook.id);
    const later = receiver.requests[1] as Received;
    expect(verified(next, later)).toMatchObject({ type: 'ping', data: { playerId: ann.id } });
    expect(() => verified(secret, later)).toThrow();
  });

  it('changes the secret once for a key, however often and at once it is sent', async () => {
    const { webhook, secret } = await hook(ann);
    const rotate = (key: string) => server.notices.webhooks.rotate(ann, webhook.id, key);
    const [one, two] = await Promise.all([rotate('again'), rotate('again')]);
    expect(two.secret).toBe(one.secret);
    expect((await rotate('again')).secret).toBe(one.secret);
    expect(one.secret).not.toBe(secret);
    await server.notices.webhooks.test(ann, webhook.id);
    const [request] = receiver.requests as [Received];
    expect(verified(secret, request)).toEqual(verified(one.secret, request)); // the one before still signs
    expect((await rotate('anew')).secret).not.toBe(one.secret);
  });

  it('can verify it as the documentation says', async () => {
    const { webhook, secret } = await hook(ann);
    await server.notices.webhooks.rotate(ann, webhook.id);
    await server.notices.webhooks.test(ann, webhook.id);
    const { headers, body } = receiver.requests[0] as Received;
    const example = /```js\n(.*?)```/s.exec(readFileSync('docs/notices.md', 'utf8'))?.[1] as string;
    const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(example)}`);
    expect(isGenuine(secret, headers, body)).toBe(true);
    expect(isGenuine(secret, headers, `${body} `)).toBe(false);
    expect(isGenuine(secret, { ...headers, 'webhook-timestamp': '1' }, body)).toBe(false);
  });

  it('asks for a delivery again, though the turn has passed', async () => {
    const { webhook } = await hook(ann);
    const { id } = await runningMatch(server, [ann, ben]);
    const [first] = await settled(server, webhook, 1);
    await act(server, ann, id);
    expect(await server.notices.webhooks.redeliver(ann, first?.id as string)).toMatchObject({ id: first?.id });
    await receiver.until(2);
    const [one, two] = receiver.requests as [Received, Received];
    expect([two.body, two.headers['webhook-id']]).toEqual([one.body, one.headers['webhook-id']]);
    expect(await settled(server, webhook, 1)).toHaveLength(1);
  });

  it('is the only one who can see it', async () => {
    const { webhook } = await hook(ann);
    await runningMatch(server, [ann, ben]);
    const [delivery] = await settled(server, webhook, 1);
    const { webhooks } = server.notices;
    const tries = [
      ...[webhooks.get, webhooks.remove, webhooks.rotate, webhooks.test].map((call) => () => call(ben, webhook.id)),
      () => webhooks.update(ben, webhook.id, { enabled: false }),
      () => webhooks.redeliver(ben, delivery?.id as string),
    ];
    for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await webhooks.list(ben)).toEqual([]);
  });

  it('gets NOT_FOUND if it was deleted while being changed', async () => {
    const { webhook } = await hook(ann);
    const resolve = async () => {
      await server.notices.webhooks.remove(ann, webhook.id);
      return [{ address: '127.0.0.1', family: 4 }];
    };
    const other = await openNoticeServer(database.url, {}, { resolve });
    const late = other.notices.webhooks.update(ann, webhook.id, { url: 'https://hooks.example/' });
    const answer = await late.catch(presentable);
    await other.close();
    expect(answer).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('can have ten at most, even with simultaneous requests', async () => {
    const made = await Promise.allSettled(Array.from({ length: 14 }, () => hook(ann)));
    const refused = made.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(4);
    expect(refused[0]?.reason).toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('at most 10') });
    const [one] = await server.notices.webhooks.list(ann);
    await server.notices.webhooks.remove(ann, one?.id as string);
    expect(await hook(ann)).toBeDefined();
  });

  it('leaves nothing behind when it deletes its account', async () => {
    const { webhook } = await hook(ann);
    await server.notices.webhooks.test(ann, webhook.id);
    await server.players.remove(ann);
    expect(await server.notices.webhooks.list(ann)).toEqual([]);
    expect(await deliveriesOf(server, webhook)).toEqual([]);
  });

  it('reads the log page by page', async () => {
    const { webhook } = await hook(ann);
    for (let i = 0; i < 3; i++) await server.notices.webhooks.test(ann, webhook.id);
    const page = (after?: string) => server.notices.webhooks.deliveries(webhook, { first: 2, after: after ?? null });
    const first = await page();
    const rest = await page(first.deliveries[1]?.id);
    expect([first.deliveries.length, first.more, rest.deliveries.length, rest.more]).toEqual([2, true, 1, false]);
    await expect(server.notices.webhooks.deliveries(webhook, { first: 101 })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  });
});

describe('formats', () => {
  it.each([
    ['DISCORD', { content: expect.any(String), allowed_mentions: { parse: [] } }, 'content', 'A\\<b\\>\\*c\\*'],
    ['SLACK', { text: expect.any(String) }, 'text', 'A&lt;b&gt;*c*'],
  ] as const)('%s', async (format, shape, field, name) => {
    const [odd] = (await newPlayers(server, 'A<b>*c*')) as [Player];
    await hook(odd, { format });
    const { id } = await runningMatch(server, [odd, ben]);
    const [request] = (await receiver.until(1)) as [Received];
    const body = JSON.parse(request.body);
    expect(body).toEqual(shape);
    const tag = `${format === 'DISCORD' ? '\\' : ''}#${odd.tag}`;
    expect(body[field]).toBe(`${name} ${tag}, it is your turn in Highest. https://atoll.example/matches/${id}`);
  });
});
