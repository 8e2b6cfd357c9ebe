/** What the routes of the REST face have in common. */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { ErrorCode } from '../../errors.ts';
import type { TicketPurpose } from '../../players/tokens/tickets.ts';
import type { Services } from '../../services.ts';
import type { Cap } from '../http/limits/admission.ts';
import type { Connections } from '../http/limits/connections.ts';
import type { Work } from '../http/limits/work.ts';
import type { Tag } from './contract/openapi.ts';

/** For routes that answer with event streams. */
export interface Streaming {
  connections: Connections;
  subscriptions: Cap;
}

export interface RestOptions extends Streaming {
  services: Services;
}

/** What the plugins of most nouns need. */
export type ServiceOptions = Pick<RestOptions, 'services'>;

/** What every route states: its schema is used for validation and for the reference. */
export interface RouteSchema {
  /** The name in generated clients: a verb and a noun, unique. */
  operationId: string;
  /** One line. */
  summary: string;
  description?: string;
  /** The codes with which it may be refused, beyond those of any route (see openapi.ts). */
  refuses?: readonly ErrorCode[];
  /** Whether its answer may be stored, and has a validator. */
  cached?: boolean;
  /** The purpose of the ticket that this route accepts. */
  ticket?: TicketPurpose;
  params?: TSchema;
  querystring?: TSchema;
  headers?: TSchema;
  body?: TSchema;
  produces?: readonly string[];
  response: Record<number, object>;
}

/** The scheme of the header `Authorization: Bearer <token>`. */
const NEEDS_TOKEN = [{ token: [] }];

const ticketOf = ({ ticket }: RouteSchema): FastifyContextConfig => (ticket ? { ticket } : {});

/** The options of the routes of one tag: open to anyone, or requiring a token. */
export const routesOf = (tag: Tag) => ({
  open: <S extends RouteSchema>(schema: S) => ({ config: ticketOf(schema), schema: { tags: [tag], ...schema } }),
  /** Open to anyone, and ignoring the session of a browser. */
  withoutSession: <S extends RouteSchema>(schema: S) => ({
    config: { ignoresSession: true },
    schema: { tags: [tag], ...schema },
  }),
  withToken: <S extends RouteSchema>(schema: S) => ({
    config: ticketOf(schema),
    schema: { tags: [tag], security: NEEDS_TOKEN, ...schema },
  }),
});

/** A response that is one of the named schemas. */
export const a = (name: string, status = 200) => ({ [status]: Type.Ref(name) });

/** The key that makes it safe to send a request again. */
export const keyOf = ({ headers }: { headers: { 'idempotency-key'?: string } }): string | undefined =>
  headers['idempotency-key'];

/** Answers 201 with what was made and its location. */
export const created = (reply: FastifyReply, location: string, body: unknown) =>
  reply.code(201).header('location', location).send(body);

/** Answers with a text that is already complete. */
export const sendText = (reply: FastifyReply, type: string, text: string) =>
  reply
    .type(`${type}; charset=utf-8`)
    .serializer((finished: string) => finished)
    .send(text);

/** Pays for the work of a request. */
export function paidWork({ limits }: Services, request: FastifyRequest, units: number): Work {
  const work = limits.work(request.viewer, request);
  work.pay(units);
  return work;
}
