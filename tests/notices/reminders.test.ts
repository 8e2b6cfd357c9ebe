/** Reminders: at half and at nine tenths of the time that a turn has, and never of a turn that has passed. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { noticesOf } from '../../src/notices/outbox.ts';
import { BOTS } from '../../src/players/bot-accounts.ts';
import type { Player } from '../../src/players/player.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { act, eventually, jobs, type NoticeServer, openNoticeServer, runJobsNow, settled } from '../support/notices.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { newPlayers } from '../support/servers.ts';

const HOUR = 3_600_000;
const clock = { bankSeconds: 36_000, incrementSeconds: 0, capSeconds: 36_000, onTimeout: 'BOT' } as const;

let database: FreshDatabase;
let receiver: Receiver;
let server: NoticeServer;
let ann: Player;
let ben: Player;
/** By how much the clock of the machine is behind that of the database. */
let behind: number;

beforeAll(async () => {
  database = await freshDatabase();
  server = await openNoticeServer(database.url, {}, {}, () => new Date(Date.now() - behind));
});
afterAll(async () => {
  expect(server.warned).toEqual([]);
  await server.close();
  await database.drop();
});
beforeEach(async () => {
  behind = 0;
  receiver = await startReceiver();
  [ann, ben] = (await newPlayers(server, 'Ann', 'Ben')) as [Player, Player];
});
afterEach(async () => {
  await server.database.pool.query('DELETE FROM webhooks');
  await runJobsNow(server.database.pool);
  await receiver[Symbol.asyncDispose]();
});

async function running(): Promise<{ id: string; since: number }> {
  const { id } = await server.matches.create(ann, { game: 'highest', seats: 2, clock });
  const match = await server.matches.join(ben, id, {});
  return { id, since: match.events.at(-1)?.at.getTime() as number };
}

/** When Ann will be reminded, in hours since then. */
const planned = async (since: number) =>
  (await jobs(server.database.pool))
    .filter(({ key }) => key?.startsWith('remind:') && key.includes(ann.id))
    .map(({ run_at }) => (run_at.getTime() - since) / HOUR);

test('a player is reminded of a turn when half and nine tenths of its time are over', async () => {
  const { webhook } = await server.notices.webhooks.create(ann, { url: receiver.url, events: ['TURN_REMINDER'] });
  behind = 6 * HOUR;
  const { id, since } = await running(); // it began six hours ago
  await receiver.until(1);
  expect(JSON.parse(receiver.requests[0]?.body as string)).toMatchObject({
    type: 'turn.reminder',
    data: { matchId: id, seat: 0, playerId: ann.id, deadline: new Date(since + 10 * HOUR).toISOString() },
  });
  await settled(server, webhook, 1);
  expect(
    await eventually(
      () => planned(since),
      ({ length }) => length === 1,
    ),
  ).toEqual([9]);
});

test('no reminder is sent for a turn that has passed', async () => {
  await server.notices.webhooks.create(ann, { url: receiver.url, events: ['TURN_REMINDER'] });
  const { id, since } = await running();
  expect(
    await eventually(
      () => planned(since),
      ({ length }) => length === 2,
    ),
  ).toEqual([5, 9]);
  await act(server, ann, id);
  await runJobsNow(server.database.pool);
  await eventually(
    () => planned(since),
    ({ length }) => length === 0,
  );
  expect(receiver.requests).toEqual([]);
});

test('a turn whose time starts again gets its reminders later', async () => {
  await server.notices.webhooks.create(ann, { url: receiver.url });
  const { id, since } = await running();
  await receiver.until(1);
  await eventually(
    () => planned(since),
    ({ length }) => length === 2,
  );
  await act(server, ben, id);
  await act(server, ann, id); // ends the round: Ann goes on at once, with her bank as it is by now
  const match = await server.matches.see(ann, id);
  const renewed = match.events.at(-1)?.at.getTime() as number;
  const left = (match.clocks?.bank[0] as number) / HOUR;
  const times = await eventually(
    () => planned(renewed),
    ([first]) => Math.abs((first ?? 0) - left * 0.5) < 1e-6,
  );
  expect(times[1]).toBeCloseTo(left * 0.9, 6);
  expect(receiver.requests).toHaveLength(1);
});

test('a job that runs too early is scheduled again', async () => {
  const { webhook } = await server.notices.webhooks.create(ann, { url: receiver.url, events: ['TURN_REMINDER'] });
  const { since } = await running();
  await eventually(
    () => planned(since),
    ({ length }) => length === 2,
  );
  await runJobsNow(server.database.pool);
  expect(
    await eventually(
      () => planned(since),
      ([first]) => first === 5,
    ),
  ).toEqual([5, 9]);
  expect((await server.notices.webhooks.deliveries(webhook, {})).deliveries).toEqual([]);
});

test('bots get no reminders', async () => {
  const { id } = await server.matches.create(ann, { game: 'highest', seats: 2, clock });
  const match = await server.matches.addBot(ann, id, 'EASY');
  expect(match.seats[1]).toBe(BOTS.EASY.id);
  const expected = match.events.slice().findIndex(({ type }) => type === 'STARTED');
  const notices = noticesOf({ expected, match });
  expect(notices.map(({ type, playerId }) => [type, playerId])).toEqual([
    ['MATCH_STARTED', null],
    ['TURN_GAINED', ann.id],
  ]);
});
