/** Mails about turns go only to confirmed addresses, until they are stopped. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { presentable } from '../../src/api/http/answers/failure.ts';
import type { Database } from '../../src/database/pool.ts';
import { openEmails } from '../../src/notices/emails.ts';
import type { Player } from '../../src/players/player.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { act, eventually, type NoticeServer, noJobs, openNoticeServer } from '../support/notices.ts';
import { newPlayers, runningMatch } from '../support/servers.ts';
import { type Mailbox, type ReceivedMail, startSmtp } from '../support/smtp.ts';

let database: FreshDatabase;
let server: NoticeServer;
let mailbox: Mailbox;
let ann: Player;
let ben: Player;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  mailbox = await startSmtp();
  server = await openNoticeServer(database.url, {
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Atoll <atoll@example.org>',
    PUBLIC_URL: 'https://atoll.example',
    MATCH_URL: 'https://play.example/#/m/{id}',
  });
  [ann, ben] = (await newPlayers(server, 'Ann', 'Ben')) as [Player, Player];
});
afterEach(async () => {
  await server.close();
  await mailbox[Symbol.asyncDispose]();
});

const unique = () => `${Math.random().toString(36).slice(2)}@example.com`;
const codeIn = ({ text }: ReceivedMail) => /this code: (\w+)/.exec(text)?.[1] as string;
const deliveries = async () =>
  (
    await server.database.pool.query<{ status: string; attempts: number; last_error: string | null }>(
      'SELECT status, attempts, last_error FROM deliveries WHERE player_id = $1 ORDER BY created_at',
      [ann.id],
    )
  ).rows;

async function confirmed(): Promise<string> {
  const address = unique();
  await server.notices.emails.set(ann, address);
  await server.notices.emails.confirm(ann, codeIn(mailbox.mails[0] as ReceivedMail));
  return address;
}

test('a confirmed address gets a mail about a turn, with a link that stops them', async () => {
  const address = await confirmed();
  const { id } = await runningMatch(server, [ann, ben]);
  const mail = (await mailbox.until(2))[1] as ReceivedMail;
  expect(mail).toMatchObject({ from: 'atoll@example.org', to: [address] });
  expect(mail.headers).toMatchObject({ subject: 'Your turn in Highest', 'auto-submitted': 'auto-generated' });
  expect(mail.text).toContain(`It is your turn in Highest.\n\nhttps://play.example/#/m/${id}\n`);
  const link = /https:\/\/atoll\.example\/v1\/email\/unsubscribe\?token=([\w-]+)/.exec(mail.text);
  expect(mail.headers).toMatchObject({
    'list-unsubscribe': `<${link?.[0]}>`,
    'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
  });
  await server.notices.emails.unsubscribe(link?.[1] as string);
  expect(await server.notices.emails.get(ann)).toBeNull();
  await act(server, ann, id);
  await act(server, ben, id);
  expect((await server.database.pool.query('SELECT FROM notices')).rowCount).toBe(0);
  expect(mailbox.mails).toHaveLength(2);
});

test('the mail with a code, which anybody can have sent to anybody, contains no text of the sender’s choice', async () => {
  const [liar] = (await newPlayers(server, 'Your account is locked')) as [Player];
  await server.notices.emails.set(liar, unique());
  const [mail] = (await mailbox.until(1)) as [ReceivedMail];
  expect(`${mail.headers.subject} ${mail.text}`).not.toContain('locked');
  expect(mail.text).toContain(`A player with the tag ${liar.tag} wants`);
});

test('an address that is not confirmed gets the code and nothing else', async () => {
  const address = unique();
  expect(await server.notices.emails.set(ann, ` ${address} `)).toEqual({ address, confirmedAt: null });
  const [mail] = mailbox.mails as [ReceivedMail];
  expect(mail.to).toEqual([address]);
  expect(mail.text).toContain(`https://atoll.example/v1/email/confirm?code=${codeIn(mail)}`);
  await runningMatch(server, [ann, ben]);
  expect((await server.database.pool.query('SELECT FROM notices')).rowCount).toBe(0);
  expect(await deliveries()).toEqual([]);
});

test('a code works once, for its player, for a day', async () => {
  await server.notices.emails.set(ann, unique());
  const code = codeIn(mailbox.mails[0] as ReceivedMail);
  const { emails } = server.notices;
  await expect(emails.confirm(ben, code)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  await expect(emails.confirm(ann, 'WRONG')).rejects.toMatchObject({ code: 'BAD_INPUT' });
  const { pool } = server.database;
  await pool.query("UPDATE emails SET code_expires_at = now() - interval '1 second' WHERE player_id = $1", [ann.id]);
  await expect(emails.confirm(ann, code)).rejects.toMatchObject({ code: 'BAD_INPUT' });
  await pool.query("UPDATE emails SET code_expires_at = now() + interval '1 hour' WHERE player_id = $1", [ann.id]);
  expect(await emails.confirm(null, code.toLowerCase())).toMatchObject({ confirmedAt: expect.any(Date) });
  await expect(emails.confirm(ann, code)).rejects.toMatchObject({ code: 'BAD_INPUT' });
});

test.each([
  ['forgotten', () => server.notices.emails.remove(ann)],
  [
    'replaced by another',
    async () => {
      await server.database.pool.query('DELETE FROM mail_codes'); // as if a minute had gone by
      await server.notices.emails.set(ann, unique());
    },
  ],
])('an address that is %s while its code comes back is not confirmed', async (_, meanwhile) => {
  await server.notices.emails.set(ann, unique());
  const prisma = server.database.prisma.$extends({
    query: {
      email: {
        async update({ args, query }) {
          await meanwhile();
          return query(args);
        },
      },
    },
  });
  const database = { ...server.database, prisma: prisma as unknown as Database['prisma'] };
  const links = { confirm: () => '', unsubscribe: () => '' };
  const emails = openEmails({ database, sendMail: null, links, warn: () => {} });
  const late = emails.confirm(ann, codeIn(mailbox.mails[0] as ReceivedMail));
  expect(await late.catch(presentable)).toMatchObject({ code: 'NOT_FOUND' });
  expect((await server.notices.emails.get(ann))?.confirmedAt ?? null).toBeNull();
});

test('nobody can be flooded with codes', async () => {
  const victim = unique();
  const { emails } = server.notices;
  await emails.set(ann, victim);
  await emails.remove(ann);
  const details = { retryAfter: expect.toSatisfy((seconds: number) => seconds > 0 && seconds <= 60) };
  await expect(emails.set(ann, unique())).rejects.toMatchObject({ code: 'RATE_LIMITED', details });
  const others = await newPlayers(server, 'A', 'B', 'C', 'D', 'E');
  for (const [i, player] of others.entries()) {
    const asked = emails.set(player, victim.toUpperCase());
    if (i < 4) await asked;
    else await expect(asked).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  }
  expect(mailbox.mails).toHaveLength(5);
});

test('nobody can be flooded by simultaneous requests for codes', async () => {
  const victim = unique();
  const { emails } = server.notices;
  const sent = async (asked: Promise<unknown>[]) => {
    const answers = await Promise.allSettled(asked);
    const refused = answers.filter((answer) => answer.status === 'rejected');
    expect(new Set(refused.map(({ reason }) => reason.code))).toEqual(new Set(['RATE_LIMITED']));
    return answers.length - refused.length;
  };
  expect(await sent(Array.from({ length: 16 }, () => emails.set(ann, victim)))).toBe(1);
  const others = await newPlayers(server, ...'ABCDEFGHIJ');
  expect(await sent(others.map((player) => emails.set(player, victim)))).toBe(4);
  expect(mailbox.mails).toHaveLength(5);
});

test('one address gets five codes a day, whoever asks for them', async () => {
  const victim = unique();
  let time = Date.now();
  let mails = 0;
  const links = { confirm: () => '', unsubscribe: () => '' };
  const sendMail = async () => void mails++;
  const emails = openEmails({ database: server.database, sendMail, links, warn: () => {}, now: () => time });
  for (const player of [ann, ann, ann, ben, ben]) {
    await emails.set(player, victim);
    time += 60_000;
  }
  await expect(emails.set(ann, victim)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  await emails.set(ann, unique());
  expect(mails).toBe(6);
});

test.each(['nobody', 'a b@example.com', 'a@b', 'a@example.com, b@example.com', '<a@example.com>', 'a@exa\nmple.com'])(
  'no address: %j',
  async (text) => {
    await expect(server.notices.emails.set(ann, text)).rejects.toMatchObject({ code: 'BAD_INPUT' });
    expect(mailbox.mails).toEqual([]);
  },
);

test('a server that is busy is asked again, one that refuses for good is not', async () => {
  await confirmed();
  mailbox.refuse('451 Later', '550 No such user');
  await runningMatch(server, [ann, ben]);
  const [delivery] = await eventually(deliveries, ([first]) => first?.status === 'FAILED');
  expect(delivery).toMatchObject({ attempts: 2, last_error: expect.stringContaining('550') });
  await noJobs(server.database.pool);
});

test('without SMTP_URL there is no mail', async () => {
  const mute = await openNoticeServer(database.url);
  await expect(mute.notices.emails.set(ann, unique())).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await mute.close();
});

test('deleting an account deletes its address', async () => {
  await confirmed();
  await server.players.remove(ann);
  expect(await server.notices.emails.get(ann)).toBeNull();
});
