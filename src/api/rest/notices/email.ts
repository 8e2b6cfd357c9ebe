/** The caller's e-mail address: /v1/me/email. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { refusals } from '../../../errors.ts';
import { playerOf } from '../../http/callers/identity.ts';
import { a, routesOf } from '../route.ts';
import * as schemas from '../schemas/notices.ts';
import type { NoticesOptions } from './webhooks.ts';

const { withToken } = routesOf('notices');

export const restEmail: FastifyPluginAsyncTypebox<NoticesOptions> = async (app, { notices: { emails } }) => {
  const response = a('EmailAddress');

  app.get(
    '/me/email',
    withToken({ operationId: 'getEmail', summary: "The caller's e-mail address", refuses: ['NOT_FOUND'], response }),
    async (request) => {
      const email = await emails.get(playerOf(request));
      if (email) return email;
      throw refusals.noEmail();
    },
  );

  app.put(
    '/me/email',
    withToken({
      operationId: 'setEmail',
      summary: 'Send a code to this address; once it is confirmed, the caller is told of turns by mail',
      body: schemas.EmailBody,
      response,
    }),
    (request) => emails.set(playerOf(request), request.body.address),
  );

  app.post(
    '/me/email/confirm',
    withToken({
      operationId: 'confirmEmail',
      summary: 'Confirm the address with the code',
      body: schemas.CodeBody,
      response,
    }),
    (request) => emails.confirm(playerOf(request), request.body.code),
  );

  app.delete(
    '/me/email',
    withToken({
      operationId: 'deleteEmail',
      summary: 'Forget the address',
      response: { 200: Type.Object({ removed: Type.Boolean() }, { description: 'Whether there was an address.' }) },
    }),
    async (request) => ({ removed: await emails.remove(playerOf(request)) }),
  );
};
