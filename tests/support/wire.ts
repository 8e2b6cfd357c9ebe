/** A client as a browser or a good library is one: keeps its connection, accepts compressed answers, counts every byte. */
import http from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { bearer } from './api.ts';

export interface WireAnswer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
  /** The bytes that came over the connection, including headers. */
  bytes: number;
}

export interface Wire {
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<WireAnswer>;
  /** The bytes of all answers since the last call. */
  counted(): number;
  close(): void;
}

export function wireTo(url: string, token?: string, encodings = 'gzip, br'): Wire {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  let total = 0;
  return {
    ask: (method, path, body, more = {}) =>
      new Promise((resolve, reject) => {
        const json = body === undefined ? undefined : JSON.stringify(body);
        const headers = {
          'accept-encoding': encodings,
          ...bearer(token),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...more,
        };
        const request = http.request(url + path, { method, agent, headers }, (response) => {
          const { socket } = response;
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const read = (socket as { seen?: number }).seen ?? 0;
            (socket as { seen?: number }).seen = socket.bytesRead;
            const bytes = socket.bytesRead - read;
            total += bytes;
            const text = decoded(Buffer.concat(chunks), response.headers['content-encoding']).toString();
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, bytes });
          });
        });
        request.on('error', reject);
        request.end(json);
      }),
    counted() {
      const before = total;
      total = 0;
      return before;
    },
    close: () => agent.destroy(),
  };
}

function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'br') return brotliDecompressSync(body);
  return encoding === 'gzip' ? gunzipSync(body) : body;
}
