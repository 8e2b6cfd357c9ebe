/** The sessions of browsers: /v1/session, /v1/account/sessions. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { refusals } from '../../../errors.ts';
import type { Player } from '../../../players/player.ts';
import { deviceOf } from '../../../players/sign-in/sessions.ts';
import type { Services } from '../../../services.ts';
import { sessionJson } from '../../account.ts';
import { type Home, homeOf, refuseCrossSite, sessionCookie, sessionOf } from '../../http/callers/browser.ts';
import { playerOf } from '../../http/callers/identity.ts';
import { requireOwner } from '../../scopes.ts';
import { a, created, routesOf, type ServiceOptions } from '../route.ts';
import * as schemas from '../schemas/account.ts';

const { open, withToken } = routesOf('account');

/**
 * Where a browser may be signed in. A page of another site must not do so, because its visitor would unknowingly play
 * for somebody else.
 */
export function homeFor(request: FastifyRequest, { publicUrl }: Services): Home {
  const home = homeOf(request, publicUrl);
  if (!home) throw refusals.noSessionsHere();
  if (request.headers.origin !== undefined || request.headers['sec-fetch-site'] !== undefined)
    refuseCrossSite(request, publicUrl);
  return home;
}

/** Always starts a new session, so that someone who knew or planted the previous one gains nothing. */
export async function startSession(services: Services, request: FastifyRequest, reply: FastifyReply, player: Player) {
  const home = homeFor(request, services);
  const device = deviceOf(request.headers['user-agent']);
  const secret = await services.accounts.sessions.start(player, device, sessionOf(request));
  reply.header('set-cookie', sessionCookie(home, secret));
}

export const restSessions: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { accounts, players, publicUrl } = services;

  app.get(
    '/session',
    open({
      operationId: 'getSession',
      summary: 'The player who is signed in in this browser; asking also extends the session',
      response: { 200: schemas.SignedInHere },
    }),
    async (request, reply) => {
      const mail = accounts.email.possible;
      if (!request.viewer) return { player: null, kept: false, mail };
      const { session } = request.credentials;
      const home = homeOf(request, publicUrl);
      if (session !== undefined && home) reply.header('set-cookie', sessionCookie(home, session));
      const { id, name, kind, tag } = request.viewer;
      return { player: { id, name, kind, tag }, kept: tag === null, mail };
    },
  );

  app.post(
    '/session',
    withToken({
      operationId: 'startSession',
      refuses: ['FORBIDDEN'],
      summary: 'Sign this browser in with a cookie, as the player who owns the token',
      body: schemas.NewSessionBody,
      response: a('SignedIn', 201),
    }),
    async (request, reply) => {
      const { tokenId, ...viewer } = requireOwner(playerOf(request));
      if (tokenId === null) throw refusals.needsToken(); // a session cannot be copied
      await startSession(services, request, reply, viewer);
      if (request.body.endToken) await players.revokeToken(viewer, tokenId);
      const { id, name, kind, tag } = viewer;
      return created(reply, '/v1/session', { player: { id, name, kind, tag }, token: null });
    },
  );

  app.delete(
    '/session',
    {
      ...open({
        operationId: 'endSession',
        refuses: ['FORBIDDEN'],
        summary: 'Sign this browser out',
        response: { 200: Type.Object({ signedOut: Type.Boolean() }, { description: 'Whether it was signed in.' }) },
      }),
      config: { openToBanned: true },
    },
    async (request, reply) => {
      const { viewer } = request;
      const home = homeOf(request, publicUrl);
      if (home) reply.header('set-cookie', sessionCookie(home, null));
      if (viewer?.sessionId) await accounts.sessions.end(viewer, viewer.sessionId);
      return { signedOut: viewer?.sessionId !== undefined };
    },
  );

  app.delete(
    '/account/sessions/:id',
    withToken({
      operationId: 'endSessionById',
      refuses: ['NOT_FOUND'],
      summary: 'End a session; its streams end within 30 seconds',
      params: schemas.SessionParams,
      response: a('Session'),
    }),
    async (request) => {
      const viewer = playerOf(request);
      return sessionJson(await accounts.sessions.end(viewer, request.params.id), viewer);
    },
  );

  app.post(
    '/account/sign-out',
    withToken({
      operationId: 'signOutEverywhere',
      summary: 'Sign out everywhere: end every session and, if requested, revoke every token',
      body: schemas.SignOutBody,
      response: { 200: Type.Object({ sessions: Type.Integer() }, { description: 'How many sessions were ended.' }) },
    }),
    async (request, reply) => {
      const home = homeOf(request, publicUrl);
      const sessions = await accounts.signOutEverywhere(playerOf(request), request.body.tokens === true);
      if (home) reply.header('set-cookie', sessionCookie(home, null));
      return { sessions };
    },
  );
};
