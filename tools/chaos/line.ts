/** The network between an instance and a database, which can be cut or made to swallow everything. */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

export interface Line {
  port: number;
  /** Ends every connection. */
  cut(): void;
  /**
   * From now on nothing arrives on the open connections, and none of them ends. If `newOnesToo`, this includes new
   * ones.
   */
  swallow(newOnesToo: boolean): void;
  /** New connections work again; those that were swallowed stay dead. */
  heal(): void;
  close(): void;
}

export async function openLine(port: number): Promise<Line> {
  const open = new Set<{ dead: boolean; ends: net.Socket[] }>();
  let swallowing = false;
  const server = net.createServer((near) => {
    const connection = { dead: swallowing, ends: [near] };
    open.add(connection);
    near.on('error', () => {});
    near.on('close', () => {
      open.delete(connection);
      for (const end of connection.ends) end.destroy();
    });
    const far = net.connect(port, '127.0.0.1');
    connection.ends.push(far);
    far.on('error', () => {});
    far.on('close', () => {
      if (!connection.dead) near.destroy();
    });
    near.on('data', (data) => connection.dead || far.write(data));
    far.on('data', (data) => connection.dead || near.write(data));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = () => {
    for (const { ends } of open) for (const end of ends) end.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    swallow(newOnesToo) {
      swallowing = newOnesToo;
      for (const connection of open) connection.dead = true;
    },
    heal() {
      swallowing = false;
    },
    close() {
      server.close();
      cut();
    },
  };
}
