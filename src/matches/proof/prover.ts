/** Proving takes as long as playing did, so it runs in a thread of its own, one document at a time. */
import type { Worker } from 'node:worker_threads';
import { openThread } from '../../bots/thread.ts';
import { AtollError, type ErrorCode, refusals } from '../../errors.ts';
import type { Registry } from '../../games/registry.ts';
import { threadModule } from '../../root.ts';
import { type Draft, type ProvenMatch, prove, read } from './import.ts';

/** A document that has been read and has the right shape, but is not yet proven. */
export type ReadDocument = Draft;

/**
 * Reads a document, given as JSON or as the text of it. Before it is proven, `decide` is called, which may find that
 * the match is already known: if it returns null, the document is not proven.
 */
export interface Prover {
  run<T>(document: unknown, who: string, decide: (read: ReadDocument) => Promise<T | null>): Promise<T | ProvenMatch>;
  close(): Promise<void>;
}

/** Proves in this thread: for tests and for tools with games of their own. */
export const inlineProver = (registry: Registry): Prover => ({
  async run(document, _who, decide) {
    const draft = read(document, new Date());
    return (await decide(draft)) ?? prove(registry, draft);
  },
  close: async () => {},
});

/** The messages that are sent to the thread, and its replies. */
export type Question = { document: unknown; now: number } | { prove: boolean };
export type Reply =
  | { draft: ReadDocument }
  | { proven: ProvenMatch }
  | { error: { code: ErrorCode; message: string; details: object } };

export interface ProverOptions {
  /** How long a proof may take. */
  limitMs?: number;
  /** How many documents may wait in total, and how many of one player. */
  room?: number;
  roomOfOne?: number;
  module?: URL;
}

export function openProver(options: ProverOptions = {}): Prover {
  const { limitMs = 30_000, room = 20, roomOfOne = 2 } = options;
  const module = options.module ?? threadModule('matches/proof/prover-thread');
  const waiting = new Map<string, number>();
  let all = 0;
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function drop(): Promise<unknown> {
    const gone = worker;
    worker = undefined;
    return gone?.terminate() ?? Promise.resolve();
  }

  /** Sends one question to the thread. A thread that is late or dies is replaced at the next question. */
  function ask(question: Question): Promise<Reply> {
    worker ??= newThread(module);
    const thread = worker;
    return new Promise<Reply>((resolve, reject) => {
      const fail = (error: AtollError) => {
        if (worker === thread) void drop();
        settle();
        reject(error);
      };
      const onMessage = (reply: Reply) => {
        settle();
        resolve(reply);
      };
      const onEnd = () => fail(refusals.proverEnded({ retryAfter: 10 }));
      const timer = setTimeout(() => fail(refusals.notProvenInTime(limitMs / 1000, { retryAfter: 10 })), limitMs);
      const settle = () => {
        clearTimeout(timer);
        thread.off('message', onMessage).off('error', onEnd).off('exit', onEnd);
      };
      thread.once('message', onMessage).once('error', onEnd).once('exit', onEnd);
      thread.postMessage(question);
    });
  }

  async function run<T>(
    document: unknown,
    decide: (read: ReadDocument) => Promise<T | null>,
  ): Promise<T | ProvenMatch> {
    const first = await ask({ document, now: Date.now() });
    if ('error' in first) throw thrown(first);
    const { draft } = first as { draft: ReadDocument };
    const known = await decide(draft);
    if (known !== null) return known;
    const second = await ask({ prove: true });
    if ('proven' in second) return second.proven;
    throw thrown(second);
  }

  return {
    async run(document, who, decide) {
      const own = waiting.get(who) ?? 0;
      if (own >= roomOfOne || all >= room)
        throw refusals.proverBusy({
          retryAfter: 5,
        });
      waiting.set(who, own + 1);
      all++;
      const mine = last.then(() => run(document, decide));
      last = mine.catch(() => {});
      try {
        return await mine;
      } finally {
        all--;
        const left = (waiting.get(who) ?? 1) - 1;
        if (left > 0) waiting.set(who, left);
        else waiting.delete(who);
      }
    },
    async close() {
      await drop();
    },
  };
}

function newThread(module: URL): Worker {
  const thread = openThread(module);
  thread.unref();
  thread.on('error', () => {}); // the thread is being ended, and whoever waits for an answer listens as well
  return thread;
}

function thrown(reply: Reply): AtollError {
  const { code, message, details } =
    'error' in reply ? reply.error : { code: 'INTERNAL' as const, message: '', details: {} };
  return new AtollError(code, message, { ...details });
}
