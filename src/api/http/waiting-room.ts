/** Answers while there is no database yet: the process is alive, and everything else has to wait. */
import { once } from 'node:events';
import http from 'node:http';
import { refusals } from '../../errors.ts';

export interface WaitingRoom {
  close(): Promise<void>;
}

const SECONDS = 2;

export async function openWaitingRoom(host: string, port: number): Promise<WaitingRoom> {
  const { message, status, code } = refusals.databaseDown();
  const problem = {
    type: 'about:blank',
    title: 'Service Unavailable',
    status,
    code,
    detail: message,
    retryAfter: SECONDS,
  };
  const server = http.createServer((request, response) => {
    response.setHeader('connection', 'close'); // so that the next request reaches the real server
    if (request.url === '/health/live') {
      response.setHeader('content-type', 'application/json; charset=utf-8').end('{"status":"ok"}');
      return;
    }
    response.writeHead(status, {
      'content-type': 'application/problem+json; charset=utf-8',
      'retry-after': String(SECONDS),
    });
    response.end(JSON.stringify(problem));
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
