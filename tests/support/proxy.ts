import { once } from 'node:events';
import net from 'node:net';
import { freePort } from './programs.ts';

/** A proxy between a server and its PostgreSQL, which can cut off or delay the database at a chosen moment. */
export interface DatabaseProxy {
  url: string;
  /** Refuses new connections and closes the existing ones. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** Statements still arrive and are carried out; their answers wait until `release`. */
  hold(): void;
  release(): void;
  readonly connections: number;
  close(): Promise<void>;
}

function upstreamOf(databaseUrl: string): { path: string; database: string } {
  const url = new URL(databaseUrl);
  return { path: `${url.searchParams.get('host')}/.s.PGSQL.5432`, database: url.pathname };
}

export async function databaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const { path, database } = upstreamOf(databaseUrl);
  const open = new Set<net.Socket>();
  let held: (() => void)[] | undefined;
  const port = await freePort(); // nobody else gets it while the line is cut

  const connect = (client: net.Socket) => {
    const upstream = net.connect(path);
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (data) => {
      if (held) held.push(() => client.write(data));
      else client.write(data);
    });
  };
  let server: net.Server | undefined;
  const listen = async () => {
    server = net.createServer(connect).listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const cut = async () => {
    const closed = server && once(server, 'close');
    server?.close();
    for (const socket of open) socket.destroy();
    await closed;
    server = undefined;
  };
  await listen();
  return {
    url: `postgresql://postgres@127.0.0.1:${port}${database}`,
    cut,
    restore: listen,
    hold() {
      held = [];
    },
    release() {
      for (const write of held ?? []) write();
      held = undefined;
    },
    get connections() {
      return open.size / 2;
    },
    close: cut,
  };
}
