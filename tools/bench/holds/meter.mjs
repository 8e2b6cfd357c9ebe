/**
 * Runs inside the server. Between /begin and /end it measures each turn of the event loop, and then tells the longest.
 * What counts is the processor time of the main thread, so that a busy machine does not spoil the figures. Where the
 * system does not provide it, the elapsed time counts.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { isMainThread } from 'node:worker_threads';

const FILE = `/proc/self/task/${process.pid}/schedstat`;

/** Milliseconds of processor time that this thread has used. */
function processorMs() {
  try {
    return Number(readFileSync(FILE, 'latin1').split(' ', 1)[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

function measure() {
  let isMeasuring = false;
  let last = { wall: 0, cpu: 0 };
  let most = { wall: 0, cpu: 0 };
  const now = () => ({ wall: performance.now(), cpu: processorMs() });

  function turn() {
    const at = now();
    const [wall, cpu] = [at.wall - last.wall, at.cpu - last.cpu];
    if (cpu > most.cpu) most = { wall, cpu };
    last = at;
    if (isMeasuring) setImmediate(turn);
  }

  const server = createServer(({ url }, response) => {
    if (url === '/begin') {
      most = { wall: 0, cpu: 0 };
      isMeasuring = true;
      last = now();
      setImmediate(turn);
    } else isMeasuring = false;
    response.end(JSON.stringify(most));
  });
  server.listen(Number(process.env.HOLDS_PORT), '127.0.0.1').unref();
}

if (isMainThread && process.env.HOLDS_PORT) measure();
