/** The REST face of the services, one file per noun: routes in, presented data out, nothing decided here. */
import type { FastifyPluginAsync } from 'fastify';
import { restGames } from './games.ts';
import { restHistory } from './history.ts';
import { restMatches } from './matches.ts';
import { restNotices } from './notices.ts';
import { restPlay } from './play.ts';
import { restPlayers } from './players.ts';
import type { RestOptions } from './route.ts';
import * as schemas from './schemas.ts';
import { restStreams } from './streams.ts';
import { restTable } from './table.ts';

/** Everything under /v1. */
export const rest: FastifyPluginAsync<RestOptions> = async (app, { services, connections, subscriptions }) => {
  const options = { services, connections, subscriptions };
  for (const schema of schemas.components) app.addSchema(schema);
  // Response schemas are documentation: the shapes are made by `present`, and JSON.stringify is the faster writer here.
  app.setSerializerCompiler(() => JSON.stringify);
  app.addHook('onRoute', ({ schema }) => {
    if (schema) schema.response = { ...(schema.response as object), default: schemas.refused };
  });
  await app.register(restPlayers, options);
  await app.register(restGames, options);
  await app.register(restMatches, options);
  await app.register(restPlay, options);
  await app.register(restStreams, options);
  await app.register(restHistory, options);
  await app.register(restTable, options);
  await app.register(restNotices, { notices: services.notices });
};
