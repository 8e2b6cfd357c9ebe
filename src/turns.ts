/**
 * Long work is done in slices, one for each turn of the event loop, so that short requests are answered in between.
 * Callers with long work take turns, however much of it each of them has.
 */

const SLICE_MS = 8;
/** Work that is shorter than this never waits, which is true of most work. */
const SHORT_MS = 2;

/** The work that waits for a slice, by caller. The caller whose turn is next comes first. */
const queues = new Map<string, (() => void)[]>();
/** When the slice of this turn of the event loop began; undefined if none has. */
let began: number | undefined;
let scheduled = false;

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(serve); // an immediate requested while immediates run comes after the next poll of the network
}

/** A new turn of the event loop: those who wait share its slice. */
function serve(): void {
  scheduled = false;
  began = undefined;
  if (queues.size === 0) return;
  began = performance.now();
  schedule();
  serveNext();
}

function serveNext(): void {
  for (const [who, waiting] of queues) {
    queues.delete(who);
    const resume = waiting.shift();
    if (waiting.length > 0) queues.set(who, waiting);
    resume?.();
    // Resumed work runs as microtasks. A tick that is requested among them comes when they are done.
    queueMicrotask(() => process.nextTick(serveAnother));
    return;
  }
}

function serveAnother(): void {
  if (began !== undefined && performance.now() - began < SLICE_MS) serveNext();
}

/**
 * To be called between two steps of long work. Returns undefined if it may continue, else a promise that resolves at
 * this caller's turn.
 */
export function pause(who: string): Promise<void> | undefined {
  const now = performance.now();
  if (began === undefined) {
    began = now;
    schedule();
  }
  if (now - began < SLICE_MS) return undefined;
  schedule();
  return new Promise((resolve) => {
    const waiting = queues.get(who);
    if (waiting) waiting.push(resolve);
    else queues.set(who, [resolve]);
  });
}

/** The result of work that is done step by step. `who` names the caller for whom it is done. */
export async function inSlices<T>(work: Iterator<void, T>, who: string): Promise<T> {
  const free = performance.now() + SHORT_MS;
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    const turn = performance.now() > free ? pause(who) : undefined;
    if (turn) await turn;
  }
}

/** Does all the work at once: for tools, and for work that is known to be short. */
export function atOnce<T>(work: Iterator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** By queue, the last task that waits or is under way. */
const lasts = new Map<string, Promise<void>>();

/** Does one task after another of each queue, for what would otherwise take up all connections to the database. */
export function oneAtATime<T>(queue: string, task: () => Promise<T>): Promise<T> {
  const result = (lasts.get(queue) ?? Promise.resolve()).then(task);
  const done = result.then(
    () => {},
    () => {},
  );
  lasts.set(queue, done);
  void done.then(() => lasts.get(queue) === done && lasts.delete(queue));
  return result;
}
