/** One attempt at one delivery: what a job of the queue does. */
import type { Pool } from 'pg';
import { type Seal, secretOfWebhook } from '../database/secrets/seal.ts';
import type { DeliveryStatus, NoticeType, PlayerKind, WebhookFormat } from '../generated/prisma/enums.ts';
import { namePart, shownName, tagOf } from '../players/name.ts';
import type { Guard } from './address.ts';
import { MailError, type MailLinks, noticeMail, type SendMail } from './mail.ts';
import { bodyOf, type MatchLinks, type Message } from './message.ts';
import { post } from './post.ts';
import { pushRequest, type ServerKeys } from './push.ts';
import { JOB_KEY } from './relay.ts';
import { type Secrets, signedHeaders } from './signature.ts';

/** `retried` means that an attempt failed and another will follow. */
export type Outcome = 'delivered' | 'retried' | 'failed' | 'dropped' | 'disabled';

export interface DeliverOptions {
  pool: Pool;
  seal: Seal;
  guard: Guard;
  timeoutMs: number;
  /** How long after each failed attempt the next one follows. After the last one, the delivery is given up. */
  retryMs: readonly number[];
  gameName(id: string): string;
  matchLinks(id: string): MatchLinks;
  sendMail: SendMail | null;
  pushKeys: ServerKeys;
  mailLinks: MailLinks;
  onOutcome(channel: 'webhook' | 'mail', outcome: Outcome, fields: object): void;
  /** Headers that tell the receiver of the trace to which a delivery belongs. */
  traceHeaders?: (() => Record<string, string>) | undefined;
  now?: () => Date;
}

/** The longest wait is ten hours, and the last attempt comes 24 hours after the first. */
export const RETRY_MS = [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 22_600, 36_000].map((seconds) => seconds * 1000);

/** A receiver may ask for more time than planned, but not for ever. */
const MAX_WAIT_MS = Math.max(...RETRY_MS);

interface Claimed extends Secrets {
  id: string;
  webhookId: string | null;
  type: NoticeType;
  matchId: string | null;
  version: number | null;
  playerId: string;
  name: string;
  kind: PlayerKind;
  skeleton: string | null;
  seat: number | null;
  at: Date;
  deadline: Date | null;
  forced: boolean;
  attempts: number;
  url: string;
  format: WebhookFormat;
  disabled: boolean;
  game: string | null;
  acting: boolean;
  address: string | null;
  unsubscribe: string | null;
}

const CLAIM = `
WITH d AS (
  UPDATE deliveries
     SET status = 'SENDING', attempts = attempts + 1, attempted_at = now(), next_attempt_at = NULL
   WHERE id = $1 AND status IN ('PENDING', 'SENDING')
  RETURNING *
)
SELECT d.id, d.webhook_id AS "webhookId", d.type, d.match_id AS "matchId", d.version, d.player_id AS "playerId", d.seat,
       d.at, d.deadline, d.forced, d.attempts, w.url, w.format, w.secret, w.old_secret AS "oldSecret",
       w.old_secret_until AS "oldSecretUntil", w.disabled_at IS NOT NULL AS disabled, m.game, p.name, p.kind, p.skeleton,
       e.address, e.unsubscribe,
       m.status = 'ACTIVE' AND EXISTS (SELECT FROM unnest(m.acting) AS a(seat) WHERE m.seats[a.seat + 1] = d.player_id) AS acting
  FROM d
  JOIN players p ON p.id = d.player_id
  LEFT JOIN webhooks w ON w.id = d.webhook_id
  LEFT JOIN matches m ON m.id = d.match_id
  LEFT JOIN emails e ON d.webhook_id IS NULL AND e.player_id = d.player_id AND e.confirmed_at IS NOT NULL`;

const FINISH = `UPDATE deliveries SET status = $2, response_code = $3, last_error = $4 WHERE id = $1`;

const DISABLE = `UPDATE webhooks SET disabled_at = now(), disabled_reason = $2 WHERE id = $1 AND disabled_at IS NULL`;

// If the turn passed and came back while this delivery was under way, the newer delivery reports it.
const RETRY = `
WITH d AS (
  UPDATE deliveries d
     SET status = CASE WHEN NOT d.forced AND EXISTS (
           SELECT FROM deliveries o
            WHERE o.status = 'PENDING' AND NOT o.forced AND o.match_id = d.match_id AND o.player_id = d.player_id
              AND o.type = d.type AND COALESCE(o.webhook_id, o.player_id) = COALESCE(d.webhook_id, d.player_id)
         ) THEN 'DROPPED' ELSE 'PENDING' END::"DeliveryStatus",
         next_attempt_at = now() + make_interval(secs => $4::float8 / 1000), response_code = $2, last_error = $3,
         attempts = attempts - $5::int
   WHERE id = $1
  RETURNING *
)
SELECT graphile_worker.add_job('deliver', json_build_object('id', d.id), run_at => d.next_attempt_at, job_key => ${JOB_KEY})
  FROM d WHERE d.status = 'PENDING'`;

interface Attempt {
  ok: boolean;
  code: number | null;
  error: string | null;
  /** No further attempt can succeed. */
  permanent?: boolean;
  retryAfterMs?: number;
}

export async function deliver(id: string, options: DeliverOptions, signal?: AbortSignal): Promise<void> {
  const { pool, onOutcome, retryMs } = options;
  const { rows } = await pool.query<Claimed>({ name: 'claim', text: CLAIM, values: [id] });
  const [delivery] = rows;
  if (!delivery) return; // a newer notice replaced it, or its webhook was deleted
  const finish = async (status: DeliveryStatus, outcome: Outcome, { code, error }: Attempt) => {
    await pool.query(FINISH, [id, status, code, error]);
    onOutcome(delivery.webhookId ? 'webhook' : 'mail', outcome, {
      delivery: id,
      attempts: delivery.attempts,
      code,
      error,
    });
  };
  const obsolete = whyObsolete(delivery, options.sendMail);
  if (obsolete) return finish('DROPPED', 'dropped', { ok: false, code: null, error: obsolete });
  const attempt = await attempted(delivery, options, signal);
  if (attempt.ok) return finish('DELIVERED', 'delivered', attempt);
  // A push service answers 404 or 410 where a subscription has ended.
  const gone = attempt.code === 410 || (attempt.code === 404 && delivery.format === 'WEB_PUSH');
  if (gone && delivery.webhookId) {
    await pool.query(DISABLE, [
      delivery.webhookId,
      `The receiver answered ${attempt.code === 410 ? '410 Gone' : '404'}`,
    ]);
    return finish('FAILED', 'disabled', attempt);
  }
  const aborted = signal?.aborted ?? false;
  const wait = aborted ? 0 : retryMs[delivery.attempts - 1];
  if (attempt.permanent || wait === undefined) return finish('FAILED', 'failed', attempt);
  const asked = Math.min(attempt.retryAfterMs ?? 0, MAX_WAIT_MS);
  await pool.query(RETRY, [id, attempt.code, attempt.error, jittered(Math.max(wait, asked)), aborted ? 1 : 0]);
  if (!aborted)
    onOutcome(delivery.webhookId ? 'webhook' : 'mail', 'retried', {
      delivery: id,
      attempts: delivery.attempts,
      code: attempt.code,
      error: attempt.error,
    });
}

/** Jitter, so that deliveries which failed together are not retried together. */
const jittered = (ms: number): number => Math.round(ms * (1 + Math.random() / 10));

function whyObsolete(delivery: Claimed, sendMail: SendMail | null): string | null {
  const { type, webhookId, disabled, forced, acting, address } = delivery;
  if (webhookId && disabled) return 'The webhook is disabled';
  if (!webhookId && !(address && sendMail)) return 'There is no confirmed address';
  const aboutTurn = type === 'TURN_GAINED' || type === 'TURN_REMINDER';
  return aboutTurn && !forced && !acting ? 'The turn has passed' : null;
}

async function attempted(delivery: Claimed, options: DeliverOptions, signal?: AbortSignal): Promise<Attempt> {
  try {
    return delivery.webhookId ? await posted(delivery, options, signal) : await mailed(delivery, options);
  } catch (error) {
    return { ok: false, code: null, error: wordsOf(error), permanent: error instanceof MailError && error.permanent };
  }
}

async function posted(delivery: Claimed, options: DeliverOptions, signal?: AbortSignal): Promise<Attempt> {
  const { guard, timeoutMs, now = () => new Date() } = options;
  const answer = await post(
    { url: delivery.url, ...(await requestOf(delivery, options, now())) },
    { ...guard, timeoutMs, ...(signal && { signal }) },
  );
  const { status: code, retryAfterMs } = answer;
  if (code >= 200 && code < 300) return { ok: true, code, error: null };
  const redirect = code >= 300 && code < 400 ? ', and redirects are not followed' : '';
  return { ok: false, code, error: `It was answered with ${code}${redirect}`, retryAfterMs };
}

async function requestOf(delivery: Claimed, options: DeliverOptions, now: Date) {
  const message = messageOf(delivery, options);
  const secrets = secretsOf(delivery, options.seal);
  if (delivery.format === 'WEB_PUSH') return pushRequest(delivery.url, secrets.secret, message, options.pushKeys);
  const body = bodyOf(message, delivery.format);
  return { headers: { ...options.traceHeaders?.(), ...signedHeaders(secrets, delivery.id, body, now) }, body };
}

/** A rotated secret stays sealed for the same place. */
function secretsOf({ webhookId, secret, oldSecret, oldSecretUntil }: Claimed, { open }: Seal): Secrets {
  const place = secretOfWebhook(webhookId as string);
  return { secret: open(secret, place), oldSecret: oldSecret && open(oldSecret, place), oldSecretUntil };
}

async function mailed(delivery: Claimed, options: DeliverOptions): Promise<Attempt> {
  const unsubscribe = options.mailLinks.unsubscribe(delivery.unsubscribe as string);
  await options.sendMail?.(noticeMail(messageOf(delivery, options), delivery.address as string, unsubscribe));
  return { ok: true, code: null, error: null };
}

const messageOf = (delivery: Claimed, { gameName, matchLinks }: DeliverOptions): Message => ({
  ...delivery,
  playerName: shownName({ name: namePart(delivery.name), tag: tagOf({ ...delivery, id: delivery.playerId }) }),
  gameName: delivery.game && gameName(delivery.game),
  ...(delivery.matchId ? matchLinks(delivery.matchId) : { url: null, page: null }),
});

/** If several addresses were tried, the first failure is reported. */
function wordsOf(error: unknown): string {
  const { message, errors } = error as Error & { errors?: Error[] };
  return (message || errors?.[0]?.message || 'The connection failed').slice(0, 200);
}
