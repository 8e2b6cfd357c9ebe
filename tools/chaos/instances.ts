/** The servers. Each is started again as soon as it ends, as a supervisor would do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../bench/process.ts';

export interface Instance {
  name: string;
  url: string;
  kill(signal: NodeJS.Signals): void;
  /** How often it was started. */
  readonly starts: number;
  /** How often its clock was set. */
  readonly jumps: number;
  stop(): Promise<void>;
}

const LIMITS = {
  RATE_LIMIT_PER_PLAYER: '10000000',
  RATE_LIMIT_PER_ADDRESS: '10000000',
  RATE_LIMIT_REGISTRATIONS: '1000000',
  WORK_LIMIT_PER_PLAYER: '1000000000',
  WORK_LIMIT_PER_ADDRESS: '1000000000',
  QUOTAS: 'off',
  MAX_SUBSCRIPTIONS_PER_PLAYER: '10000',
  MAX_SOCKETS_PER_ADDRESS: '10000',
  MAX_EVENT_LOOP_DELAY_MS: '0',
  BOT_THREADS: '1',
  LOG_LEVEL: 'warn',
};

interface Supervised {
  name: string;
  env: Record<string, string>;
  logFile: string;
  /** The folder of another version of the server. If unset, it is this version, whose clock can be set. */
  cwd?: string;
  /** Called when an instance ends unexpectedly, or takes too long to stop. */
  violate(what: string): void;
}

export async function startInstance({ name, env, logFile, cwd, violate }: Supervised): Promise<Instance> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { scripts } = JSON.parse(readFileSync(join(cwd ?? '.', 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const clock = cwd === undefined ? ['--import', './tools/chaos/clock.mjs'] : [];
  const args = [...clock, ...scripts.start.split(' ').slice(1)];
  const log: WriteStream = createWriteStream(logFile, { flags: 'a' });
  let child: ChildProcess | undefined;
  let stopping = false;
  let asked: NodeJS.Signals | undefined;
  let starts = 0;
  let jumps = 0;

  const loop = (async () => {
    while (!stopping) {
      starts++;
      child = spawn(process.execPath, args, {
        env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), ...LIMITS, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
        ...(cwd !== undefined && { cwd }),
      });
      child.stdout?.pipe(log, { end: false });
      child.stdout?.on('data', (data) => {
        jumps += String(data).split('chaos: the clock').length - 1;
      });
      child.stderr?.pipe(log, { end: false });
      const code = await new Promise((resolve) => child?.once('exit', resolve));
      if (asked === undefined) violate(`${name} ended by itself with ${code}`);
      else if (asked === 'SIGTERM' && code !== 0) violate(`${name} did not come to its end when it was stopped`);
      asked = undefined;
      if (!stopping) await sleep(200);
    }
  })();
  async function stop(): Promise<void> {
    stopping = true;
    asked = 'SIGTERM';
    child?.kill('SIGCONT');
    child?.kill('SIGTERM');
    const patience = setTimeout(() => child?.kill('SIGKILL'), 15_000);
    await loop;
    clearTimeout(patience);
    log.end();
  }
  for (let tries = 0; ; tries++) {
    if ((await fetch(`${url}/health/ready`).catch(() => undefined))?.ok) break;
    if (tries > 600) {
      await stop();
      throw new Error(`${name} did not become ready`);
    }
    await sleep(100);
  }
  return {
    name,
    url,
    kill(signal) {
      if (['SIGKILL', 'SIGTERM'].includes(signal)) asked = signal;
      child?.kill(signal);
    },
    get starts() {
      return starts;
    },
    get jumps() {
      return jumps;
    },
    stop,
  };
}
