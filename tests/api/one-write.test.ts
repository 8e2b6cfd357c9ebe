import http from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { OneWriteResponse } from '../../src/api/http/answers/one-write.ts';

let server: http.Server | undefined;
afterEach(() => server?.close());

/** Sends a text to a server, and returns all that was answered and how it was written. */
async function answered(sent: string, answer: (response: http.ServerResponse) => void, Response = OneWriteResponse) {
  const writes: string[] = [];
  server = http.createServer({ ServerResponse: Response }, (_, response) => answer(response)).listen(0, '127.0.0.1');
  server.on('connection', (socket: Socket) => {
    for (const name of ['_write', '_writev'] as const) {
      const original = socket[name] as (...args: unknown[]) => void;
      socket[name] = (...args: unknown[]) => {
        writes.push(name);
        original.apply(socket, args);
      };
    }
  });
  await new Promise((listening) => server?.once('listening', listening));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write(sent);
  await new Promise((closed) => socket.once('close', closed));
  return { text: text.replace(/^Date: .*\r\n/gm, ''), writes };
}

const asked = (method = 'GET', more = 'Connection: close\r\n') => `${method} / HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const LENGTH = { 'content-length': '6' };

test('a text leaves with its headers in one write', async () => {
  const { text, writes } = await answered(asked(), (response) => response.writeHead(200, LENGTH).end('añbcd'));
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\ncontent-length: 6\r\n.*\r\n\r\nañbcd$/s);
  expect(writes).toEqual(['_write']);
});

test.each<[string, string, (response: http.ServerResponse) => void]>([
  ['to HEAD', asked('HEAD'), (response) => response.writeHead(200, LENGTH).end('abcdef')],
  ['without content', asked(), (response) => response.writeHead(304).end()],
  ['of bytes', asked(), (response) => response.writeHead(200, LENGTH).end(Buffer.from('abcdef'))],
  ['in pieces', asked(), (response) => response.writeHead(200, LENGTH).write('abc') && response.end('def')],
  ['without a length', asked(), (response) => response.writeHead(200).end('abcdef')],
  ['without prepared headers', asked(), (response) => response.end('abcdef')],
  ['to two requests at once', asked('GET', '') + asked(), (response) => response.writeHead(200, LENGTH).end('abcdef')],
  [
    'of a megabyte',
    asked(),
    (response) => response.writeHead(200, { 'content-length': '1000000' }).end('x'.repeat(1e6)),
  ],
])('an answer %s is the same as without it', async (_, sent, answer) => {
  const { text } = await answered(sent, answer);
  const usual = await answered(sent, answer, http.ServerResponse as typeof OneWriteResponse);
  expect(text).toBe(usual.text);
  expect(text).toContain('HTTP/1.1 ');
});
