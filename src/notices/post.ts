/** Sends one POST to another server, which may behave in any way. */
import http from 'node:http';
import https from 'node:https';
import ipaddr from 'ipaddr.js';
import { type TimeLimit, timeLimit } from '../time-limit.ts';
import { allowedAddresses, type Guard, guardedLookup, hostOf, portFault, RefusedTarget } from './address.ts';

export interface Target {
  url: string;
  headers: Record<string, string>;
  body: string | Buffer;
}

export interface PostOptions extends Guard {
  timeoutMs: number;
  /** Aborts the request when the server stops. */
  signal?: AbortSignal;
}

export interface Answer {
  status: number;
  /** How long the receiver asked to be left alone. */
  retryAfterMs: number;
}

const MAX_HEADER_BYTES = 16_384;
/** The body of the answer is not used; a little of it is read so that the receiver can finish. */
const MAX_ANSWER_BYTES = 16_384;

/** Returns the answer; redirects are not followed. Rejects if none came in time. */
export async function post({ url, headers, body }: Target, options: PostOptions): Promise<Answer> {
  const target = new URL(url);
  const fault = portFault(target); // a webhook from before ports were checked
  if (fault) throw new RefusedTarget(`The ${fault}`);
  const host = hostOf(target);
  // Node does not look up literal addresses, so the guarded lookup would never see them.
  if (ipaddr.isValid(host)) await allowedAddresses(host, options);
  const limit = timeLimit(options.timeoutMs, options.signal);
  try {
    return await exchange(target, body, limit, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'user-agent': 'Atoll-Webhooks/1',
        ...headers,
      },
      lookup: guardedLookup(options),
      agent: false,
      maxHeaderSize: MAX_HEADER_BYTES,
      signal: limit.signal,
    });
  } catch (error) {
    if (limit.isOver) throw new Error(`No answer within ${options.timeoutMs / 1000} seconds`);
    throw withoutAddress(error);
  }
}

function exchange(url: URL, body: string | Buffer, limit: TimeLimit, options: https.RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options, (response) => {
      let left = MAX_ANSWER_BYTES;
      response.on('data', (chunk: Buffer) => {
        left -= chunk.length;
        if (left < 0) response.destroy();
      });
      response.on('error', () => {}); // the status has arrived, so the rest does not matter
      resolve({ status: response.statusCode ?? 0, retryAfterMs: waitOf(response.headers['retry-after']) });
    });
    // Without a listener, an upgrade would be neither an answer nor an error, and the timeout would not apply.
    request.on('upgrade', (_, socket) => {
      socket.destroy();
      resolve({ status: 101, retryAfterMs: 0 });
    });
    request.on('error', reject);
    // This event always comes, and comes last: whatever the other side does, nothing waits for ever.
    request.on('close', () => {
      limit.clear(); // not earlier: a receiver that sends the rest of its answer slowly is cut off as well
      reject(new Error('The connection was closed without an answer'));
    });
    request.end(body);
  });
}

/** Node says "connect ECONNREFUSED 10.1.2.3:80", but the owner of a webhook must not learn where a name leads. */
function withoutAddress(error: unknown): unknown {
  const { errors } = error as AggregateError; // if several addresses were tried, the first error is reported
  const { syscall, code } = (errors?.[0] ?? error) as NodeJS.ErrnoException;
  return syscall === 'connect' ? new Error(`The connection failed: ${code}`) : error;
}

/** Retry-After is a number of seconds or a date. Anything else is ignored. */
function waitOf(header = ''): number {
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : 0;
}
