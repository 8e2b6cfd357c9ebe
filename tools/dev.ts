/** The server, restarted on every change, and the table in front of it, reloaded on every change. */
import { spawn } from 'node:child_process';
import { createServer } from 'vite';

const server = spawn(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'watch', 'src/main.ts'], { stdio: 'inherit' });
const web = await createServer({ root: 'web' });
await web.listen();
web.printUrls();

// The server first: closing the page's half waits for browsers that are still connected.
const stop = async () => {
  server.kill('SIGTERM');
  await web.close();
};
server.once('exit', (code) => process.exit(code ?? 0));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
