/** The server, restarted on every change, and the table in front of it, reloaded on every change. */
import { spawn } from 'node:child_process';
import { createServer, type ViteDevServer } from 'vite';

// In a group of its own: Ctrl+C in a terminal would reach it a second time, and a second signal means to stop at once.
const server = spawn(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'watch', 'src/main.ts'], {
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: process.platform !== 'win32',
});
server.once('exit', (code) => process.exit(code ?? 0));

// The server first: closing the page's half waits for browsers that are still connected.
let web: ViteDevServer | undefined;
let stopping = false;
const stop = async () => {
  if (stopping) return;
  stopping = true;
  server.kill('SIGTERM');
  await web?.close();
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop());
// npm passes SIGTERM only to the shell between us, which ends without telling anybody.
const parent = process.ppid;
setInterval(() => process.ppid !== parent && void stop(), 300).unref();

web = await createServer({ root: 'web' });
await web.listen();
web.printUrls();
