/** Notices: wires together the webhooks and mails that tell players of their turns. */
import type { Config } from '../config.ts';
import type { Database } from '../database/pool.ts';
import { refusals } from '../errors.ts';
import type { Registry } from '../games/registry.ts';
import { isInside } from '../matches/commands/access.ts';
import { deadlines } from '../matches/log/clock.ts';
import type { Matches } from '../matches/matches.ts';
import type { Metrics } from '../metrics.ts';
import type { Tracing } from '../tracing.ts';
import { type Resolve, resolveByDns } from './address.ts';
import { type DeliverOptions, RETRY_MS } from './deliver.ts';
import { type Emails, openEmails } from './emails.ts';
import { mailLinks, openMail } from './mail.ts';
import type { MatchLinks } from './message.ts';
import type { ServerKeys } from './push.ts';
import { openQueue } from './queue.ts';
import { openRelay } from './relay.ts';
import { CRONTAB, type TimedTurn, tasksOf } from './tasks.ts';
import { openWebhooks, type Webhooks } from './webhooks.ts';

export interface Notices {
  webhooks: Webhooks;
  emails: Emails;
  /** The public key with which browsers subscribe. */
  pushKey: string;
  /** To be called when something is waiting in the outbox. */
  wake(): void;
  /** Takes no new jobs, and waits for running ones. May be called twice. */
  close(): Promise<void>;
}

export interface NoticesParts {
  config: Config;
  database: Database;
  registry: Registry;
  matches: Pick<Matches, 'see'>;
  metrics: Metrics;
  pushKeys: ServerKeys;
  /** Limits what makes this server call others. Throws RATE_LIMITED. */
  limit(playerId: string): void;
  warn(message: string, error?: unknown): void;
  /** Called for every attempt, without secrets. */
  inform?(fields: object, message: string): void;
  /** Overrides for tests. */
  resolve?: Resolve;
  /** Unset: no traces are wanted. */
  tracing?: Tracing | undefined;
  /** No notices are delivered before this resolves. Unset: they are at once. */
  serving?: Promise<unknown> | undefined;
  retryMs?: readonly number[];
  timeoutMs?: number;
  pollMs?: number;
  sweepMs?: number;
}

const TIMEOUT_MS = 10_000;

/**
 * The addresses of a match for programs and for people. If the operator has configured another client, both lead there.
 */
function matchLinks({ MATCH_URL, PUBLIC_URL }: Config): (id: string) => MatchLinks {
  if (MATCH_URL) {
    const chosen = (id: string) => MATCH_URL.replace('{id}', id);
    return (id) => ({ url: chosen(id), page: chosen(id) });
  }
  const base = PUBLIC_URL?.replace(/\/+$/, '');
  return (id) =>
    base ? { url: `${base}/v1/matches/${id}`, page: `${base}/matches/${id}` } : { url: null, page: null };
}

function sendingOf(parts: NoticesParts): DeliverOptions {
  const { config, database, registry, metrics, pushKeys, inform = () => {} } = parts;
  return {
    pool: database.pool,
    seal: database.seal,
    guard: { allowPrivate: config.WEBHOOK_ALLOW_PRIVATE, resolve: parts.resolve ?? resolveByDns },
    timeoutMs: parts.timeoutMs ?? TIMEOUT_MS,
    retryMs: parts.retryMs ?? RETRY_MS,
    gameName: (id) => registry.games.find((game) => game.id === id)?.name ?? id,
    matchLinks: matchLinks(config),
    sendMail: openMail(config),
    pushKeys,
    mailLinks: mailLinks(config),
    traceHeaders: parts.tracing?.headers,
    onOutcome(channel, outcome, fields) {
      metrics.notices.inc({ channel, outcome });
      inform({ channel, outcome, ...fields }, 'notice');
    },
  };
}

async function turnOf(matches: Pick<Matches, 'see'>, id: string, playerId: string): Promise<TimedTurn | null> {
  const match = await matches.see({ id: playerId, name: '', kind: 'HUMAN', tag: null }, id);
  const seat = match.acting.find((index) => match.seats[index] === playerId);
  const since = match.clocks?.since[seat ?? -1] ?? null;
  const deadline = deadlines(match)[seat ?? -1] ?? null;
  if (seat === undefined || since === null || deadline === null) return null;
  return { version: match.version, seat, since: new Date(since), deadline };
}

export async function openNotices(parts: NoticesParts): Promise<Notices> {
  const { config, database, matches, pushKeys, limit, warn } = parts;
  const sending = sendingOf(parts);
  const relay = openRelay({
    pool: database.pool,
    writes: database.writes,
    webhookDelayMs: config.NOTICE_DELAY_SECONDS * 1000,
    mailDelayMs: config.MAIL_DELAY_SECONDS * 1000,
    warn,
    ...(parts.sweepMs && { sweepMs: parts.sweepMs }),
  });
  const tasks = tasksOf({ sending, turnOf: (id, playerId) => turnOf(matches, id, playerId), wake: relay.wake });
  const queue = await openQueue({
    url: database.url,
    taskList: parts.tracing?.around(tasks, { deliver: 'notice deliver', remind: 'notice remind' }) ?? tasks,
    crontab: CRONTAB,
    concurrency: config.NOTICE_CONCURRENCY,
    abortAfterMs: config.SHUTDOWN_SECONDS * 500,
    warn,
    after: parts.serving,
    ...(parts.pollMs && { pollMs: parts.pollMs }),
  });
  let closed: Promise<unknown> | undefined;
  return {
    webhooks: openWebhooks({
      database,
      sending,
      guard: sending.guard,
      limit,
      async mayHear(player, matchId) {
        if (!isInside(await matches.see(player, matchId), player)) throw refusals.mayNotHaveWebhook();
      },
    }),
    emails: openEmails({ database, sendMail: sending.sendMail, links: sending.mailLinks, warn }),
    pushKey: pushKeys.publicKey,
    wake: relay.wake,
    async close() {
      closed ??= Promise.all([queue.close(), relay.close()]);
      await closed;
    },
  };
}
