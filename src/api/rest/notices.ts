/** The routes of webhooks and mail: /v1/webhooks, /v1/deliveries, /v1/me/email, and the links of mails. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { refusals } from '../../errors.ts';
import type { Notices } from '../../notices/service.ts';
import type { Webhook } from '../../notices/webhooks.ts';
import { playerOf } from '../http/identity.ts';
import { created, keyOf, routesOf } from './route.ts';
import { IdempotencyKey } from './schemas.ts';
import * as schemas from './schemas-notices.ts';

const { open, withToken } = routesOf('notices');
const params = schemas.WebhookParams;
const aWebhook = { 200: Type.Ref('Webhook') };

function webhookJson({ id, url, format, events, matchId, disabledAt, disabledReason, createdAt }: Webhook) {
  return { id, url, format, events, matchId, enabled: disabledAt === null, disabledReason, createdAt };
}

export const restNotices: FastifyPluginAsyncTypebox<{ notices: Notices }> = async (app, { notices }) => {
  const { webhooks } = notices;
  for (const schema of schemas.components) app.addSchema(schema);

  app.get(
    '/webhooks',
    withToken({
      summary: "The caller's webhooks, newest first",
      response: { 200: Type.Object({ webhooks: Type.Array(Type.Ref('Webhook')) }) },
    }),
    async (request) => ({ webhooks: (await webhooks.list(playerOf(request))).map(webhookJson) }),
  );

  app.post(
    '/webhooks',
    withToken({
      summary: 'A new webhook; its secret is shown this once',
      headers: IdempotencyKey,
      body: schemas.CreateWebhookBody,
      response: { 201: Type.Ref('WebhookSecret') },
    }),
    async (request, reply) => {
      const { webhook, secret } = await webhooks.create(playerOf(request), request.body, keyOf(request));
      const location = `/v1/webhooks/${webhook.id}`;
      return created(reply, location, { webhook: webhookJson(webhook), secret });
    },
  );

  app.get(
    '/push-key',
    open({
      summary: 'The key with which a browser subscribes to push messages of this server',
      response: { 200: Type.Object({ key: Type.String({ description: 'The applicationServerKey.' }) }) },
    }),
    async () => ({ key: notices.pushKey }),
  );

  app.get(
    '/webhooks/:id',
    withToken({ summary: 'One webhook of the caller', params, response: aWebhook }),
    async (request) => webhookJson(await webhooks.get(playerOf(request), request.params.id)),
  );

  app.patch(
    '/webhooks/:id',
    withToken({
      summary: 'Change a webhook; what is left out stays as it is',
      params,
      body: schemas.UpdateWebhookBody,
      response: aWebhook,
    }),
    async (request) => webhookJson(await webhooks.update(playerOf(request), request.params.id, request.body)),
  );

  app.delete(
    '/webhooks/:id',
    withToken({ summary: 'Forget a webhook and its deliveries', params, response: aWebhook }),
    async (request) => webhookJson(await webhooks.remove(playerOf(request), request.params.id)),
  );

  app.post(
    '/webhooks/:id/secret',
    withToken({
      summary: 'A new secret, shown this once; for 24 hours both the old and the new one sign',
      params,
      response: { 200: Type.Ref('WebhookSecret') },
    }),
    async (request) => {
      const { webhook, secret } = await webhooks.rotate(playerOf(request), request.params.id);
      return { webhook: webhookJson(webhook), secret };
    },
  );

  app.post(
    '/webhooks/:id/test',
    withToken({
      summary: 'Send a ping now, once, and say what came of it',
      params,
      response: { 200: Type.Ref('Delivery') },
    }),
    (request) => webhooks.test(playerOf(request), request.params.id),
  );

  app.get(
    '/webhooks/:id/deliveries',
    withToken({
      summary: 'What was sent to a webhook, newest first, for 30 days',
      params,
      querystring: schemas.DeliveriesQuery,
      response: { 200: Type.Ref('DeliveryPage') },
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
      summary: 'Send a delivery again, whether or not the turn has passed',
      params: schemas.DeliveryParams,
      response: { 200: Type.Ref('Delivery') },
    }),
    (request) => webhooks.redeliver(playerOf(request), request.params.id),
  );

  await app.register(restEmail, { notices });
  await app.register(mailLinkPages, { notices });
};

const restEmail: FastifyPluginAsyncTypebox<{ notices: Notices }> = async (app, { notices: { emails } }) => {
  const response = { 200: Type.Ref('EmailAddress') };

  app.get('/me/email', withToken({ summary: "The caller's e-mail address", response }), async (request) => {
    const email = await emails.get(playerOf(request));
    if (email) return email;
    throw refusals.noEmail();
  });

  app.put(
    '/me/email',
    withToken({
      summary: "Send a code to this address; once it is confirmed, mails tell of the caller's turns",
      body: schemas.EmailBody,
      response,
    }),
    (request) => emails.set(playerOf(request), request.body.address),
  );

  app.post(
    '/me/email/confirm',
    withToken({ summary: 'Confirm the address by the code', body: schemas.CodeBody, response }),
    (request) => emails.confirm(playerOf(request), request.body.code),
  );

  app.delete(
    '/me/email',
    withToken({
      summary: 'Forget the address',
      response: { 200: Type.Object({ removed: Type.Boolean() }) },
    }),
    async (request) => ({ removed: await emails.remove(playerOf(request)) }),
  );
};

/** Programs open the links of mails to look for harm: so a GET only asks, and a POST does. */
const mailLinkPages: FastifyPluginAsyncTypebox<{ notices: Notices }> = async (app, { notices: { emails } }) => {
  // What a page's button sends, and mail programs that unsubscribe by themselves (RFC 8058); all that counts is in the URL.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
    done(null, {}),
  );

  const html = async (reply: FastifyReply, body: string) => {
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store');
    reply.serializer((text: string) => text);
    return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Atoll</title><main>${body}</main></html>`;
  };
  const button = (label: string) => `<form method="post"><button>${label}</button></form>`;
  const page = (summary: string, querystring: typeof schemas.CodeBody | typeof schemas.TokenQuery) =>
    open({
      summary,
      querystring,
      produces: ['text/html'],
      response: { 200: Type.String({ description: 'A page for people' }) },
    });

  app.get('/email/confirm', page('Where the link of a confirmation leads: asks first', schemas.CodeBody), (_, reply) =>
    html(reply, `<p>Be told by mail when it is your turn?</p>${button('Yes, this is my address')}`),
  );
  app.post<{ Querystring: { code: string } }>(
    '/email/confirm',
    page('Confirm an address by the code in the link', schemas.CodeBody),
    async (request, reply) => {
      await emails.confirm(null, request.query.code);
      return html(reply, '<p>Confirmed: mails will tell you of your turns.</p>');
    },
  );
  app.get(
    '/email/unsubscribe',
    page('Where the link of every mail leads: asks first', schemas.TokenQuery),
    (_, reply) => html(reply, `<p>No more mails of your turns?</p>${button('No more mails')}`),
  );
  app.post<{ Querystring: { token: string } }>(
    '/email/unsubscribe',
    page('End the mails, as mail programs do by themselves (RFC 8058)', schemas.TokenQuery),
    async (request, reply) => {
      await emails.unsubscribe(request.query.token);
      return html(reply, '<p>Your address is forgotten: no more mails will come.</p>');
    },
  );
};
