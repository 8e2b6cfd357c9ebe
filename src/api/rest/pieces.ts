/**
 * Long JSON answers are written piece by piece, so that others are served in between: writing megabytes in one go would
 * hold up everyone.
 */
import type { FastifyReply } from 'fastify';
import type { Work } from '../http/limits/work.ts';

/** The text of a list, item by item. */
export async function* writtenList(items: Iterable<unknown> | AsyncIterable<unknown>, work: Work) {
  let before = '[';
  for await (const item of items) {
    yield Buffer.from(before + JSON.stringify(item));
    before = ',';
    await work.turn();
  }
  yield Buffer.from(before === '[' ? '[]' : ']');
}

/** The text of `rest` and, as its last member, of a list under this name. */
export async function writtenWith(
  rest: object,
  name: string,
  items: Iterable<unknown> | AsyncIterable<unknown>,
  work: Work,
): Promise<Buffer> {
  const pieces = [Buffer.from(JSON.stringify({ ...rest, [name]: [] }).slice(0, -'[]}'.length))];
  for await (const piece of writtenList(items, work)) pieces.push(piece);
  return Buffer.concat([...pieces, Buffer.from('}')]);
}

const PIECE_BYTES = 262_144;

/** Turns many bytes into a stream: one piece for each time that its reader has room. */
export function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

export const sendJson = (reply: FastifyReply, bytes: Buffer): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(bytes);
