import { createHash, timingSafeEqual } from 'node:crypto';
import type {} from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { told } from './api/http/answers/failure.ts';
import { problems } from './api/http/answers/problems.ts';
import type { Config } from './config.ts';
import { type ErrorCode, refusals } from './errors.ts';

const FAILURES: readonly ErrorCode[] = ['INTERNAL', 'UNAVAILABLE'];

/** The metrics of the server. To add one, add a line here, and call `.inc()` or `.observe()` where it happens. */
export function createMetrics(worker?: number) {
  const registry = new Registry();
  // With several workers, the one that happens to be asked answers for itself.
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker) });
  const registers = [registry];
  return {
    registry,
    requests: requestDurations(
      registry,
      'atoll_http_request_seconds',
      'Duration of HTTP requests',
      [0.001, 0.005, 0.02, 0.1, 0.5, 2],
    ),
    failures: withZeros(
      new Counter({
        name: 'atoll_failures_total',
        help: 'Errors told to callers that are not their own fault, on every face, by code: INTERNAL or UNAVAILABLE',
        labelNames: ['code'] as const,
        registers,
      }),
      FAILURES.map((code) => ({ code })),
    ),
    submissions: outcomes(
      registry,
      'atoll_submissions_total',
      'Submitted actions, by outcome: accepted, repeated or the code of the refusal',
    ),
    appends: new Histogram({
      name: 'atoll_append_seconds',
      help: 'Duration of appends to the log',
      buckets: [0.001, 0.002, 0.005, 0.01, 0.05, 0.2, 1],
      registers,
    }),
    notices: new Counter({
      name: 'atoll_notices_total',
      help: 'Attempts to deliver notices, by channel and outcome: delivered, retried, failed, dropped or disabled',
      labelNames: ['channel', 'outcome'] as const,
      registers,
    }),
    cutBacks: new Counter({
      name: 'atoll_history_cut_total',
      help: 'Matches of which the database had lost events that this process remembered',
      registers,
    }),
    hints: new Counter({
      name: 'atoll_hints_total',
      help: 'Hints between servers, by way (bus, database, sibling) and direction (sent, received)',
      labelNames: ['way', 'direction'] as const,
      registers,
    }),
    handOvers: new Counter({
      name: 'atoll_hand_overs_total',
      help: 'Connections handed over between the workers of this machine, by direction (sent, received)',
      labelNames: ['direction'] as const,
      registers,
    }),
    archiveReads: withZeros(
      new Counter({
        name: 'atoll_archive_reads_total',
        help: 'Logs read from cold storage, by outcome: read, or failed because a file is missing, changed or out of reach',
        labelNames: ['outcome'] as const,
        registers,
      }),
      [{ outcome: 'failed' }],
    ),
    memo: outcomes(registry, 'atoll_memo_total', 'Lookups of rebuilt states, by outcome: hit, caught_up or miss'),
  };
}

/**
 * Prometheus sees no increase in a series that begins with 1. A counter with labels that an alert watches is therefore
 * served from the start, with 0.
 */
function withZeros<T extends string>(counter: Counter<T>, labels: Partial<Record<T, string>>[]): Counter<T> {
  for (const each of labels) counter.inc(each, 0);
  return counter;
}

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Counts what happens several times in every move. The library builds a text from the labels at each count; here this
 * is done when the metrics are requested.
 */
function outcomes(registry: Registry, name: string, help: string): { inc(outcome: string): void } {
  const counts = new Map<string, number>();
  new Counter({
    name,
    help,
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of counts) this.inc({ outcome }, count);
    },
  });
  return { inc: (outcome) => void counts.set(outcome, (counts.get(outcome) ?? 0) + 1) };
}

interface Tally {
  labels: { method: string; route: string; status: number };
  /** For each bucket, how many fell into it and into no smaller one; the last is for all that took longer. */
  counts: number[];
  sum: number;
}

/** A histogram that looks its labels up as they are, for the same reason. */
function requestDurations(registry: Registry, name: string, help: string, buckets: readonly number[]) {
  const byRoute = new Map<string, Tally[]>();
  function* values() {
    for (const { labels, counts, sum } of [...byRoute.values()].flat()) {
      let count = 0;
      for (const [i, le] of [...buckets, '+Inf'].entries()) {
        count += counts[i] as number;
        yield { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count };
      }
      yield { metricName: `${name}_sum`, labels, value: sum };
      yield { metricName: `${name}_count`, labels, value: count };
    }
  }
  const described = { name, help, type: 'histogram', aggregator: 'sum' };
  const get = async () => ({ ...described, values: [...values()] });
  registry.registerMetric({ ...described, get } as unknown as Histogram); // nothing else of it is used
  return {
    observe(method: string, route: string, status: number, seconds: number): void {
      const tallies = byRoute.get(route) ?? [];
      if (tallies.length === 0) byRoute.set(route, tallies);
      let tally = tallies.find(({ labels }) => labels.status === status && labels.method === method);
      if (!tally) {
        tally = { labels: { method, route, status }, counts: [...buckets, 0].fill(0), sum: 0 };
        tallies.push(tally);
      }
      const i = buckets.findIndex((most) => seconds <= most);
      const bucket = i < 0 ? buckets.length : i;
      tally.counts[bucket] = (tally.counts[bucket] as number) + 1;
      tally.sum += seconds;
    },
  };
}

/** A gauge of something held elsewhere, read when the metrics are requested. */
export function gauge(metrics: Metrics, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [metrics.registry],
    collect() {
      this.set(read());
    },
  });
}

/** Measures every request. */
export function measure(app: FastifyInstance, metrics: Metrics): void {
  const count = (code: unknown) => {
    if (FAILURES.includes(code as ErrorCode)) metrics.failures.inc({ code: code as ErrorCode });
  };
  told.subscribe(count);
  app.addHook('onClose', async () => void told.unsubscribe(count));
  collectDefaultMetrics({ register: metrics.registry });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    metrics.requests.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
}

/** Serves `/metrics`, to callers who send the token if there is one. */
export function serveMetrics(app: FastifyInstance, metrics: Metrics, token?: string): void {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (token !== undefined && !isToken(request.headers.authorization, token)) throw refusals.metricsNeedToken();
    reply.header('cache-control', 'no-store');
    return reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time, so that the time taken tells nothing about the token. */
const isToken = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(hashOf(authorization ?? ''), hashOf(`Bearer ${token}`));

/** A separate server for the metrics, on a port that need not be public. */
export async function openMetricsServer(
  { HOST, METRICS_PORT, METRICS_TOKEN }: Config,
  metrics: Metrics,
): Promise<FastifyInstance | undefined> {
  if (!METRICS_PORT) return undefined;
  const app = Fastify();
  problems(app);
  serveMetrics(app, metrics, METRICS_TOKEN);
  await app.listen({ host: HOST, port: METRICS_PORT });
  return app;
}
