/** Inspects a process that was started with --inspect: how much of its heap is really in use. */
import WebSocket from 'ws';

export interface Heap {
  /** The bytes in use after a full collection. */
  used(): Promise<number>;
  close(): void;
}

export async function inspectHeap(port: number): Promise<Heap> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl as string);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let asked = 0;
  const call = (method: string) =>
    new Promise<{ usedSize?: number; embedderHeapUsedSize?: number; backingStorageSize?: number }>((resolve) => {
      const id = ++asked;
      const answered = (text: unknown) => {
        const message = JSON.parse(String(text)) as { id?: number; result?: { usedSize?: number } };
        if (message.id !== id) return;
        socket.off('message', answered);
        resolve(message.result ?? {});
      };
      socket.on('message', answered);
      socket.send(JSON.stringify({ id, method }));
    });
  return {
    async used() {
      for (let i = 0; i < 3; i++) await call('HeapProfiler.collectGarbage');
      const { usedSize = 0, backingStorageSize = 0 } = await call('Runtime.getHeapUsage');
      return usedSize + backingStorageSize;
    },
    close: () => socket.terminate(),
  };
}
