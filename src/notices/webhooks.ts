/** Webhooks, as their owners see and change them. */

import type { Database } from '../database/pool.ts';
import { KeyUsed, once, type RequestKey, requestKey, writeKeyIn } from '../database/request-keys.ts';
import { secretOfWebhook } from '../database/secrets/seal.ts';
import { refusals } from '../errors.ts';
import type { DeliveryStatus, NoticeType, WebhookFormat } from '../generated/prisma/enums.ts';
import { isId, newId } from '../id.ts';
import { withPlayerLocked } from '../players/locked.ts';
import type { Player } from '../players/player.ts';
import { checkTarget, type Guard } from './address.ts';
import { type DeliverOptions, deliver } from './deliver.ts';
import { type BrowserKeys, secretOfBrowser } from './push.ts';
import { JOB_KEY } from './relay.ts';
import { GRACE_MS, newSecret, secretText } from './signature.ts';

export interface Webhook {
  id: string;
  playerId: string;
  /** Null for the owner's turns in every match; otherwise every seat's turns in this one. */
  matchId: string | null;
  url: string;
  format: WebhookFormat;
  events: NoticeType[];
  createdAt: Date;
  disabledAt: Date | null;
  disabledReason: string | null;
}

export interface WebhookSecret {
  webhook: Webhook;
  secret: string;
}

export interface Delivery {
  id: string;
  type: NoticeType;
  matchId: string | null;
  version: number | null;
  playerId: string;
  seat: number | null;
  status: DeliveryStatus;
  attempts: number;
  responseCode: number | null;
  lastError: string | null;
  createdAt: Date;
  attemptedAt: Date | null;
  nextAttemptAt: Date | null;
}

export interface CreateWebhook {
  url: string;
  format?: WebhookFormat | null;
  /** The keys of a browser's subscription, for WEB_PUSH. */
  keys?: BrowserKeys | null;
  events?: readonly WebhookEvent[] | null;
  matchId?: string | null;
}

export interface UpdateWebhook {
  url?: string | null;
  format?: WebhookFormat | null;
  events?: readonly WebhookEvent[] | null;
  enabled?: boolean | null;
}

export interface Page {
  first?: number | null;
  after?: string | null;
  /** The last ones, up to `before`. If it is given, `first` is ignored. */
  last?: number | null;
  before?: string | null;
}

export interface Webhooks {
  list(player: Player): Promise<Webhook[]>;
  get(player: Player, id: string): Promise<Webhook>;
  create(player: Player, input: CreateWebhook, key?: string | null): Promise<WebhookSecret>;
  update(player: Player, id: string, input: UpdateWebhook): Promise<Webhook>;
  remove(player: Player, id: string): Promise<Webhook>;
  /** The previous secret continues to sign for a day. */
  rotate(player: Player, id: string, key?: string | null): Promise<WebhookSecret>;
  /** Sends one ping at once, without retries, and returns the result. */
  test(player: Player, id: string): Promise<Delivery>;
  /** `more` says whether there are deliveries beyond the page, in the direction of paging. */
  deliveries(webhook: Webhook, page: Page): Promise<{ deliveries: Delivery[]; more: boolean }>;
  /** A delivery to a webhook of this player. */
  delivery(player: Player, id: string): Promise<Delivery>;
  /** Sends it again, as the same message, whether or not the turn has passed. */
  redeliver(player: Player, deliveryId: string): Promise<Delivery>;
}

export interface WebhooksParts {
  database: Database;
  guard: Guard;
  sending: DeliverOptions;
  /** Throws unless this player may be notified about every seat of that match. */
  mayHear(player: Player, matchId: string): Promise<void>;
  /** Limits pings and redeliveries, which reach other people's servers. Throws RATE_LIMITED. */
  limit(playerId: string): void;
}

export const MAX_WEBHOOKS = 10;
const MAX_PAGE = 100;
/** What a webhook can subscribe to. A ping is sent only when its owner asks for one. */
export type WebhookEvent = Exclude<NoticeType, 'PING'>;
/** A webhook with its defaults filled in. */
interface Wanted extends CreateWebhook {
  format: WebhookFormat;
  events: readonly WebhookEvent[];
}

const DEFAULT_EVENTS: WebhookEvent[] = ['TURN_GAINED', 'TURN_REMINDER'];

const shown = {
  id: true,
  playerId: true,
  matchId: true,
  url: true,
  format: true,
  events: true,
  createdAt: true,
  disabledAt: true,
  disabledReason: true,
} as const;

const shownDelivery = {
  id: true,
  type: true,
  matchId: true,
  version: true,
  playerId: true,
  seat: true,
  status: true,
  attempts: true,
  responseCode: true,
  lastError: true,
  createdAt: true,
  attemptedAt: true,
  nextAttemptAt: true,
} as const;

const notFound = (what: string) => refusals.noSuch(what);

function eventsOf(events: readonly WebhookEvent[] | null | undefined): WebhookEvent[] {
  if (!events) return DEFAULT_EVENTS;
  if (events.length === 0) throw refusals.noEvents();
  return [...new Set(events)];
}

const REDELIVER = `
WITH d AS (
  UPDATE deliveries SET status = 'PENDING', forced = true, attempts = 0, next_attempt_at = now()
   WHERE id = $1 AND status <> 'SENDING'
  RETURNING *
)
SELECT graphile_worker.add_job('deliver', json_build_object('id', d.id), job_key => ${JOB_KEY}) FROM d`;

export function openWebhooks(parts: WebhooksParts): Webhooks {
  const { prisma } = parts.database;
  return {
    get: (player, id) => get(parts, player, id),
    list: (player) =>
      prisma.webhook.findMany({ where: { playerId: player.id }, orderBy: { id: 'desc' }, select: shown }),
    create: (player, input, key) => create(parts, player, input, key),
    update: (player, id, input) => update(parts, player, id, input),
    async remove(player, id) {
      const webhook = await get(parts, player, id);
      await prisma.webhook.deleteMany({ where: { id } });
      return webhook;
    },
    rotate: (player, id, key) => rotate(parts, player, id, key),
    test: (player, id) => test(parts, player, id),
    deliveries: (webhook, page) => deliveriesOf(parts, webhook, page),
    redeliver: (player, deliveryId) => redeliver(parts, player, deliveryId),
    delivery: (player, id) => ownDelivery(parts, player, id),
  };
}

async function get({ database: { prisma } }: WebhooksParts, player: Player, id: string): Promise<Webhook> {
  const found = isId(id) && (await prisma.webhook.findFirst({ where: { id, playerId: player.id }, select: shown }));
  if (!found) throw notFound('webhook');
  return found;
}

async function create(
  parts: WebhooksParts,
  player: Player,
  { url, format, keys, events, matchId }: CreateWebhook,
  key: string | null | undefined,
): Promise<WebhookSecret> {
  if (keys && format !== 'WEB_PUSH') throw refusals.keysOfBrowserOnly();
  const wanted = { url, format: format ?? 'STANDARD', events: eventsOf(events), matchId, ...(keys && { keys }) };
  const request = requestKey(player.id, key, 'webhook', wanted);
  const again = (id: string) => withSecret(parts, player, id);
  return once(parts.database.pool, request, again, () => make(parts, player, wanted, request));
}

async function make(
  { database: { prisma, seal }, guard, mayHear }: WebhooksParts,
  player: Player,
  wanted: Wanted,
  request: RequestKey | null,
): Promise<WebhookSecret> {
  const { url, format, keys, events, matchId } = wanted;
  const target = await checkTarget(url, guard);
  if (typeof matchId === 'string') await mayHear(player, matchId);
  const [id, secret] = [newId(), format === 'WEB_PUSH' ? secretOfBrowser(keys) : newSecret()];
  const owner = { id, playerId: player.id, matchId: matchId ?? null };
  const data = { ...owner, url: target, format, events: [...events], secret: seal.seal(secret, secretOfWebhook(id)) };
  const webhook = await withPlayerLocked({ prisma }, player.id, async (tx) => {
    if (request && !(await writeKeyIn(tx, request, id))) throw new KeyUsed();
    if ((await tx.webhook.count({ where: { playerId: player.id } })) >= MAX_WEBHOOKS)
      throw refusals.tooManyWebhooks(MAX_WEBHOOKS);
    return tx.webhook.create({ data, select: shown });
  });
  return { webhook, secret: secretText(secret) };
}

/** The webhook that an earlier request with the same key made. */
async function withSecret(parts: WebhooksParts, player: Player, id: string): Promise<WebhookSecret> {
  const { prisma, seal } = parts.database;
  const webhook = await get(parts, player, id);
  const { secret } = await prisma.webhook.findUniqueOrThrow({ where: { id }, select: { secret: true } });
  return { webhook, secret: secretText(seal.open(secret, secretOfWebhook(id))) };
}

async function update(
  parts: WebhooksParts,
  player: Player,
  id: string,
  { url, format, events, enabled }: UpdateWebhook,
): Promise<Webhook> {
  const webhook = await get(parts, player, id);
  if (format && (format === 'WEB_PUSH') !== (webhook.format === 'WEB_PUSH')) throw refusals.formatOfBrowserFixed();
  const state = {
    true: { disabledAt: null, disabledReason: null },
    false: { disabledAt: webhook.disabledAt ?? new Date(), disabledReason: 'The owner disabled it' },
  };
  return parts.database.prisma.webhook.update({
    where: { id },
    data: {
      ...(typeof url === 'string' && { url: await checkTarget(url, parts.guard) }),
      ...(format && { format }),
      ...(events && { events: eventsOf(events) }),
      ...(typeof enabled === 'boolean' && state[`${enabled}`]),
    },
    select: shown,
  });
}

const ROTATE = 'UPDATE webhooks SET old_secret = secret, old_secret_until = $3, secret = $2 WHERE id = $1';

/** Repeated with the same key, it changes nothing: a second change would end the secret that the receiver still has. */
async function rotate(
  parts: WebhooksParts,
  player: Player,
  id: string,
  key: string | null | undefined,
): Promise<WebhookSecret> {
  const { pool, prisma, seal } = parts.database;
  if ((await get(parts, player, id)).format === 'WEB_PUSH') throw refusals.secretOfBrowserFixed();
  const request = requestKey(player.id, key, 'webhook secret', { id });
  const again = () => withSecret(parts, player, id);
  return once(pool, request, again, async () => {
    const secret = seal.seal(newSecret(), secretOfWebhook(id));
    await prisma.$transaction(async (tx) => {
      if (request && !(await writeKeyIn(tx, request, id))) throw new KeyUsed();
      await tx.$executeRawUnsafe(ROTATE, id, secret, new Date(Date.now() + GRACE_MS));
    });
    return again();
  });
}

async function test(parts: WebhooksParts, player: Player, id: string): Promise<Delivery> {
  const webhook = await get(parts, player, id);
  if (webhook.disabledAt) throw refusals.webhookDisabled();
  parts.limit(player.id);
  const ping = newId();
  await parts.database.prisma.delivery.create({
    data: { id: ping, webhookId: id, type: 'PING', playerId: player.id, at: new Date(), forced: true },
  });
  await deliver(ping, { ...parts.sending, retryMs: [] });
  return deliveryOf(parts, ping);
}

async function deliveryOf({ database: { prisma } }: WebhooksParts, id: string): Promise<Delivery> {
  const found = await prisma.delivery.findUnique({ where: { id }, select: shownDelivery });
  if (!found) throw notFound('delivery');
  return found;
}

async function deliveriesOf(
  { database: { prisma } }: WebhooksParts,
  webhook: Webhook,
  { first, after, last, before }: Page,
): Promise<{ deliveries: Delivery[]; more: boolean }> {
  const size = last ?? first ?? 20;
  if (size < 1 || size > MAX_PAGE) throw last != null ? refusals.badLast(MAX_PAGE) : refusals.badFirst(MAX_PAGE);
  if (after && !isId(after)) throw refusals.badCursor();
  if (before && !isId(before)) throw refusals.badCursor('before');
  const fromEnd = last != null;
  const [start, end] = fromEnd ? [before, after] : [after, before];
  const found = await prisma.delivery.findMany({
    where: { webhookId: webhook.id },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: fromEnd ? -(size + 1) : size + 1, // a negative number counts from the end
    ...(start && { cursor: { id: start }, skip: 1 }),
    select: shownDelivery,
  });
  const away = fromEnd ? found.reverse() : found; // in the direction of paging
  const stop = away.findIndex(({ id }) => id === end);
  const page = away.slice(0, stop < 0 ? size : Math.min(size, stop));
  const more = (stop < 0 ? away.length : stop) > size;
  return { deliveries: fromEnd ? page.reverse() : page, more };
}

async function ownDelivery({ database: { prisma } }: WebhooksParts, player: Player, id: string): Promise<Delivery> {
  const where = { id, webhook: { playerId: player.id } };
  const found = isId(id) && (await prisma.delivery.findFirst({ where, select: shownDelivery }));
  if (!found) throw notFound('delivery');
  return found;
}

async function redeliver(parts: WebhooksParts, player: Player, deliveryId: string): Promise<Delivery> {
  const { prisma, pool } = parts.database;
  const where = { id: deliveryId, webhook: { playerId: player.id } };
  const mine = isId(deliveryId) && (await prisma.delivery.findFirst({ where, select: { webhook: { select: shown } } }));
  if (!mine) throw notFound('delivery');
  if (mine.webhook?.disabledAt) throw refusals.webhookDisabled();
  parts.limit(player.id);
  await pool.query(REDELIVER, [deliveryId]);
  return deliveryOf(parts, deliveryId);
}
