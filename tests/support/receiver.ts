import http from 'node:http';
import { freePort } from './programs.ts';

/** A status, a status with Retry-After, or a way in which the answer fails to come. */
export type Answer =
  | number
  | { status: number; retryAfter: string }
  | 'closed'
  | 'endless'
  | 'redirect'
  | 'silent'
  | 'upgrade';

export interface Received {
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly requests: Received[];
  /** The answers for the next requests, in order. The last one is repeated. */
  answer(...answers: Answer[]): void;
  /** Resolves when that many requests have come. */
  until(n: number): Promise<Received[]>;
  /** Stops listening; `start` listens on the same port again. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A server on loopback that receives webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const requests: Received[] = [];
  let answers: Answer[] = [200];
  let wake = () => {};
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      requests.push({ headers: request.headers, body });
      wake();
      reply(response, answers.length > 1 ? (answers.shift() as Answer) : (answers[0] as Answer));
    });
  });
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const port = await freePort(); // nobody else gets it while this one is stopped
  await listen(port);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    requests,
    answer(...next) {
      answers = next;
    },
    async until(n) {
      while (requests.length < n) await new Promise<void>((resolve) => (wake = resolve));
      return requests;
    },
    stop,
    start: () => listen(port),
    [Symbol.asyncDispose]: () => (server.listening ? stop() : Promise.resolve()),
  };
}

function reply(response: http.ServerResponse, answer: Answer): void {
  if (answer === 'silent') return;
  if (answer === 'closed') {
    response.socket?.end();
    return;
  }
  if (answer === 'upgrade') {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n');
    return;
  }
  if (answer === 'redirect') {
    response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end();
  } else if (answer === 'endless') {
    response.writeHead(200);
    const more = setInterval(() => response.write('x'.repeat(4096)), 1);
    response.on('close', () => clearInterval(more));
  } else if (typeof answer === 'object') {
    response.writeHead(answer.status, { 'retry-after': answer.retryAfter }).end();
  } else {
    response.writeHead(answer).end('thanks');
  }
}
