/** The address at which people and apps reach this server. */
import type { FastifyInstance, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** PUBLIC_URL, if it is configured. */
    publicUrl: string | undefined;
  }
}

export function knowPublicUrl(app: FastifyInstance, publicUrl: string | undefined): void {
  app.decorate('publicUrl', publicUrl?.replace(/\/+$/, ''));
}

/** The configured address, or else the one to which the request was sent. */
export const publicAddress = ({ protocol, host, server }: FastifyRequest): string =>
  server.publicUrl ?? `${protocol}://${host}`;
