/** What the routes of the REST face have in common. */
import type { FastifyReply } from 'fastify';
import type { Services } from '../../services.ts';
import type { Cap } from '../http/admission.ts';
import type { Connections } from '../http/connections.ts';

/** The header `Authorization: Bearer <token>`. */
const security = [{ token: [] }];

/** For routes that answer with event streams. */
export interface Streaming {
  connections: Connections;
  subscriptions: Cap;
}

export interface RestOptions extends Streaming {
  services: Services;
}

/** The options of the routes of one tag: open to anybody, or for whoever sends a token. */
export const routesOf = (tag: string) => ({
  open: <S extends object>(schema: S) => ({ schema: { tags: [tag], ...schema } }),
  withToken: <S extends object>(schema: S) => ({ schema: { tags: [tag], security, ...schema } }),
});

/** The key by which a request can be sent again. */
export const keyOf = ({ headers }: { headers: { 'idempotency-key'?: string } }): string | undefined =>
  headers['idempotency-key'];

/** Answers 201 with what was made, and where it is. */
export const created = (reply: FastifyReply, location: string, body: unknown) =>
  reply.code(201).header('location', location).send(body);
