/** MCP for agents over Streamable HTTP, on one path and without sessions: each request is independent. */
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { refusals } from '../../errors.ts';
import { playerOf } from '../http/callers/identity.ts';
import { cap } from '../http/limits/admission.ts';
import type { RestOptions } from '../rest/route.ts';

export const PATH = '/mcp';

const hidden = { schema: { hide: true } };

/** Every call of a tool is short. Checking one as long as other bodies may be would take long. */
const MAX_CALL_BYTES = 32_768;
/** How many calls of one player may be under way. An agent has one at a time, and a player may have many agents. */
const MAX_CALLS = 30;

/** Aborts when the caller has left, its token was revoked or the server stops. */
function leaving(request: FastifyRequest, reply: FastifyReply, { connections }: RestOptions) {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const forget = connections.add(request.credentials ?? {}, stop);
  reply.raw.once('close', stop);
  return { signal: controller.signal, forget };
}

const headersOf = ({ headers }: FastifyRequest): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));

export const mcp: FastifyPluginAsync<RestOptions> = async (app, options) => {
  const { services, subscriptions } = options;
  const calls = cap(MAX_CALLS);

  app.post(PATH, { ...hidden, bodyLimit: MAX_CALL_BYTES }, async (request, reply) => {
    const player = playerOf(request);
    if (Array.isArray(request.body)) throw refusals.noBatches();
    const done = calls.take(player.id);
    if (!done) throw refusals.tooManyCalls({ retryAfter: 1 });
    const { signal, forget } = leaving(request, reply, options);
    try {
      const { answer } = await import('./server.ts');
      const work = services.limits.work(player, request);
      await work.turn(); // hundreds of calls at once must not hold up everybody else
      const call = { services, player, work, subscriptions, signal };
      const asked = new Request(`http://localhost${PATH}`, { method: 'POST', headers: headersOf(request) });
      const response = await answer(asked, request.body, call, (error) => request.log.error(error));
      const type = response.headers.get('content-type');
      if (type) reply.type(type);
      return reply.code(response.status).send(await response.text());
    } finally {
      forget();
      done();
    }
  });

  // This server offers no stream of its own, and there is no session to end.
  for (const method of ['GET', 'DELETE'] as const)
    app.route({ method, url: PATH, ...hidden, handler: (_, reply) => reply.code(405).header('allow', 'POST').send() });
};
