import { Worker } from 'node:worker_threads';

/**
 * A thread that runs this module. From dist it is JavaScript. In development it is TypeScript, which a thread of
 * Node 20 refuses even when its process was started by tsx: there the thread calls tsx before it loads the module.
 */
export function openThread(module: URL): Worker {
  if (!module.pathname.endsWith('.ts')) return new Worker(module);
  const start = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(module.href)})))`;
  return new Worker(start, { eval: true, execArgv: [] });
}
