/** Messages between processes on one machine: JSON, one message on each line of a local socket. */
import type { Socket } from 'node:net';
import { sendWhenTurnEnds } from '../../turn-end.ts';

export interface Lines {
  /** Sends a message. Everything that is sent in one turn of the event loop leaves in one write. */
  send(message: readonly unknown[]): void;
  /** As `send`, with a message that is text already. */
  sendText(text: string): void;
}

/** A process that does not read is cut off before it costs more memory than this. */
const MAX_UNREAD = 8 * 1024 * 1024;

/** Closes the socket on a message that `hear` cannot use, because then the two do not speak the same language. */
export function openLines(socket: Socket, hear: (message: unknown[]) => void): Lines {
  let unsent = '';
  let rest = '';

  function flush(): void {
    if (!socket.destroyed) socket.write(unsent);
    unsent = '';
  }

  function sendText(text: string): void {
    if (socket.destroyed) return;
    if (socket.writableLength + unsent.length > MAX_UNREAD) {
      socket.destroy();
      return;
    }
    if (unsent === '') sendWhenTurnEnds(flush);
    unsent += `${text}\n`;
  }

  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest === '' ? chunk : rest + chunk).split('\n');
    rest = lines.pop() as string;
    try {
      for (const line of lines) hear(JSON.parse(line));
    } catch {
      socket.destroy();
    }
    if (rest.length > MAX_UNREAD) socket.destroy();
  });
  return { sendText, send: (message) => sendText(JSON.stringify(message)) };
}
