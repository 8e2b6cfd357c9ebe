/** The scopes of routes (see scopes.ts), looked up once when a route is registered and checked with every request. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../../../players/player.ts';
import { requireScopes, scopeOfRoute } from '../../scopes.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Null if any token is accepted. */
    scope?: Scope | null;
  }
  interface FastifyInstance {
    /** Every registered route, in the form `GET /v1/me`. */
    registeredRoutes: ReadonlySet<string>;
  }
}

/** To be called before any route is registered. */
export function knowScopes(app: FastifyInstance): void {
  const registered = new Set<string>();
  app.decorate('registeredRoutes', registered);
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    for (const method of methods) registered.add(`${method} ${route.url}`);
    const scopes = methods.map((method) => scopeOfRoute(method, route.url));
    route.config = { ...route.config, scope: scopes.find((scope) => scope !== null) ?? null };
  });
}

/** Refuses tokens with too few scopes on every route that is registered from now on and requires one. */
export function enforceScopes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    const scope = route.config?.scope;
    if (!scope) return;
    const enforce = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
      try {
        requireScopes(request.viewer, [scope]);
        done();
      } catch (error) {
        done(error as Error);
      }
    };
    route.onRequest = [route.onRequest ?? [], enforce].flat(); // after the hooks that identify the caller
  });
}
