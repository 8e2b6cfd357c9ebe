/**
 * Several processes on one machine that share its port. Each is a complete server, as if it ran on a machine of its
 * own, but they tell each other directly of what they commit (matches/live/siblings.ts).
 */
import cluster, { type Worker } from 'node:cluster';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Handle, Homes } from './api/http/hand-over.ts';
import { homeOf, isElsewhere, textOfNumber, WORKER_NUMBER } from './homes.ts';
import { type Place, socketOf } from './matches/live/siblings.ts';

export interface Workers {
  /** Where they listen. */
  address: Pick<AddressInfo, 'port'>;
  /** The ids of their processes. */
  pids: (number | undefined)[];
  /** Resolves when all of them have finished what was under way. */
  stop(): Promise<void>;
}

/**
 * A message and not a signal: Ctrl+C sends a signal to every process of the terminal, and a second one means to stop at
 * once.
 */
const STOP = 'stop';

type Take = Parameters<Homes['receive']>[0];

/** What the primary tells this worker. It may be told before the worker is ready for it. */
const told: { isToStop: boolean; stop?: () => void; take: Take } = {
  isToStop: false,
  take: (handle) => handle.close(),
};

if (cluster.isWorker) {
  process.on('message', (message, handle) => {
    if (handle) return told.take(handle as unknown as Handle, (message as Passed).again);
    if (message !== STOP) return;
    told.isToStop = true;
    told.stop?.();
  });
}

/** To be called by a worker: `stop` runs when the worker is to stop, and at once if it has been told so already. */
export function onStop(stop: () => void): void {
  told.stop = stop;
  if (told.isToStop) stop();
}

/** To be called by a worker that cannot start: the primary reports the reason, once for all workers. */
export function failStart(why: string): void {
  // The channel to the primary would keep the process running.
  process.send?.({ why }, undefined, undefined, () => process.exit(1));
}

/** The variable in which a worker finds the folder of the sockets. */
const FOLDER = 'ATOLL_WORKERS_FOLDER';

/** Where this process finds its siblings; undefined if it is not one of several workers. */
export function placeOfWorker(): Place | undefined {
  const folder = process.env[FOLDER];
  return folder && cluster.worker ? { folder, worker: cluster.worker.id } : undefined;
}

/** How a worker sends a connection to another one: through the primary, which passes it on. */
interface Passage extends Passed {
  /** The number of the other worker. */
  to: number;
}

interface Passed {
  again: string | undefined;
}

/**
 * To which workers connections are handed over; undefined if this process is not one of several. Only on Linux: on
 * macOS a connection can be lost if its sender closes it before the other process has received it.
 */
export function homesOfWorker(): Homes | undefined {
  if (!cluster.isWorker || process.platform !== 'linux') return undefined;
  return {
    isElsewhere,
    send: (match, handle, again) => pass(process, handle, { to: homeOf(match), again }),
    receive(take) {
      told.take = take;
    },
  };
}

/** If it cannot be sent, the connection is cut, and its client opens another one. */
function pass(to: Pick<NodeJS.Process, 'send'>, handle: Handle, message: Passage | Passed): void {
  to.send?.(message, handle as never, {}, () => handle.close());
}

/** Undefined if there can be none: then workers hear of each other through the database, as other servers do. */
function makeFolder(warn: (message: string) => void): string | undefined {
  try {
    // Anybody on the machine could open a named pipe of Windows.
    if (process.platform === 'win32') throw new Error('there are no sockets in folders on Windows');
    return mkdtempSync(join(tmpdir(), 'atoll-')); // only this user can open it
  } catch (error) {
    warn(
      `The workers can tell each other of events only through the database, which costs more: ${(error as Error).message}`,
    );
    return undefined;
  }
}

/** A worker that ends by itself is replaced, but not in a loop that keeps the machine busy. */
const REPLACE_AFTER_MS = 1000;

/** Rejects with the reason if the first of them cannot start. */
export async function startWorkers(count: number, warn: (message: string) => void): Promise<Workers> {
  let stopping = false;
  const folder = makeFolder(warn);
  const { fork, numberOf } = passingOn(count, folder ? { [FOLDER]: folder } : {});
  const removeFolder = () => folder && rmSync(folder, { recursive: true, force: true });

  async function replace(worker: Worker): Promise<void> {
    if (stopping) return;
    warn(`A worker (process ${worker.process.pid}) has ended and is replaced.`);
    if (folder) rmSync(join(folder, socketOf(worker.id)), { force: true });
    await sleep(REPLACE_AFTER_MS);
    if (!stopping) fork(numberOf(worker));
  }

  const address = await new Promise<Workers['address']>((resolve, reject) => {
    const failed = (_worker: Worker, { why }: { why?: string }) => why && reject(new WorkerFailed(why));
    const ended = (_worker: Worker, code: number) =>
      reject(new WorkerFailed(`Atoll cannot start: a worker ended with code ${code}.`));
    cluster.on('message', failed);
    cluster.once('exit', ended);
    // The server's own port is the first on which a worker listens.
    cluster.once('listening', (_worker, { port }) => {
      cluster.off('message', failed);
      cluster.off('exit', ended);
      resolve({ port });
    });
    for (let i = 0; i < count; i++) fork(i);
  }).catch((error: unknown) => {
    for (const worker of everyWorker()) worker.process.kill();
    removeFolder();
    throw error;
  });
  cluster.on('exit', (worker) => void replace(worker));
  // A worker that was only just being started when all were told to stop may not have heard it.
  cluster.on('listening', (worker) => stopping && worker.send(STOP));

  return {
    address,
    pids: everyWorker().map((worker) => worker.process.pid),
    async stop() {
      stopping = true;
      await Promise.all(
        everyWorker().map((worker) => {
          const ended = new Promise((resolve) => worker.once('exit', resolve));
          worker.send(STOP);
          return worker.isDead() ? undefined : ended;
        }),
      );
      removeFolder();
    },
  };
}

/** Numbers the workers, and passes connections on from one to another. */
function passingOn(count: number, env: Record<string, string>) {
  const numbers = new Map<Worker, number>();
  /** By number, the workers that serve. */
  const serving = new Map<number, Worker>();
  const numberOf = (worker: Worker) => numbers.get(worker) as number;
  cluster.on('listening', (worker) => serving.set(numberOf(worker), worker));
  cluster.on('disconnect', (worker) => serving.get(numberOf(worker)) === worker && serving.delete(numberOf(worker)));
  cluster.on('message', (from, { to, again }: Passage, handle?: unknown) => {
    // While the other worker is being replaced, the connection stays where it was.
    if (handle) pass((serving.get(to) ?? from).process as never, handle as Handle, { again });
  });
  return {
    numberOf,
    fork(number: number) {
      numbers.set(cluster.fork({ ...env, [WORKER_NUMBER]: textOfNumber(number, count) }), number);
    },
  };
}

const everyWorker = (): Worker[] => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/** The message is what the operator reads. */
export class WorkerFailed extends Error {}
