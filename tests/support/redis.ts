/** A message bus for tests: Redis or Valkey, where the machine has one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@redis/client';
import { freePort, program } from './programs.ts';

const server = program('valkey-server') ?? program('redis-server');
export const hasRedis = server !== undefined;
/** Why a test is skipped. */
export const noRedis = hasRedis ? '' : ' (skipped: this machine has neither valkey-server nor redis-server)';

export interface Redis {
  url: string;
  /** Sends a command on a connection of its own. */
  ask<T>(...command: string[]): Promise<T>;
  kill(): Promise<void>;
  /** Starts it again without any data. */
  start(): Promise<void>;
  /** Freezes it: it keeps its connections, but does not answer until it is resumed. */
  freeze(): void;
  resume(): void;
}

/** It requires a password, as any Redis should that is reached over a network. */
export async function startRedis(): Promise<Redis> {
  const port = await freePort();
  const url = `redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
  const options = `--port ${port} --bind 127.0.0.1 --save  --appendonly no --requirepass ${PASSWORD}`;
  let child: ChildProcess | undefined;

  async function ask<T>(...command: string[]): Promise<T> {
    const client = createClient({ url, socket: { reconnectStrategy: false } });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.sendCommand(command)) as T;
    } finally {
      client.destroy();
    }
  }

  async function start(): Promise<void> {
    child = spawn(server as string, options.split(' '), { cwd: tmpdir(), stdio: 'ignore' });
    for (let tries = 0; ; tries++) {
      const isUp = await ask('PING').catch(() => false);
      if (isUp) return;
      if (tries > 300) throw new Error('the message bus did not start');
      await sleep(30);
    }
  }

  await start();
  return {
    url,
    ask,
    start,
    async kill() {
      if (child?.exitCode !== null || child.signalCode !== null) return; // it has ended
      const exit = new Promise((resolve) => child?.once('exit', resolve));
      child?.kill('SIGKILL');
      await exit;
    },
    freeze: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
  };
}

/** What must never be logged. */
export const PASSWORD = 'pa:ss@w/ord';
