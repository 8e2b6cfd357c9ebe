import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AtollError, type ErrorCode, refusals } from '../../../errors.ts';
import { publicAddress } from '../callers/public-address.ts';
import { isUnused } from '../hand-over.ts';
import { presentable, tell } from './failure.ts';

interface Failure {
  status: number;
  code: ErrorCode;
  message: string;
  details: Readonly<Record<string, unknown>>;
}

const CODE_OF_STATUS: Record<number, ErrorCode> = {
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'RATE_LIMITED',
  503: 'UNAVAILABLE',
};

/** What the caller is told about any error with which a request can end. */
export function describe(error: unknown): Failure {
  const { validation, statusCode = 500, message } = error as FastifyError;
  if (validation) return describeValidation(error as FastifyError);
  // Fastify's own refusals: malformed JSON, a body that is too long, an unknown media type, overload.
  if (!(error instanceof AtollError) && ((statusCode >= 400 && statusCode < 500) || statusCode === 503)) {
    const code = CODE_OF_STATUS[statusCode] ?? 'BAD_INPUT';
    tell(code);
    const sentence = statusCode === 415 ? 'Send JSON, with the header content-type: application/json.' : message;
    return { status: statusCode, code, message: sentence, details: statusCode === 503 ? { retryAfter: 2 } : {} };
  }
  const { status, code, message: sentence, details } = presentable(error);
  return { status, code, message: sentence, details };
}

/** Names the field: `seats`, `options/board`, or the field that is missing or not allowed. */
function describeValidation({ validation, validationContext, message }: FastifyError): Failure {
  const first = validation?.[0];
  const { missingProperty, additionalProperty } = (first?.params ?? {}) as Record<string, string | undefined>;
  const path = [first?.instancePath.slice(1), missingProperty ?? additionalProperty].filter(Boolean).join('/');
  const sentence = additionalProperty ? `${validationContext} has no field ${additionalProperty}` : message;
  const details = { in: validationContext, ...(path && { field: path }) };
  return { status: 400, code: 'BAD_INPUT', message: `${sentence}.`, details };
}

export function setHeaders(reply: FastifyReply, { status, code, details }: Failure): FastifyReply {
  if (typeof details.retryAfter === 'number') reply.header('retry-after', details.retryAfter);
  if (code === 'UNAUTHENTICATED') {
    const metadata = `${publicAddress(reply.request)}/.well-known/oauth-protected-resource`;
    reply.header('www-authenticate', `Bearer realm="atoll", resource_metadata="${metadata}"`); // RFC 9728, section 5.1
  }
  // RFC 6750, section 3.1
  if (code === 'FORBIDDEN' && typeof details.scope === 'string') {
    const scope = details.scope.toLowerCase();
    reply.header('www-authenticate', `Bearer realm="atoll", error="insufficient_scope", scope="${scope}"`);
  }
  return reply.code(status);
}

export function log(request: FastifyRequest, error: unknown, { status }: Failure): void {
  if (status >= 500) request.log[status === 500 ? 'error' : 'warn'](error);
}

/** RFC 9457. */
export function problem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = describe(error);
  log(request, error, failure);
  const { status, code, message, details } = failure;
  const title = STATUS_CODES[status] ?? 'Error';
  return setHeaders(reply, failure)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify({ type: 'about:blank', title, status, code, detail: message, ...details }));
}

/**
 * Answers bytes that cannot be read as a request. The same words are written directly to the socket, because there is
 * no reply object.
 */
export function unreadable(error: ConnectionError, socket: Socket): void {
  // Of a connection that another worker has handed over, Node expects a request soon, but its client may take its time.
  if (error.code === 'ECONNRESET' || !socket.writable || isUnused(socket)) return void socket.destroy();
  const { status, detail } = UNREADABLE[error.code] ?? { status: 400, detail: 'This is not an HTTP request.' };
  const title = STATUS_CODES[status] ?? 'Error';
  const body = JSON.stringify({ type: 'about:blank', title, status, code: 'BAD_INPUT', detail });
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\ncontent-type: application/problem+json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

const UNREADABLE: Record<string, { status: number; detail: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, detail: 'The headers are too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, detail: 'The request did not arrive in time.' },
};

/** The patterns of all routes, to distinguish an unknown method (405) from an unknown path (404). */
declare module 'fastify' {
  interface FastifyInstance {
    /** Set by the plugin that serves pages: answers with a page saying that there is nothing at this address. */
    pages: { noSuchPage?: (reply: FastifyReply) => FastifyReply };
  }
}

export function problems(app: FastifyInstance): void {
  app.decorate('pages', {});
  const routes: { methods: string[]; pattern: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    if (url === '*') return; // preflights
    const pattern = url
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replace(/:[^/.\\]+/g, '[^/]+')
      .replace('*', '.*');
    routes.push({ methods: [method].flat(), pattern: new RegExp(`^${pattern}$`) });
  });
  app.setErrorHandler(problem);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = routes.filter(({ pattern }) => pattern.test(path)).flatMap((route) => route.methods);
    // A route for all paths below another may itself find nothing at one of them.
    if (methods.length === 0 || methods.includes(request.method)) {
      if (app.pages.noSuchPage && wantsPage(request, path)) return app.pages.noSuchPage(reply);
      return problem(refusals.noSuchPlace(path), request, reply);
    }
    const allow = [...new Set(methods)].sort().join(', ');
    const error = Object.assign(new Error(`${path} answers ${allow} only.`), { statusCode: 405 });
    return problem(error, request, reply.header('allow', allow));
  });
}

/** Whether a person in a browser has mistyped an address. Programs accept other media types or use other paths. */
const wantsPage = ({ method, headers }: FastifyRequest, path: string): boolean =>
  method === 'GET' && headers.accept?.includes('text/html') === true && !/^\/(v1|graphql|mcp|oauth)(\/|$)/.test(path);
