import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { MercuriusLoaders } from 'mercurius';
import { openThinker } from '../bots/thinker.ts';
import type { Config } from '../config.ts';
import type { Database } from '../database/pool.ts';
import { AtollError } from '../errors.ts';
import { registry as allGames, type Registry } from '../games/registry.ts';
import { openBots } from '../matches/bots.ts';
import { openLive } from '../matches/live.ts';
import type { Match } from '../matches/match.ts';
import { openMemo } from '../matches/memo.ts';
import { openMatches } from '../matches/service.ts';
import { openStore } from '../matches/store.ts';
import { openSweeper, type Sweeper } from '../matches/sweep.ts';
import { gauge, type Metrics } from '../metrics.ts';
import { outbox } from '../notices/outbox.ts';
import { type Notices, type NoticesParts, openNotices } from '../notices/service.ts';
import { openPlayers, type Player, type Players } from '../players/service.ts';
import { type Cap, rateLimit } from './admission.ts';
import type { Authenticate, Connections, Headers } from './connections.ts';
import type { Context, Viewer } from './context.ts';
import type { RateLimits } from './identity.ts';
import { loadersOf, resolversOf, type Services } from './resolvers.ts';
import { rest } from './rest.ts';
import { readSchema } from './schema.ts';

/** For routes that answer with event streams. */
export interface RestOptions {
  connections: Connections;
  subscriptions: Cap;
}

/** What the server shows to callers. */
export interface Face {
  /** The SDL. */
  schema: string;
  resolvers: object;
  loaders?: MercuriusLoaders;
  rest: FastifyPluginAsync<RestOptions>;
  authenticate: Authenticate;
  /** Made anew for each GraphQL operation. */
  context(viewer: Viewer | undefined, request: FastifyRequest): Context;
  close?(): Promise<void>;
}

export interface FaceParts {
  config: Config;
  database: Database;
  metrics: Metrics;
  limits: RateLimits;
  registry?: Registry;
  warn?: (message: string, error?: unknown) => void;
  /** Hears of every attempt to deliver a notice. */
  inform?: (fields: object, message: string) => void;
  /** For tests that cannot wait, or have no DNS. */
  notices?: Partial<NoticesParts>;
}

/** Pings and redeliveries that a player may ask for in a minute: each is a request to somebody else's server. */
const SENDS_PER_MINUTE = 30;
/** Proving a match takes as long as playing it. */
const IMPORTS_PER_MINUTE = 20;

/** The services behind the API, wired together, and the two faces they show. */
export async function createFace(parts: FaceParts): Promise<Face> {
  const { config, database, metrics, limits, registry = allGames, warn = () => {} } = parts;
  let notices: Notices | undefined;
  const store = openStore(database, {
    onAppend: (seconds) => metrics.appends.observe(seconds),
    beside: outbox(() => notices?.wake()),
  });
  const memo = openMemo(registry, store, config.MEMO_MATCHES, (outcome) => metrics.memo.inc({ outcome }));
  const live = await openLive({ url: database.url, versions: (ids) => store.versions(ids), warn });
  gauge(metrics, 'atoll_memo_matches', 'Matches kept in memory', () => memo.size);
  gauge(metrics, 'atoll_watchers', 'Who is told of events and turns', () => live.watchers);
  const onSubmission = (outcome: string) => metrics.submissions.inc({ outcome });
  let sweeper: Sweeper | undefined;
  const now = () => sweeper?.now() ?? new Date();
  const onCommit = (match: Match) => bots.consider(match);
  const mayImport = rateLimit(IMPORTS_PER_MINUTE);
  const onImport = ({ id }: Player) => mayImport(id);
  const matches = openMatches({ registry, store, memo, live, now, onSubmission, onCommit, onImport });
  const thinker = openThinker(config.BOT_THREADS > 0 ? { threads: config.BOT_THREADS } : {});
  const bots = openBots({ matches, store, memo, thinker, warn });
  const forgetClocks = () => memo.forget(({ clock }) => clock !== null);
  sweeper = await openSweeper(database, { store, matches, bots, forgetClocks, warn });
  const players = openPlayers(database);
  notices = await openNotices({
    config,
    database,
    registry,
    matches,
    metrics,
    limit: rateLimit(SENDS_PER_MINUTE),
    warn,
    ...(parts.inform && { inform: parts.inform }),
    ...parts.notices,
  });
  const services: Services = { registry, matches, players, notices, limits };
  return {
    schema: readSchema(),
    resolvers: resolversOf(services),
    loaders: loadersOf(services) as unknown as MercuriusLoaders,
    async rest(app, options) {
      // Notices under way get as long as requests under way.
      app.addHook('preClose', async () => void services.notices.close());
      await app.register(rest, { prefix: '/v1', services, ...options });
    },
    authenticate: (headers, beforeLookUp) => authenticate(players, headers, beforeLookUp),
    context: (viewer, request) => ({ viewer, request }),
    async close() {
      await sweeper?.close();
      await bots.close();
      await services.notices.close();
      await live.close();
    },
  };
}

async function authenticate(
  players: Players,
  { authorization }: Headers,
  beforeLookUp?: () => void,
): Promise<Viewer | undefined> {
  if (authorization === undefined) return undefined;
  const token = /^Bearer ([\w-]{1,200})$/i.exec(String(authorization))?.[1];
  const viewer = token && (await players.authenticate(token, beforeLookUp));
  if (viewer) return viewer;
  throw new AtollError('UNAUTHENTICATED', 'This token is not valid: it was revoked, or never was one');
}
