/** What was sent to webhooks, and sending it again. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { playerOf } from '../../http/callers/identity.ts';
import { a, routesOf } from '../route.ts';
import * as schemas from '../schemas/notices.ts';
import type { NoticesOptions } from './webhooks.ts';

const { withToken } = routesOf('notices');

export const restDeliveries: FastifyPluginAsyncTypebox<NoticesOptions> = async (app, { notices: { webhooks } }) => {
  const refuses = ['NOT_FOUND'] as const;

  app.post(
    '/webhooks/:id/test',
    withToken({
      operationId: 'testWebhook',
      summary: 'Send a ping now, once, and report the result',
      refuses,
      params: schemas.WebhookParams,
      response: a('Delivery'),
    }),
    (request) => webhooks.test(playerOf(request), request.params.id),
  );

  app.get(
    '/webhooks/:id/deliveries',
    withToken({
      operationId: 'listDeliveries',
      summary: 'What was sent to a webhook in the last 30 days, newest first',
      refuses,
      params: schemas.WebhookParams,
      querystring: schemas.DeliveriesQuery,
      response: a('DeliveryPage'),
    }),
    async (request) => {
      const webhook = await webhooks.get(playerOf(request), request.params.id);
      const { deliveries, more } = await webhooks.deliveries(webhook, request.query);
      return { deliveries, pageInfo: { hasNextPage: more, endCursor: deliveries.at(-1)?.id ?? null } };
    },
  );

  app.post(
    '/deliveries/:id/redeliver',
    withToken({
      operationId: 'redeliver',
      summary: 'Send a delivery again, whether or not the turn has passed',
      refuses,
      params: schemas.DeliveryParams,
      response: a('Delivery'),
    }),
    (request) => webhooks.redeliver(playerOf(request), request.params.id),
  );
};
