/** Signing in to an account: /v1/sign-in. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Player } from '../../../players/player.ts';
import { signInToken } from '../../account.ts';
import { passkeyOrigin } from '../../http/callers/browser.ts';
import { addressKey } from '../../http/limits/admission.ts';
import { a, created, routesOf, type ServiceOptions } from '../route.ts';
import * as schemas from '../schemas/account.ts';
import { homeFor, startSession } from './sessions.ts';

const { withoutSession } = routesOf('account');

export const restSignIn: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { accounts, publicUrl } = services;
  const { passkeys, email, recoveryCodes } = accounts;

  async function signIn(
    request: FastifyRequest<{ Body: { session?: boolean } }>,
    reply: FastifyReply,
    find: () => Promise<Player>,
  ) {
    if (request.body.session) homeFor(request, services); // check this before a code is used up
    const player = await find();
    if (!request.body.session) return created(reply, '/v1/me', await signInToken(services, player));
    await startSession(services, request, reply, player);
    return created(reply, '/v1/session', { player, token: null });
  }

  app.post(
    '/sign-in/passkey/options',
    withoutSession({
      operationId: 'beginPasskeySignIn',
      refuses: ['FORBIDDEN'],
      summary: 'Begin to sign in with a passkey: the options for the browser',
      response: a('PasskeyOptions'),
    }),
    async (request) => {
      const origin = passkeyOrigin(request, publicUrl);
      return { options: await passkeys.signInOptions(origin, addressKey(request.ip)) };
    },
  );

  app.post(
    '/sign-in/passkey',
    withoutSession({
      operationId: 'signInWithPasskey',
      refuses: ['UNAUTHENTICATED', 'FORBIDDEN'],
      summary: 'Sign in with a passkey',
      body: schemas.PasskeyBody,
      response: a('SignedIn', 201),
    }),
    (request, reply) =>
      signIn(request, reply, () => passkeys.signIn(passkeyOrigin(request, publicUrl), request.body.response)),
  );

  app.post(
    '/sign-in/email',
    withoutSession({
      operationId: 'beginEmailSignIn',
      refuses: ['FORBIDDEN'],
      summary: 'Request a mail with a code and a link',
      description: 'The answer is the same whether or not the address belongs to an account.',
      body: schemas.AddressBody,
      response: {
        202: Type.Object(
          { id: Type.String({ description: 'Send it back together with the code.' }) },
          { description: 'A mail is on its way, if the address belongs to an account.' },
        ),
      },
    }),
    async (request, reply) =>
      reply.code(202).send({ id: await email.begin(request.body.address, addressKey(request.ip)) }),
  );

  app.post(
    '/sign-in/email/code',
    withoutSession({
      operationId: 'signInWithEmail',
      refuses: ['UNAUTHENTICATED', 'FORBIDDEN'],
      summary: 'Sign in with the code or the link from a mail',
      body: schemas.MailCodeBody,
      response: a('SignedIn', 201),
    }),
    (request, reply) => signIn(request, reply, () => email.finish(request.body, addressKey(request.ip))),
  );

  app.post(
    '/sign-in/recovery-code',
    withoutSession({
      operationId: 'signInWithRecoveryCode',
      refuses: ['UNAUTHENTICATED', 'FORBIDDEN'],
      summary: 'Sign in with a recovery code, which is used up',
      body: schemas.RecoveryCodeBody,
      response: a('SignedIn', 201),
    }),
    (request, reply) => signIn(request, reply, () => recoveryCodes.signIn(request.body.code, addressKey(request.ip))),
  );
};
