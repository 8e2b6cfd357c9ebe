/**
 * The REST face of the services, with one file per noun. It converts requests and presents data, but decides nothing.
 */
import type { FastifyPluginAsync } from 'fastify';
import { restAccount } from './account/account.ts';
import { restSessions } from './account/sessions.ts';
import { restSignIn } from './account/sign-in.ts';
import { restTickets } from './account/tickets.ts';
import { restErrors } from './errors.ts';
import { restGames } from './games.ts';
import { restActions } from './matches/actions.ts';
import { restEvents } from './matches/events.ts';
import { restHistory, restImport } from './matches/history.ts';
import { restLook } from './matches/look.ts';
import { restPictures } from './matches/pictures.ts';
import { restSeats } from './matches/seats.ts';
import { restStates } from './matches/states.ts';
import { restTables } from './matches/tables.ts';
import { restDeliveries } from './notices/deliveries.ts';
import { restEmail } from './notices/email.ts';
import { mailLinkPages } from './notices/mail-links.ts';
import { restWebhooks } from './notices/webhooks.ts';
import { restPlayers } from './players.ts';
import { restProfiles } from './profiles.ts';
import type { RestOptions, RouteSchema } from './route.ts';
import * as account from './schemas/account.ts';
import * as events from './schemas/events.ts';
import * as games from './schemas/games.ts';
import * as look from './schemas/look.ts';
import * as matches from './schemas/matches.ts';
import * as notices from './schemas/notices.ts';
import * as players from './schemas/players.ts';
import * as problem from './schemas/problem.ts';
import * as profiles from './schemas/profiles.ts';
import * as streams from './schemas/streams.ts';
import * as tickets from './schemas/tickets.ts';
import { restTurns } from './turns.ts';

const SHAPES = [problem, players, profiles, account, games, matches, look, events, streams, tickets, notices].flatMap(
  ({ components }) => [...components],
);

/** Everything under /v1. */
export const rest: FastifyPluginAsync<RestOptions> = async (app, { services, connections, subscriptions }) => {
  const options = { services, connections, subscriptions };
  for (const shape of SHAPES) app.addSchema(shape);
  app.addHook('onRoute', ({ schema }) => {
    const { refuses, cached } = (schema ?? {}) as Partial<RouteSchema>;
    if (schema) Object.assign(schema, { 'x-refuses': refuses, 'x-cached': cached }); // for the reference
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.headers(services.limits.told(request.viewer, request));
    done();
  });
  await app.register(restPlayers, options);
  await app.register(restAccount, options);
  await app.register(restSignIn, options);
  await app.register(restSessions, options);
  await app.register(restTickets, options);
  await app.register(restProfiles, options);
  await app.register(restErrors);
  await app.register(restGames, options);
  await app.register(restTables, options);
  await app.register(restSeats, options);
  await app.register(restLook, options);
  await app.register(restPictures, options);
  await app.register(restActions, options);
  await app.register(restEvents, options);
  await app.register(restStates, options);
  await app.register(restTurns, options);
  await app.register(restHistory, options);
  await app.register(restImport, options);
  for (const plugin of [restWebhooks, restDeliveries, restEmail, mailLinkPages]) {
    await app.register(plugin, { notices: services.notices });
  }
};
