import type { FastifyReply, FastifyRequest } from 'fastify';
import { negotiate } from '../http/answers/negotiate.ts';
import { describe, log, setHeaders } from '../http/answers/problems.ts';
import { TYPES } from './http.ts';

/** Answers requests that fail before GraphQL sees them: wrong tokens, media types and malformed JSON. */
export function graphqlProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = describe(error);
  log(request, error, failure);
  const { code, message, details } = failure;
  const type = negotiate(request.headers.accept, TYPES);
  const mediaType = type === 'application/graphql-response+json' ? type : 'application/json';
  return setHeaders(reply, failure)
    .header('content-type', `${mediaType}; charset=utf-8`)
    .send(JSON.stringify({ errors: [{ message, extensions: { code, ...details } }] }));
}
