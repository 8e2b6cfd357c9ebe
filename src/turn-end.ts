/**
 * What leaves at the end of a turn of the event loop: first everything that clients are sent over their sockets, then
 * the answers to what was changed by HTTP, then the statements to the database. PostgreSQL takes about a millisecond for
 * a statement, in which clients already read what they were sent and make their next moves. In the other order they
 * would often wait for it as well: Linux tends to run a process that was woken on the core of the one that woke it, and
 * before it. Those who watch come before the one who acted, because their messages are ready, while answers by HTTP are
 * still to be made; and the same kind of work done for all in a row takes less time than each by itself.
 */

type Send = () => void;

class Queue {
  #waiting: Send[] = [];

  add(send: Send): void {
    this.#waiting.push(send);
    schedule();
  }

  leave(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (const send of all) send();
  }
}

const [messages, answers, statements] = [new Queue(), new Queue(), new Queue()];
let scheduled = false;

function end(): void {
  scheduled = false;
  try {
    messages.leave();
  } finally {
    try {
      answers.leave();
    } finally {
      statements.leave();
    }
  }
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(end);
}

/** Calls `send` once at the end of this turn, before anything else leaves. */
export const sendWhenTurnEnds = (send: Send): void => messages.add(send);

/** Calls `send` once at the end of this turn, after all messages to sockets and before any statement. */
export const answerWhenTurnEnds = (send: Send): void => answers.add(send);

/** Calls `send` once at the end of this turn, after all messages and answers to clients. */
export const askWhenTurnEnds = (send: Send): void => statements.add(send);
