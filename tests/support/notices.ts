import type { Pool } from 'pg';
import { readConfig } from '../../src/config.ts';
import { createMetrics } from '../../src/metrics.ts';
import { openServerKeys } from '../../src/notices/push.ts';
import { type NoticesParts, openNotices } from '../../src/notices/service.ts';
import type { Delivery, Webhook } from '../../src/notices/webhooks.ts';
import type { Player } from '../../src/players/player.ts';
import { anAction, openServices, sampleRegistry, type TestServices } from './servers.ts';

/** The services of one server and its notices, with short delays and allowed to call loopback. */
export async function openNoticeServer(
  url: string,
  env: Record<string, string> = {},
  parts: Partial<NoticesParts> = {},
  now: () => Date = () => new Date(),
) {
  const services = await openServices(url, { now });
  const config = readConfig({
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NOTICE_DELAY_SECONDS: '0',
    MAIL_DELAY_SECONDS: '0',
    SHUTDOWN_SECONDS: '1',
    ...env,
  });
  const metrics = createMetrics();
  const informed: object[] = [];
  const warned: [string, unknown][] = [];
  const notices = await openNotices({
    config,
    database: services.database,
    registry: sampleRegistry,
    matches: services.matches,
    metrics,
    pushKeys: await openServerKeys(config, services.database),
    limit: () => {},
    warn: (message, error) => warned.push([message, error]),
    inform: (fields) => informed.push(fields),
    retryMs: [20, 20, 20],
    timeoutMs: 5000,
    pollMs: 50,
    sweepMs: 50,
    ...parts,
  });
  return {
    ...services,
    notices,
    metrics,
    informed,
    warned,
    async close() {
      await notices.close();
      await services.close();
    },
  };
}

export type NoticeServer = Awaited<ReturnType<typeof openNoticeServer>>;

export async function act({ matches }: TestServices, player: Player, id: string): Promise<number> {
  const { match } = await matches.submit(player, { matchId: id, action: await anAction(matches, player, id) });
  return match.version;
}

export async function deliveriesOf({ notices }: NoticeServer, webhook: Webhook): Promise<Delivery[]> {
  return (await notices.webhooks.deliveries(webhook, { first: 100 })).deliveries;
}

/** Repeats a question until the answer fits, because another process does what is waited for. */
export async function eventually<T>(ask: () => Promise<T>, enough: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (enough(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Waits until every delivery of a webhook has ended, and returns them. */
export const settled = (server: NoticeServer, webhook: Webhook, n: number): Promise<Delivery[]> =>
  eventually(
    () => deliveriesOf(server, webhook),
    (all) => all.length >= n && all.every(({ status }) => status !== 'PENDING' && status !== 'SENDING'),
  );

/** Makes the waiting jobs of the queue run now. */
export async function runJobsNow(pool: Pool): Promise<void> {
  await pool.query(
    'SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now()) FROM graphile_worker.jobs WHERE locked_at IS NULL',
  );
}

export const jobs = async (pool: Pool) =>
  (
    await pool.query<{ task_identifier: string; run_at: Date; key: string | null }>(
      "SELECT task_identifier, run_at, key FROM graphile_worker.jobs WHERE task_identifier IN ('deliver', 'remind') ORDER BY run_at",
    )
  ).rows;

/** Waits until no job is left: a job is removed some time after its effect is visible. */
export const noJobs = (pool: Pool) =>
  eventually(
    () => jobs(pool),
    ({ length }) => length === 0,
  );
