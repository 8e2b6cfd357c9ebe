/**
 * What leaves at the end of a turn of the event loop: first everything that clients are sent, then the statements to the
 * database. PostgreSQL takes about a millisecond for a statement, in which clients already read what they were sent and
 * make their next moves. In the other order they would often wait for it as well: Linux tends to run a process that was
 * woken on the core of the one that woke it, and before it.
 */
let messages: (() => void)[] = [];
let statements: (() => void)[] = [];
let scheduled = false;

function end(): void {
  scheduled = false;
  try {
    const all = messages;
    messages = [];
    for (const send of all) send();
  } finally {
    const all = statements;
    statements = [];
    for (const send of all) send();
  }
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(end);
}

/** Calls `send` once at the end of this turn, before any statement is sent. */
export function sendWhenTurnEnds(send: () => void): void {
  messages.push(send);
  schedule();
}

/** Calls `send` once at the end of this turn, after all messages to clients. */
export function askWhenTurnEnds(send: () => void): void {
  statements.push(send);
  schedule();
}
