/** Webhooks: /v1/webhooks, and the key for push messages. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { Notices } from '../../../notices/service.ts';
import type { Webhook } from '../../../notices/webhooks.ts';
import { playerOf } from '../../http/callers/identity.ts';
import { a, created, keyOf, routesOf } from '../route.ts';
import * as schemas from '../schemas/notices.ts';
import { IdempotencyKey } from '../schemas/shared.ts';

const { open, withToken } = routesOf('notices');
const params = schemas.WebhookParams;
const response = a('Webhook');

export interface NoticesOptions {
  notices: Notices;
}

function webhookJson({ id, url, format, events, matchId, disabledAt, disabledReason, createdAt }: Webhook) {
  return { id, url, format, events, matchId, enabled: disabledAt === null, disabledReason, createdAt };
}

export const restWebhooks: FastifyPluginAsyncTypebox<NoticesOptions> = async (app, options) => {
  await app.register(restWebhookList, options);
  await app.register(restWebhook, options);
};

const restWebhookList: FastifyPluginAsyncTypebox<NoticesOptions> = async (app, { notices }) => {
  const { webhooks } = notices;

  app.get(
    '/webhooks',
    withToken({
      operationId: 'listWebhooks',
      summary: "The caller's webhooks, newest first",
      response: { 200: Type.Object({ webhooks: Type.Array(Type.Ref('Webhook')) }, { description: 'The webhooks.' }) },
    }),
    async (request) => ({ webhooks: (await webhooks.list(playerOf(request))).map(webhookJson) }),
  );

  app.post(
    '/webhooks',
    withToken({
      operationId: 'createWebhook',
      summary: 'Make a webhook; its secret is shown only once',
      refuses: ['NOT_SEATED', 'NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
      headers: IdempotencyKey,
      body: schemas.CreateWebhookBody,
      response: a('WebhookSecret', 201),
    }),
    async (request, reply) => {
      const { webhook, secret } = await webhooks.create(playerOf(request), request.body, keyOf(request));
      return created(reply, `/v1/webhooks/${webhook.id}`, { webhook: webhookJson(webhook), secret });
    },
  );

  app.get(
    '/push-key',
    open({
      operationId: 'getPushKey',
      summary: 'The key with which a browser subscribes to push messages from this server',
      response: {
        200: Type.Object(
          { key: Type.String({ description: 'The applicationServerKey.' }) },
          { description: 'The public key of this server.' },
        ),
      },
    }),
    async () => ({ key: notices.pushKey }),
  );
};

const restWebhook: FastifyPluginAsyncTypebox<NoticesOptions> = async (app, { notices: { webhooks } }) => {
  const refuses = ['NOT_FOUND'] as const;

  app.get(
    '/webhooks/:id',
    withToken({ operationId: 'getWebhook', summary: 'One webhook of the caller', refuses, params, response }),
    async (request) => webhookJson(await webhooks.get(playerOf(request), request.params.id)),
  );

  app.patch(
    '/webhooks/:id',
    withToken({
      operationId: 'updateWebhook',
      summary: 'Change a webhook; fields that are left out stay as they are',
      refuses,
      params,
      body: schemas.UpdateWebhookBody,
      response,
    }),
    async (request) => webhookJson(await webhooks.update(playerOf(request), request.params.id, request.body)),
  );

  app.delete(
    '/webhooks/:id',
    withToken({
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook and its deliveries',
      refuses,
      params,
      response,
    }),
    async (request) => webhookJson(await webhooks.remove(playerOf(request), request.params.id)),
  );

  app.post(
    '/webhooks/:id/secret',
    withToken({
      operationId: 'rotateWebhookSecret',
      summary: 'Make a new secret, shown only once; for 24 hours both the old and the new one sign',
      refuses: [...refuses, 'IDEMPOTENCY_KEY_REUSED'],
      headers: IdempotencyKey,
      params,
      response: a('WebhookSecret'),
    }),
    async (request) => {
      const { webhook, secret } = await webhooks.rotate(playerOf(request), request.params.id, keyOf(request));
      return { webhook: webhookJson(webhook), secret };
    },
  );
};
