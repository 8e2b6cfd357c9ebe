/**
 * Traces by OpenTelemetry. Without the variable of the environment that asks for them nothing is loaded, nothing is
 * wrapped and nothing is measured. Spans name what was done and how it went, and never who did it or with what: no
 * address, no query, no token, no argument of an operation.
 */
import type { Attributes, Context, Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from './config.ts';
import { atMost, GOODBYE_MS } from './database/silence.ts';
import { AtollError } from './errors.ts';

export interface Tracing {
  /** Runs the work within a span, below the span that is current here. */
  span<T>(name: string, attributes: Attributes, work: () => T): T;
  /** The same object, whose methods of these names run within spans: the name of each method, and that of its span. */
  around<T extends object>(object: T, spans: { readonly [method in keyof T]?: string }): T;
  /** Begins the span of a request, below that of the caller if it names one. */
  begin(request: FastifyRequest): RequestSpan;
  /** The headers that tell another server of the current span. */
  headers(): Record<string, string>;
  /** Sends what is still to be sent. */
  close(): Promise<void>;
}

export interface RequestSpan {
  within(work: () => void): void;
  end(request: FastifyRequest, status: number): void;
}

/** Undefined if the configuration asks for no traces. */
export async function openTracing(config: Config): Promise<Tracing | undefined> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  const [
    { trace, ROOT_CONTEXT, SpanKind, SpanStatusCode, ...api },
    core,
    sdk,
    { resourceFromAttributes },
    hooks,
    otlp,
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  const exporter = new otlp.OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const sampler = new sdk.TraceIdRatioBasedSampler(Number(config.OTEL_TRACES_SAMPLER_ARG));
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': config.OTEL_SERVICE_NAME }),
    // What is below one of our own spans goes with it. A caller decides nothing: it could make us record everything.
    sampler: new sdk.ParentBasedSampler({
      root: sampler,
      remoteParentSampled: sampler,
      remoteParentNotSampled: sampler,
    }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer('atoll');
  const contexts = new hooks.AsyncLocalStorageContextManager().enable();
  const propagator = new core.W3CTraceContextPropagator();

  const failed = (span: Span, error: unknown) => {
    // A refusal is an answer like any other; messages may quote what a caller sent, so only the code is kept.
    const isRefusal = error instanceof AtollError;
    span.setAttribute('error.type', isRefusal ? error.code : ((error as Error | undefined)?.name ?? 'unknown'));
    if (!isRefusal || error.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  };

  function span<T>(name: string, attributes: Attributes, work: () => T): T {
    const above = contexts.active();
    const one = tracer.startSpan(name, { attributes }, above);
    let result: T;
    try {
      result = contexts.with(trace.setSpan(above, one), work);
    } catch (error) {
      failed(one, error);
      throw error;
    }
    if (!(result instanceof Promise)) {
      one.end();
      return result;
    }
    return result.then(
      (value) => {
        one.end();
        return value;
      },
      (error) => {
        failed(one, error);
        throw error;
      },
    ) as T;
  }

  function begin({ method, headers }: FastifyRequest): RequestSpan {
    const above: Context = propagator.extract(ROOT_CONTEXT, headers, api.defaultTextMapGetter);
    const one = tracer.startSpan(method, { kind: SpanKind.SERVER }, above);
    const own = trace.setSpan(above, one);
    return {
      within: (work) => contexts.with(own, work),
      end({ routeOptions: { url = 'none' } }, status) {
        one.updateName(`${method} ${url}`);
        one.setAttributes({ 'http.request.method': method, 'http.route': url, 'http.response.status_code': status });
        if (status >= 500) one.setStatus({ code: SpanStatusCode.ERROR });
        one.end();
      },
    };
  }

  return {
    span,
    around: (object, spans) => wrapped(object, spans, span),
    begin,
    headers() {
      const carrier: Record<string, string> = {};
      propagator.inject(contexts.active(), carrier, api.defaultTextMapSetter);
      return carrier;
    },
    async close() {
      await atMost(GOODBYE_MS, provider.shutdown());
      contexts.disable();
    },
  };
}

/** A copy, with getters and all, in which some methods are replaced. */
function wrapped<T extends object>(
  object: T,
  spans: { readonly [method in keyof T]?: string },
  span: Tracing['span'],
): T {
  const copy = Object.create(Object.getPrototypeOf(object), Object.getOwnPropertyDescriptors(object)) as T;
  for (const [method, name] of Object.entries(spans) as [keyof T, string][]) {
    const original = object[method] as (...args: unknown[]) => unknown;
    const value = (...args: unknown[]) => span(name, {}, () => original.apply(object, args));
    Object.defineProperty(copy, method, { value, enumerable: true });
  }
  return copy;
}

const requestSpan = Symbol('span of a request');

type Traced = FastifyRequest & { [requestSpan]?: RequestSpan };

/** Nobody needs a trace of what is asked every few seconds by whoever watches over the server. */
const isWatched = (url: string): boolean => !/^\/(health|metrics)\b/.test(url);

/** A span for every request; sockets have none, but their operations do. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request: Traced, _reply, done) => {
    if (request.ws || !isWatched(request.url)) return done();
    const own = tracing.begin(request);
    request[requestSpan] = own;
    own.within(done);
  });
  // The body has been read in the meantime, and with it the way back to the span was lost.
  app.addHook('preValidation', (request: Traced, _reply, done) => {
    const own = request[requestSpan];
    if (own) own.within(done);
    else done();
  });
  app.addHook('onResponse', (request: Traced, reply, done) => {
    request[requestSpan]?.end(request, reply.statusCode);
    done();
  });
}
