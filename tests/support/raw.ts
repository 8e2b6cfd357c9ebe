import http from 'node:http';

export interface RawAnswer {
  status: number;
  type: string;
  body: string;
}

const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });

export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | undefined;
}

/** Sends one request exactly as given. Of an endless answer only the head is returned. Rejects if no answer comes in time. */
export function send(url: string, { method, path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sized = body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) };
    const request = http.request({ hostname, port, method, path, headers: sized, agent, timeout: 60_000 });
    request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path}`)));
    request.on('error', reject);
    request.on('response', (response) => {
      const answer = { status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '' };
      if (answer.type.startsWith('text/event-stream')) {
        resolve({ ...answer, body: '' });
        request.destroy();
        return;
      }
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ ...answer, body: text }));
      response.on('error', reject);
    });
    request.end(body);
  });
}
