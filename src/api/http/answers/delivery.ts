/** How an answer leaves: with a validator if it may be kept, not at all if the caller has it already, and compressed. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import zlib, { constants } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Shorter answers fit into one packet anyway. */
const SHORT = 1024;
const TEXT = /^(?:text\/(?!event-stream)|image\/svg|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|x-ndjson|yaml))/;

type Encoding = 'br' | 'gzip';

/** The shorter of the two that the caller accepts. */
export function acceptedEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const refused = (name: string) => new RegExp(`\\b${name}\\s*;\\s*q=0(?:\\.0*)?(?:,|$|\\s)`).test(accepted);
  if (/\bbr\b/.test(accepted) && !refused('br')) return 'br';
  return /\bgzip\b/.test(accepted) && !refused('gzip') ? 'gzip' : undefined;
}

/** Two encodings of one text are two things to a strong validator. */
export const etagOf = (tag: string, encoding: string | null | undefined): string =>
  encoding ? `"${tag}-${encoding}"` : `"${tag}"`;

export const isKnown = ({ headers }: FastifyRequest, etag: string): boolean => {
  const known = headers['if-none-match'];
  return known !== undefined && (known === '*' || known.split(',').some((one) => one.trim() === etag));
};

/** Level 5 of brotli is shorter than the best that gzip has, and takes no longer; the text's length saves a third of its memory. */
const brotli = (length: number) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: length },
});
const compressed = {
  br: promisify((text: string | Buffer, done: (error: Error | null, result: Buffer) => void) =>
    zlib.brotliCompress(text, brotli(text.length), done),
  ),
  gzip: promisify((text: string | Buffer, done: (error: Error | null, result: Buffer) => void) =>
    zlib.gzip(text, done),
  ),
};
const compressing = { br: () => zlib.createBrotliCompress(brotli(0)), gzip: () => zlib.createGzip() };

const isStream = (payload: unknown): payload is Readable =>
  typeof payload === 'object' && payload !== null && 'pipe' in payload;

/** Of the whole server; to be registered before whatever counts how long answers are. */
export function deliver(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (isText) {
      const encoding = payload.length < SHORT ? undefined : encodingFor(request, reply);
      if (isKept(request, reply) && validate(request, reply, payload, encoding)) return done(null, null);
      if (!encoding) return done(null, payload);
      announce(reply, encoding);
      compressed[encoding](payload).then((short) => done(null, short), done);
      return;
    }
    const encoding = isStream(payload) ? encodingFor(request, reply) : undefined;
    if (!encoding) return done(null, payload);
    announce(reply, encoding);
    const short = compressing[encoding]();
    (payload as Readable).on('error', (error) => short.destroy(error));
    short.on('close', () => (payload as Readable).destroy());
    done(null, (payload as Readable).pipe(short));
  });
}

/** Undefined: it goes out as it is. Live streams say no-transform: each of them would hold a compressor for as long as it lasts. */
function encodingFor({ headers }: FastifyRequest, reply: FastifyReply): Encoding | undefined {
  if (headers['accept-encoding'] === undefined || reply.statusCode === 304) return undefined;
  if (reply.hasHeader('content-encoding') || !TEXT.test(String(reply.getHeader('content-type')))) return undefined;
  if (String(reply.getHeader('cache-control')).includes('no-transform')) return undefined;
  return acceptedEncoding(headers['accept-encoding']);
}

function announce(reply: FastifyReply, encoding: Encoding): void {
  const vary = String(reply.getHeader('vary') ?? '');
  if (!vary.includes('accept-encoding')) reply.header('vary', vary ? `${vary}, accept-encoding` : 'accept-encoding');
  reply.header('content-encoding', encoding).removeHeader('content-length');
}

/** What may be kept at all: an answer that is not refused and not for one use only. */
function isKept({ method }: FastifyRequest, reply: FastifyReply): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || reply.statusCode !== 200 || reply.hasHeader('etag')) return false;
  const control = reply.getHeader('cache-control');
  return control !== undefined && !String(control).includes('no-store');
}

/** Names what is sent by its content; true: the caller has it already. */
function validate(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string | Buffer,
  encoding: Encoding | undefined,
): boolean {
  const etag = etagOf(createHash('sha256').update(payload).digest('base64url').slice(0, 22), encoding);
  reply.header('etag', etag);
  if (!isKnown(request, etag)) return false;
  reply.code(304).removeHeader('content-length');
  reply.removeHeader('content-type');
  return true;
}
