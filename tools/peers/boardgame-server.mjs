/** A boardgame.io server, started by boardgame.ts: in memory, or on PostgreSQL if DATABASE_URL is set. */
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { game } from './boardgame-game.mjs';

const require = createRequire(process.env.PEERS_PACKAGE);
const { Server } = require('boardgame.io/server');

function store() {
  if (!process.env.DATABASE_URL) return undefined;
  const { PostgresStore } = require('bgio-postgres');
  return new PostgresStore(process.env.DATABASE_URL, { logging: false, pool: { max: 16, min: 2 } });
}

const freePort = () =>
  new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });

const server = Server({ games: [game], db: store(), origins: ['http://127.0.0.1'] });
// With the koa-compose of a fresh install, routes that are added after the sockets are never reached, so the lobby's
// API needs its own port.
const apiPort = await freePort();
const { appServer } = await server.run({ port: 0, lobbyConfig: { apiPort } });
console.log(`READY ${JSON.stringify({ port: appServer.address().port, apiPort })}`);
process.on('SIGINT', () => process.exit(0));
