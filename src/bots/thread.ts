import { Worker } from 'node:worker_threads';

/**
 * Opens a thread that runs this module. In dist it is JavaScript. In development it is TypeScript, which a thread of
 * Node 20 refuses even if its process was started by tsx, so the thread loads tsx before the module.
 */
export function openThread(module: URL): Worker {
  if (!module.pathname.endsWith('.ts')) return new Worker(module);
  const start = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(module.href)})))`;
  return new Worker(start, { eval: true, execArgv: [] });
}
