import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { compiled } from './compiled.ts';

export interface Process {
  child: ChildProcess;
  output(): string;
  /** Null if the process was killed. */
  exit: Promise<number | null>;
}

/** One of our programs, with its output. The test that starts it also ends it. */
export function runProcess(
  args: readonly string[],
  env: Record<string, string> = {},
  command: string = process.execPath,
): Process {
  const child = spawn(command, args, { env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return { child, output: () => output, exit: new Promise((resolve) => child.once('close', resolve)) };
}

/** The server as an operator starts it. */
export function runServer(env: Record<string, string>): Process {
  return runProcess([compiled('main')], { HOST: '127.0.0.1', PORT: '0', ...env });
}

export interface ServerProcess extends Process {
  url: string;
}

/** Resolves as soon as the server listens. */
export async function startProcess(databaseUrl: string, env: Record<string, string> = {}): Promise<ServerProcess> {
  // A busy machine may delay a process while it starts, which must not lead to answers with 503.
  const server = runServer({ DATABASE_URL: databaseUrl, MAX_EVENT_LOOP_DELAY_MS: '0', BOT_THREADS: '1', ...env });
  const address = () => server.output().match(/Atoll is listening on http:\/\/localhost(:\d+)/)?.[1];
  for (const patience = Date.now() + 80_000; address() === undefined; await sleep(30)) {
    if (server.child.exitCode === null && Date.now() < patience) continue;
    server.child.kill('SIGKILL');
    throw new Error(`The server did not start:\n${server.output()}`);
  }
  return { ...server, url: `http://127.0.0.1${address()}` };
}
