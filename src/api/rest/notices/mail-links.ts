/** The pages to which links in mails lead: /v1/email. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { routesOf } from '../route.ts';
import * as schemas from '../schemas/notices.ts';
import type { NoticesOptions } from './webhooks.ts';

const { withoutSession } = routesOf('notices');

/** Virus scanners open links in mails, so a GET only shows a page with a button, and the POST acts. */
export const mailLinkPages: FastifyPluginAsyncTypebox<NoticesOptions> = async (app, { notices: { emails } }) => {
  // Sent by the page's button, and by mail programs that unsubscribe by themselves (RFC 8058). Everything that matters
  // is in the URL.
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, _body, done) =>
    done(null, {}),
  );

  const html = async (reply: FastifyReply, body: string) => {
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store');
    reply.serializer((text: string) => text);
    return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Atoll</title><main>${body}</main></html>`;
  };
  const button = (label: string) => `<form method="post"><button>${label}</button></form>`;
  const page = (
    operationId: string,
    summary: string,
    querystring: typeof schemas.CodeBody | typeof schemas.TokenQuery,
  ) =>
    withoutSession({
      operationId,
      summary,
      querystring,
      produces: ['text/html'],
      response: { 200: Type.String({ description: 'A page for people' }) },
    });

  app.get(
    '/email/confirm',
    page(
      'showEmailConfirmation',
      'The page to which the link in a confirmation mail leads; it asks first',
      schemas.CodeBody,
    ),
    (_, reply) =>
      html(reply, `<p>Do you want to be told by mail when it is your turn?</p>${button('Yes, this is my address')}`),
  );
  app.post<{ Querystring: { code: string } }>(
    '/email/confirm',
    page('confirmEmailByLink', 'Confirm an address with the code in the link', schemas.CodeBody),
    async (request, reply) => {
      await emails.confirm(null, request.query.code);
      return html(reply, '<p>Confirmed. Mails will tell you when it is your turn.</p>');
    },
  );
  app.get(
    '/email/unsubscribe',
    page('showUnsubscription', 'The page to which the link in every mail leads; it asks first', schemas.TokenQuery),
    (_, reply) => html(reply, `<p>Stop mails about your turns?</p>${button('No more mails')}`),
  );
  app.post<{ Querystring: { token: string } }>(
    '/email/unsubscribe',
    page('unsubscribeByLink', 'Stop the mails, as mail programs do by themselves (RFC 8058)', schemas.TokenQuery),
    async (request, reply) => {
      await emails.unsubscribe(request.query.token);
      return html(reply, '<p>You will get no more mails about your turns.</p>');
    },
  );
};
