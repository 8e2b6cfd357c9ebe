/** Where people and apps reach this server. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** PUBLIC_URL, if it was configured. */
    publicUrl: string | undefined;
  }
}

export function knowPublicUrl(app: FastifyInstance, publicUrl: string | undefined): void {
  app.decorate('publicUrl', publicUrl?.replace(/\/+$/, ''));
}

/** What was configured; otherwise what the request was sent to. */
export const publicAddress = ({ protocol, host, server }: FastifyRequest): string =>
  server.publicUrl ?? `${protocol}://${host}`;
