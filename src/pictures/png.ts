/** Boards as PNG, for link previews: most services that show a link cannot show SVG. */
import { createHash } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { openThread } from '../bots/thread.ts';
import { refusals } from '../errors.ts';
import { threadModule } from '../root.ts';
import type { Drawing, Drawn } from './worker.ts';

export interface Pictures {
  /** Equal pictures are drawn once, as long as the first one is still kept. */
  png(svg: string): Promise<Buffer>;
  close(): Promise<void>;
}

/** The width at which previews are shown. */
const WIDTH = 1200;
/** About 300 kB each. */
const KEPT = 100;
const MOST_WAITING = 20;
const PATIENCE_MS = 30_000;
const MODULE = threadModule('pictures/worker');

interface Waiting {
  resolve(png: Buffer): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout;
}

const busy = () => refusals.picturesBusy({ retryAfter: 5 });

export function openPictures(): Pictures {
  const kept = new Map<string, Promise<Buffer>>(); // in the order of their last use
  const waiting = new Map<number, Waiting>();
  let thread: Worker | undefined;
  let drawings = 0;

  function settle(id: number): Waiting | undefined {
    const found = waiting.get(id);
    waiting.delete(id);
    clearTimeout(found?.timer);
    return found;
  }

  /** Rejects everything that waits. The next picture gets a new thread. */
  function lost(error: Error): void {
    void thread?.terminate();
    thread = undefined;
    for (const id of [...waiting.keys()]) settle(id)?.reject(error);
  }

  function open(): Worker {
    const opened = openThread(MODULE);
    opened.unref();
    opened.on('message', (drawn: Drawn) => {
      const asked = settle(drawn.id);
      if ('png' in drawn) asked?.resolve(Buffer.from(drawn.png));
      else asked?.reject(new Error(`A picture could not be drawn: ${drawn.error}`));
    });
    opened.on('error', (error) => thread === opened && lost(error as Error));
    return opened;
  }

  function draw(svg: string): Promise<Buffer> {
    if (waiting.size >= MOST_WAITING) return Promise.reject(busy());
    thread ??= open();
    const drawing: Drawing = { id: ++drawings, svg, width: WIDTH };
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => lost(busy()), PATIENCE_MS);
      waiting.set(drawing.id, { resolve, reject, timer });
      thread?.postMessage(drawing);
    });
  }

  return {
    png(svg) {
      const key = createHash('sha256').update(svg).digest('base64url');
      const known = kept.get(key) ?? draw(svg);
      kept.delete(key);
      kept.set(key, known); // moves it to the end: the most recently used
      known.catch(() => kept.delete(key));
      const [oldest] = kept.keys();
      if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
      return known;
    },
    async close() {
      lost(busy());
    },
  };
}
