/** The two faces of the services, in the form in which the app registers them. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { MercuriusLoaders } from 'mercurius';
import type { Viewer } from '../players/player.ts';
import type { Services } from '../services.ts';
import { loadersOf, resolversOf } from './graphql/resolvers/all.ts';
import type { Context } from './graphql/resolvers/context.ts';
import { readSchema } from './graphql/schema.ts';
import { authenticate, bearerOf, type Recognition } from './http/callers/identity.ts';
import { mcp } from './mcp/route.ts';
import { oauth } from './oauth/routes.ts';
import { type Preview, previewOf } from './preview.ts';
import type { Streaming } from './rest/route.ts';
import { rest } from './rest/routes.ts';

/** What the server offers to callers. */
export interface Api extends Recognition {
  /** The schema in SDL. */
  schema: string;
  /** Resolvers by type and field, in the form that mercurius takes; a subscription is `{ subscribe }`. */
  resolvers: object;
  loaders?: MercuriusLoaders;
  rest: FastifyPluginAsync<Streaming>;
  /** Makes the context of one GraphQL operation. */
  context(viewer: Viewer | undefined, request: FastifyRequest): Context;
  /** What a link to a match says about it to people who may know nothing more; null if there is nothing to say. */
  preview?(matchId: string): Promise<Preview | null>;
  /** To be called when somebody who played this match here goes on at another worker of this machine. */
  playedElsewhere?(matchId: string): void;
}

export function apiOf(services: Services): Api {
  return {
    schema: readSchema(),
    resolvers: resolversOf(services),
    loaders: loadersOf(services) as unknown as MercuriusLoaders,
    async rest(app, options) {
      // Notices under way get as much time as requests under way.
      app.addHook('preClose', async () => void services.notices.close());
      await app.register(rest, { prefix: '/v1', services, ...options });
      await app.register(mcp, { services, ...options });
      await app.register(oauth, { services });
    },
    async authenticate(credentials, beforeLookUp) {
      const { players, accounts, tickets } = services;
      const viewer = await authenticate(players, accounts.sessions, tickets, credentials, beforeLookUp);
      if (viewer) {
        services.bans.check(viewer.id);
        services.presence.touch(viewer.id);
      }
      return viewer;
    },
    known(authorization) {
      const { players, bans, presence } = services;
      const token = bearerOf(authorization);
      const viewer = token === undefined ? undefined : players.known(token);
      if (!viewer || bans.isBanned(viewer.id)) return undefined;
      presence.touch(viewer.id);
      return viewer;
    },
    noteUse: ({ tokenId }, { ip }) => {
      if (tokenId !== null) services.tokenUses.note(tokenId, ip);
    },
    openTicket: services.tickets.open,
    preview: (matchId) => previewOf(services, matchId),
    playedElsewhere: services.playedElsewhere,
    context: (viewer, request) => ({ viewer, request, work: services.limits.work(viewer, request) }),
  };
}
