/** Static files: read once, and compressed when first requested. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding, etagOf, isKnown } from './delivery.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.graphql': 'text/plain; charset=utf-8',
};

const COMPRESSED = ['.png', '.woff2'];

export interface StaticFile {
  type: string;
  /** Identifies the content, regardless of its encoding. */
  tag: string;
  plain: Buffer;
  /** The shortest encoding that the caller accepts. */
  encoded(accepted: string): { content: Buffer; encoding: string | null };
}

export function staticFile(name: string, content: string | Buffer): StaticFile {
  const plain = Buffer.from(content);
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 20);
  const kept = new Map<string, Buffer>();
  const keep = (encoding: string, compress: () => Buffer) => {
    const known = kept.get(encoding) ?? compress();
    kept.set(encoding, known);
    return { content: known, encoding };
  };
  return {
    type: TYPES[extname(name)] ?? 'text/plain; charset=utf-8',
    tag,
    plain,
    encoded(accepted) {
      if (COMPRESSED.includes(extname(name))) return { content: plain, encoding: null };
      const encoding = acceptedEncoding(accepted);
      if (encoding === 'br') {
        return keep('br', () => brotliCompressSync(plain, { params: { [zlib.BROTLI_PARAM_QUALITY]: 9 } }));
      }
      if (encoding === 'gzip') return keep('gzip', () => gzipSync(plain));
      return { content: plain, encoding: null };
    },
  };
}

/** Every file in a folder, by its path within the folder; empty if there is no such folder. */
export function staticFiles(folder: URL): Map<string, StaticFile> {
  const found = new Map<string, StaticFile>();
  if (!existsSync(folder)) return found;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(fileURLToPath(folder), path).replaceAll('\\', '/');
    found.set(name, staticFile(name, readFileSync(path)));
  }
  return found;
}

export interface Serving {
  policy: string;
  /** A file whose name changes with its content never has to be requested again. */
  immutable?: boolean;
}

export function send(request: FastifyRequest, reply: FastifyReply, file: StaticFile, serving: Serving): FastifyReply {
  const { content, encoding } = file.encoded(request.headers['accept-encoding'] ?? '');
  const etag = etagOf(file.tag, encoding);
  reply.headers({
    etag,
    'cache-control': serving.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': serving.policy,
  });
  reply.header('vary', ['accept-encoding', reply.getHeader('vary')].filter(Boolean).join(', '));
  if (isKnown(request, etag)) return reply.code(304).send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.header('content-type', file.type).send(content);
}
