/**
 * How an answer is delivered: with a validator if it may be stored, as 304 if the caller already has it, and
 * compressed.
 */
import { createHash, type Hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import zlib, { constants } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Shorter answers fit into one packet anyway. */
const SHORT = 1024;
/** Longer answers are not hashed in one go. */
const LONG = 1_048_576;
const TEXT = /^(?:text\/(?!event-stream)|image\/svg|application\/(?:[\w.-]+\+)?(?:json|xml|javascript|x-ndjson|yaml))/;

type Encoding = 'br' | 'gzip';

/** The better of the two encodings that the caller accepts. */
export function acceptedEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const refused = (name: string) => new RegExp(`\\b${name}\\s*;\\s*q=0(?:\\.0*)?(?:,|$|\\s)`).test(accepted);
  if (/\bbr\b/.test(accepted) && !refused('br')) return 'br';
  return /\bgzip\b/.test(accepted) && !refused('gzip') ? 'gzip' : undefined;
}

/** A strong validator must differ between two encodings of the same text. */
export const etagOf = (tag: string, encoding: string | null | undefined): string =>
  encoding ? `"${tag}-${encoding}"` : `"${tag}"`;

export const isKnown = ({ headers }: FastifyRequest, etag: string): boolean => {
  const known = headers['if-none-match'];
  return known !== undefined && (known === '*' || known.split(',').some((one) => one.trim() === etag));
};

/**
 * Brotli at level 5 compresses better than gzip at its best and takes no longer. Stating the length saves a third of
 * its memory.
 */
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

/** For the whole server. Register it before anything that counts the length of answers. */
export function deliver(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (isText) {
      const isStored = isKept(request, reply);
      if (payload.length < SHORT && !isStored) return done(null, payload); // as it is
      const encoding = payload.length < SHORT ? undefined : encodingFor(request, reply);
      const finish = (body: string | Buffer, tag?: string) => {
        if (tag !== undefined && validate(request, reply, etagOf(tag, encoding))) return done(null, null);
        if (!encoding) return done(null, body);
        announce(reply, encoding);
        compressed[encoding](body).then((short) => done(null, short), done);
      };
      if (!isStored) return finish(payload);
      if (payload.length < LONG) return finish(payload, tagOf(createHash('sha256').update(payload)));
      const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
      tagOfLong(bytes).then((tag) => finish(bytes, tag), done);
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

/**
 * Undefined if the answer is sent as it is. Live streams say no-transform, because each would hold a compressor for as
 * long as it lasts.
 */
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

/** Whether the answer may be stored at all: it must not be a refusal or marked no-store. */
function isKept({ method }: FastifyRequest, reply: FastifyReply): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || reply.statusCode !== 200 || reply.hasHeader('etag')) return false;
  const control = reply.getHeader('cache-control');
  return control !== undefined && !String(control).includes('no-store');
}

const tagOf = (hash: Hash): string => hash.digest('base64url').slice(0, 22);

/** An answer of several megabytes is hashed piece by piece, so that others are served in between. */
async function tagOfLong(bytes: Buffer): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += LONG) {
    hash.update(bytes.subarray(at, at + LONG));
    await setImmediate();
  }
  return tagOf(hash);
}

/** Sets a validator computed from the content. Returns true if the caller already has this answer. */
function validate(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag);
  if (!isKnown(request, etag)) return false;
  reply.code(304).removeHeader('content-length');
  reply.removeHeader('content-type');
  return true;
}
