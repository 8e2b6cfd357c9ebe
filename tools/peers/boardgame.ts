/**
 * boardgame.io under the same load as Atoll: two clients per match, each on its own socket. A move is timed until the
 * opponent's client has the new state. Started by peers.ts, which passes all parameters in the environment; prints one
 * line.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runLoad } from '../bench/load.ts';
import { residentMb } from '../bench/meter.ts';
import { bareClients, officialClients, type Player } from './boardgame-clients.ts';

const { DATABASE_URL, MATCHES, SECONDS, WARMUP, RATE, CLIENTS } = process.env as Record<string, string>;
const matches = Number(MATCHES);
const connect = CLIENTS === 'bare' ? bareClients() : await officialClients();

interface Ports {
  port: number;
  apiPort: number;
}

async function startServer(): Promise<{ server: ChildProcess; ports: Ports }> {
  const file = fileURLToPath(new URL('boardgame-server.mjs', import.meta.url));
  const server = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => server.kill('SIGKILL'));
  let output = '';
  for await (const chunk of server.stdout) {
    output += chunk;
    const ready = /READY (\{.*\})/.exec(output)?.[1];
    if (ready) {
      server.stdout.resume();
      return { server, ports: JSON.parse(ready) as Ports };
    }
  }
  throw new Error('boardgame.io did not start');
}

async function post<T>(apiPort: number, path: string, body: object): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${apiPort}/games/bench/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return (await answer.json()) as T;
}

/** Both join before either connects: with a store that is not in memory, a connection in between can undo a join. */
async function openMatch({ port, apiPort }: Ports): Promise<[Player, Player]> {
  const { matchID } = await post<{ matchID: string }>(apiPort, 'create', { numPlayers: 2 });
  const credentials: string[] = [];
  for (const playerID of ['0', '1']) {
    const joined = await post<{ playerCredentials: string }>(apiPort, `${matchID}/join`, { playerID, playerName: 'p' });
    credentials.push(joined.playerCredentials);
  }
  return credentials.map((secret, i) => connect({ port, matchID, playerID: String(i), credentials: secret })) as [
    Player,
    Player,
  ];
}

const { server, ports } = await startServer();
const tables: [Player, Player][] = [];
for (let i = 0; i < matches; i++) tables.push(await openMatch(ports));
for (let tries = 0; tables.flat().some(({ counter }) => counter < 50); tries++) {
  if (tries > 300) throw new Error('the clients of boardgame.io did not connect');
  await sleep(50);
}
await sleep(300);

const moved = tables.map(() => 0);
const measured = await runLoad({
  matches,
  seconds: Number(SECONDS),
  warmupSeconds: Number(WARMUP),
  rate: Number(RATE),
  processes: { server: server.pid as number },
  move: (match) =>
    new Promise((seen) => {
      const n = moved[match] as number;
      moved[match] = n + 1;
      const [mover, opponent] = n % 2 === 0 ? [0, 1] : [1, 0];
      const players = tables[match] as [Player, Player];
      players[opponent as 0 | 1].awaited = { counter: 50 + n + 1, seen };
      players[mover as 0 | 1].play(n % 19, (n * 7) % 19);
    }),
});
console.log(
  JSON.stringify({
    ...measured,
    serverMb: residentMb(server.pid as number),
    store: DATABASE_URL ? 'PostgreSQL' : 'memory',
  }),
);
for (const player of tables.flat()) player.stop();
server.kill('SIGINT');
await once(server, 'exit');
process.exit(0);
