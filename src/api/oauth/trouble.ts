/** Pages for requests that cannot be fulfilled. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { refusals } from '../../errors.ts';
import { html, sendPage } from '../http/answers/html.ts';
import { describe, log, setHeaders } from '../http/answers/problems.ts';

export const notOurForm = () => refusals.staleForm();

/** Shows an error as a page, because its reader is a person. */
export function sendProblemPage(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const failure = describe(error);
  log(request, error, failure);
  const body = html`<h1>That did not work</h1><p>${failure.message}</p>`;
  return sendPage(setHeaders(reply, failure), { title: 'That did not work', body, status: failure.status });
}
