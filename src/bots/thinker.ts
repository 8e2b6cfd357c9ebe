import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import type { Seat } from '../games/game.ts';
import { registry } from '../games/registry.ts';
import { fastRng } from '../games/rng.ts';
import { BUDGETS, type Level } from './choose.ts';
import { openThread } from './thread.ts';

/** The decision to make: the match, the seat and the level. */
export interface Ask {
  game: string;
  rules: number;
  /** A guess of this seat, never the true state, so that a bot cannot use what it does not know. */
  state: object;
  seats: number;
  seat: Seat;
  level: Level;
  seed: number;
}

type Limits = { iterations: number; ms: number };

/** The message that a thread receives. */
export interface Task extends Ask {
  budget: Limits;
}

export interface ThinkerOptions {
  /**
   * By default one less than the cores, so that the server keeps one, but at least two, so that a long decision does
   * not hold up a short one.
   */
  threads?: number;
  /** A thread that has not answered after this time is ended. */
  limitMs?: number;
  /** How many decisions may wait for a thread. Any further ones are made at random. */
  queue?: number;
  budgets?: Partial<Record<Level, Limits>>;
  /** Called with the reason when a decision was made at random. */
  onFailure?(reason: string, ask: Ask): void;
  /** The module that the threads run. */
  module?: URL;
}

export interface Thinker {
  /** Returns an action of the legal list. If a thread is late or dies, the action is chosen at random instead. */
  decide(ask: Ask): Promise<object>;
  /** Ends all threads. Decisions that are still open are rejected. */
  close(): Promise<void>;
}

/** A thread takes some time to load its code, especially in development. This does not count as thinking. */
const LOADING_MS = 60_000;

/** The least time that a decision gets, however many are waiting. */
const LEAST_MS = 30;

interface Job {
  ask: Ask;
  /** When it would be decided if nobody else were waiting. The earliest goes next. */
  due: number;
  resolve(action: object): void;
  reject(error: Error): void;
}

interface Thread {
  worker: Worker;
  ready: boolean;
  job: Job | undefined;
  timer: NodeJS.Timeout | undefined;
}

interface Pool {
  threads: Set<Thread>;
  waiting: Job[];
  most: number;
  room: number;
  limitMs: number;
  budgets: Record<Level, Limits>;
  module: URL;
  onFailure: NonNullable<ThinkerOptions['onFailure']>;
}

/** Runs bots in threads, so that the event loop never waits for one. Threads are opened when first needed. */
export function openThinker(options: ThinkerOptions = {}): Thinker {
  const pool = poolOf(options);
  let closed = false;
  return {
    async decide(ask) {
      if (closed) throw new Error('the thinker is closed');
      if (legal(ask).length === 0) throw new Error(`seat ${ask.seat} may not act now`);
      const due = performance.now() + pool.budgets[ask.level].ms;
      return new Promise<object>((resolve, reject) => enqueue(pool, { ask, due, resolve, reject }));
    },
    async close() {
      closed = true;
      await empty(pool, new Error('the thinker is closed'));
    },
  };
}

function poolOf(options: ThinkerOptions): Pool {
  const budgets = { ...BUDGETS, ...options.budgets };
  return {
    threads: new Set(),
    waiting: [],
    most: options.threads ?? Math.max(2, availableParallelism() - 1),
    room: options.queue ?? 1000,
    limitMs: options.limitMs ?? 1000 + 2 * Math.max(...Object.values(budgets).map(({ ms }) => ms)),
    budgets,
    module: options.module ?? new URL(`./worker${import.meta.url.slice(-3)}`, import.meta.url),
    onFailure: options.onFailure ?? (() => {}),
  };
}

const legal = ({ game, rules, state, seat }: Ask): object[] => registry.game(game, rules).legal(state, seat);

function enqueue(pool: Pool, job: Job): void {
  if (pool.waiting.length < pool.room) {
    pool.waiting.push(job);
    dispatch(pool);
  } else decideAtRandom(pool, job, `${pool.room} decisions are waiting already`);
}

function dispatch(pool: Pool): void {
  for (let job = nextOf(pool); job; job = nextOf(pool)) {
    const idle = [...pool.threads].find((thread) => !thread.job);
    if (!idle && pool.threads.size >= pool.most) return;
    pool.waiting.splice(pool.waiting.indexOf(job), 1);
    give(pool, idle ?? openIn(pool), job);
  }
}

/** The waiting decision that is due first. The last free thread is kept for short decisions. */
function nextOf({ threads, waiting, most }: Pool): Job | undefined {
  const isLong = ({ ask }: Job) => ask.level === 'HARD';
  const long = [...threads].filter(({ job }) => job && isLong(job)).length;
  let next: Job | undefined;
  for (const job of waiting) {
    if (isLong(job) && long >= Math.max(1, most - 1)) continue;
    if (!next || job.due < next.due) next = job;
  }
  return next;
}

function openIn(pool: Pool): Thread {
  const worker = openThread(pool.module);
  const thread: Thread = { worker, ready: false, job: undefined, timer: undefined };
  // An idle thread does not keep the process alive; the timer of a job does.
  worker.unref();
  worker.on('message', (message: { ready: true } | { action: object }) => {
    if ('action' in message) return answer(pool, thread, message.action);
    thread.ready = true;
    watch(pool, thread);
  });
  worker.on('error', (error: Error) => drop(pool, thread, `a thread died: ${error.message}`));
  worker.on('exit', (code) => drop(pool, thread, `a thread ended with code ${code}`));
  pool.threads.add(thread);
  return thread;
}

function give(pool: Pool, thread: Thread, job: Job): void {
  thread.job = job;
  thread.worker.postMessage({ ...job.ask, budget: shareOf(pool, job.ask.level) } satisfies Task);
  watch(pool, thread);
}

/** The more decisions wait, the less time each may take, so that many are answered in about the time of one. */
function shareOf({ budgets, waiting, most }: Pool, level: Level): Limits {
  const { iterations, ms } = budgets[level];
  return { iterations, ms: Math.max(Math.min(ms, LEAST_MS), ms / (1 + waiting.length / most)) };
}

function watch(pool: Pool, thread: Thread): void {
  clearTimeout(thread.timer);
  if (!thread.job) return;
  const ms = thread.ready ? pool.limitMs : LOADING_MS;
  thread.timer = setTimeout(() => drop(pool, thread, `no answer within ${ms} ms`), ms);
}

function answer(pool: Pool, thread: Thread, action: object): void {
  const { job } = thread;
  thread.job = undefined;
  clearTimeout(thread.timer);
  job?.resolve(action);
  dispatch(pool);
}

/** Ends a thread. Its job is decided at random, and a new thread takes the next one. */
function drop(pool: Pool, thread: Thread, reason: string): void {
  if (!pool.threads.delete(thread)) return;
  clearTimeout(thread.timer);
  void thread.worker.terminate();
  if (thread.job) decideAtRandom(pool, thread.job, reason);
  dispatch(pool);
}

function decideAtRandom(pool: Pool, { ask, resolve }: Job, reason: string): void {
  pool.onFailure(reason, ask);
  resolve(fastRng(ask.seed).pick(legal(ask)));
}

async function empty({ threads, waiting }: Pool, reason: Error): Promise<void> {
  const all = [...threads];
  threads.clear();
  for (const { timer } of all) clearTimeout(timer);
  for (const { reject } of [...waiting.splice(0), ...all.flatMap(({ job }) => job ?? [])]) reject(reason);
  await Promise.all(all.map(({ worker }) => worker.terminate()));
}
