import { type IncomingMessage, ServerResponse } from 'node:http';

/**
 * An answer whose headers and text leave in one plain write. Node adds an empty chunk that marks the end, and makes a
 * list of both for the system, which takes more time and memory than anything else that is done to send a short answer.
 */
export class OneWriteResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    const { socket } = this;
    const isWhole = typeof chunk === 'string' && this.headersSent && !this.chunkedEncoding;
    if (!isWhole || !socket || encoding) return super.end(chunk as never, encoding as never, callback as never);
    socket.cork(); // otherwise `write` would do so until the next tick
    this.write(chunk);
    socket.uncork();
    return super.end(null as never, null as never, callback as never);
  }
}
