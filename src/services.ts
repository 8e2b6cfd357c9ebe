/** The composition root: every part behind the API, made once, each after the parts that it needs. */
import type { RateLimits } from './api/http/callers/identity.ts';
import { openThinker, type ThinkerOptions } from './bots/thinker.ts';
import type { Bus } from './bus/bus.ts';
import type { Config } from './config.ts';
import type { Database } from './database/pool.ts';
import { type DatabaseTime, databaseTime } from './database/time.ts';
import { registry as allGames, type Registry } from './games/registry.ts';
import { listeners } from './listeners.ts';
import { eventsOfPlayer, type OnArchiveRead, openArchives } from './matches/archive/reader.ts';
import { lengthsOf } from './matches/commands/lengths.ts';
import { openBots } from './matches/live/bot-turns.ts';
import { type Live, openLive } from './matches/live/hints.ts';
import type { Place } from './matches/live/siblings.ts';
import { openSweeper } from './matches/live/sweep.ts';
import { type Memo, openMemo } from './matches/log/memo.ts';
import type { Match } from './matches/log/records.ts';
import { openStore, type Store } from './matches/log/store.ts';
import type { Matches } from './matches/matches.ts';
import { openProver } from './matches/proof/prover.ts';
import { openMatches } from './matches/service.ts';
import { gauge, type Metrics } from './metrics.ts';
import { openMail, signInLink, signInMail } from './notices/mail.ts';
import { outbox } from './notices/outbox.ts';
import { openServerKeys, type ServerKeys } from './notices/push.ts';
import { type Notices, type NoticesParts, openNotices } from './notices/service.ts';
import { openPictures, type Pictures } from './pictures/png.ts';
import { type AccountDocument, exportAccount } from './players/account-export.ts';
import { type Apps, openApps } from './players/apps/apps.ts';
import { type Bans, openBans } from './players/bans.ts';
import type { Player } from './players/player.ts';
import { openPresence, type Presence } from './players/presence.ts';
import { openProfiles, type Profiles } from './players/profiles.ts';
import { openReports, type ReportMail, type Reports } from './players/reports.ts';
import { openPlayers, type Players } from './players/service.ts';
import { type Accounts, openAccounts } from './players/sign-in/accounts.ts';
import type { SendSignIn } from './players/sign-in/email.ts';
import { openTickets, type Tickets } from './players/tokens/tickets.ts';
import { openTokens, type Tokens } from './players/tokens/tokens.ts';
import { openTokenUses, type TokenUses } from './players/tokens/uses.ts';
import { openQuotas, type Quotas } from './quotas.ts';
import { threadModule } from './root.ts';
import type { Tracing } from './tracing.ts';
import { oneAtATime } from './turns.ts';

/** The parts that the API is made of. */
export interface Services {
  /** The address at which people reach this server, if it is configured. */
  publicUrl: string | undefined;
  registry: Registry;
  matches: Matches;
  players: Players;
  tokens: Tokens;
  tokenUses: TokenUses;
  tickets: Tickets;
  /** How people keep an account and sign in to it again. */
  accounts: Accounts;
  /** Third-party apps that players allow to act for them. */
  apps: Apps;
  profiles: Profiles;
  presence: Presence;
  bans: Bans;
  reports: Reports;
  /** Everything that is stored about a player. */
  exportAccount(player: Player): Promise<AccountDocument>;
  notices: Notices;
  limits: RateLimits;
  quotas: Quotas;
  pictures: Pictures;
  /** Somebody who played this match here does so at another worker of this machine from now on. */
  playedElsewhere: Live['playedElsewhere'];
  /** Ends everything that runs without a request, and waits for it. */
  close(): Promise<void>;
}

export interface ServiceParts {
  config: Config;
  database: Database;
  metrics: Metrics;
  limits: RateLimits;
  /** Closed by the code that made it. */
  bus?: Bus | undefined;
  /** Where this process finds the other workers of this machine, if there are any. */
  siblings?: Place | undefined;
  /** Unset: no traces are wanted. Closed by whoever made it. */
  tracing?: Tracing | undefined;
  /** Resolves when requests are served. What none of them needs is begun then. Unset: at once. */
  serving?: Promise<unknown> | undefined;
  registry?: Registry;
  warn?: (message: string, error?: unknown) => void;
  /** Called for every attempt to deliver a notice. */
  inform?: (fields: object, message: string) => void;
  /** Called for what an operator must look into. */
  alarm?: (fields: object, message: string) => void;
  /** Overrides for tests. */
  notices?: Partial<NoticesParts>;
  bans?: { everyMs: number };
  thinking?: Pick<ThinkerOptions, 'budgets' | 'module'>;
}

/** How many pings and redeliveries a player may request in a minute: each is a request to another server. */
const SENDS_PER_MINUTE = 30;
/** Proving a match takes as long as playing it. */
const IMPORTS_PER_MINUTE = 20;

const CUT_BACK =
  'HISTORY WAS LOST: the database does not have acknowledged events of this match, as after a failover to a ' +
  'standby that was behind';

const ARCHIVE_UNREADABLE =
  'A LOG CANNOT BE READ from cold storage: put its file back from a copy, or set COLD_STORAGE to where it lies';

const FORGET_MS = 3_600_000;

interface Wiring extends ServiceParts {
  registry: Registry;
  warn: (message: string, error?: unknown) => void;
}

export async function openServices(given: ServiceParts): Promise<Services> {
  const parts = { ...given, registry: given.registry ?? allGames, warn: given.warn ?? (() => {}) };
  const { config, database, metrics, limits, registry, warn } = parts;
  const noticesWritten = listeners<void>();
  const quotas = openQuotas(database.pool, config);
  const time = databaseTime();
  const tables = await openTables(parts, time, quotas, noticesWritten.tell);
  const { matches } = tables;
  const pushKeys = await openServerKeys(config, database);
  const people = await openPeople(parts, time, matches, pushKeys);
  const notices = await openNotices({
    config,
    database,
    registry,
    matches,
    metrics,
    pushKeys,
    tracing: parts.tracing,
    serving: parts.serving,
    limit: limits.perMinute('send', SENDS_PER_MINUTE),
    warn,
    ...(parts.inform && { inform: parts.inform }),
    ...parts.notices,
  });
  noticesWritten.add(notices.wake);
  const mail = operatorMail(config);
  const reports = openReports({ database, count: quotas.reporting, seeMatch: matches.see, mail, warn });
  const pictures = openPictures();
  const archives = openArchives(database, archiveReads(metrics, parts.alarm));
  const forgetting = forgetRegularly(quotas, people, warn);
  return {
    publicUrl: config.PUBLIC_URL,
    registry,
    matches,
    ...people.services,
    reports,
    async exportAccount(player) {
      await quotas.exportingAccount(player.id);
      // Each holds up to 100,000 rows of a table in memory.
      return oneAtATime('account exports', () =>
        exportAccount(database.pool, player, eventsOfPlayer(database, archives, player.id)),
      );
    },
    notices,
    limits,
    quotas,
    pictures,
    playedElsewhere: tables.playedElsewhere,
    async close() {
      clearInterval(forgetting);
      // In parallel, because each may have to wait for a statement that the database does not answer.
      await Promise.all([pictures.close(), tables.stop(), notices.close()]);
      await Promise.all([people.close(), tables.close()]);
    },
  };
}

/** The log, the memory and the hints; matches and their commands; and bots and clocks, which act by themselves. */
async function openTables(
  { config, database, bus, siblings, tracing, metrics, limits, registry, warn, alarm = () => {}, thinking }: Wiring,
  time: DatabaseTime,
  quotas: Quotas,
  onNotices: () => void,
) {
  const committed = listeners<Match>();
  const onArchiveRead = archiveReads(metrics, alarm);
  const around: Tracing['around'] = tracing?.around ?? ((object) => object);
  const log = openStore(database, {
    onAppend: (seconds) => metrics.appends.observe(seconds),
    alsoWrite: outbox(onNotices),
    onArchiveRead,
  });
  const store = around(log, { append: 'match append', create: 'match create' });
  const memory = openMemo(registry, store, config.MEMO_MATCHES, {
    count: (outcome) => metrics.memo.inc(outcome),
    onCutBack(remembered, now) {
      metrics.cutBacks.inc();
      alarm({ match: remembered.id, remembered: remembered.version, version: now?.version ?? 0 }, CUT_BACK);
      live.cutBack(remembered.id, now?.version ?? 0);
    },
  });
  const memo = around(memory, { fresh: 'match load', recall: 'match recall', reach: 'match catch up' });
  const hints = await openLive({
    url: database.url,
    bus,
    siblings: siblings && {
      ...siblings,
      mostUsed: config.MEMO_MATCHES,
      remembered: memory.versionOf,
      take: memory.take,
    },
    count: (way, direction) => metrics.hints.inc({ way, direction }),
    versions: (ids) => store.versions(ids),
    onPolled: (id, version) => memo.check(id, version),
    forget: (id) => memo.forget((match) => (id === null ? match.invite !== null : match.id === id)),
    onLost: database.reconnect,
    warn,
  });
  const live = around(hints, { tell: 'match tell' });
  const lengths = lengthsOf({
    events: config.MAX_MATCH_EVENTS,
    orders: config.MAX_ORDERS_PER_SEAT,
    undos: config.MAX_UNDOS_PER_SEAT,
  });
  // The thread knows only the games of this server; tests have others.
  const prover = registry === allGames ? openProver() : undefined;
  const mayImport = limits.perMinute('import', IMPORTS_PER_MINUTE);
  const plain = openMatches({
    pool: database.pool,
    registry,
    store,
    memo,
    live,
    now: time.now,
    quotas,
    lengths,
    ...(prover && { prover }),
    onSubmission: (outcome) => metrics.submissions.inc(outcome),
    onCommit: committed.tell,
    onImport: ({ id }: Player) => mayImport(id),
  });
  const matches = around(plain, { submit: 'match submit' });

  const module = threadModule('bots/worker');
  const threads = openThinker({
    module,
    ...(config.BOT_THREADS > 0 && { threads: config.BOT_THREADS }),
    ...thinking,
  });
  const thinker = around(threads, { decide: 'bot decide' });
  const bots = openBots({ matches, store, memo, thinker, warn, isFull: lengths.isFull });
  committed.add(bots.consider);
  const forgetClocks = () => memo.forget(({ clock }) => clock !== null);
  const sweeper = await openSweeper(database, { store, matches, bots, time, forgetClocks, warn });

  gaugeTables(metrics, database, store, memo, live);
  if (bus) gaugeBus(metrics, bus);
  return {
    matches,
    playedElsewhere: live.playedElsewhere,
    /** Stops everything that acts by itself. */
    stop: () => Promise.all([prover?.close(), sweeper.close(), bots.close()]),
    close: () => live.close(),
  };
}

function archiveReads({ archiveReads: count }: Metrics, alarm: ServiceParts['alarm'] = () => {}): OnArchiveRead {
  return ({ fault, ...read }) => {
    count.inc({ outcome: fault === undefined ? 'read' : 'failed' });
    if (fault !== undefined) alarm({ ...read, fault }, ARCHIVE_UNREADABLE);
  };
}

function gaugeTables(metrics: Metrics, { writes }: Database, store: Store, memo: Memo, live: Live): void {
  gauge(metrics, 'atoll_append_queue', 'Appends to the log that wait for their turn', () => store.waiting);
  gauge(metrics, 'atoll_writes_stalled', '1 while the database confirms no changes', () => Number(writes.areStalled));
  gauge(metrics, 'atoll_memo_matches', 'Matches kept in memory', () => memo.size);
  gauge(metrics, 'atoll_memo_events', 'Events of the matches kept in memory', () => memo.events);
  gauge(
    metrics,
    'atoll_siblings',
    'Other workers of this machine that are told of events directly',
    () => live.siblings,
  );
  gauge(metrics, 'atoll_watchers', 'Open watchers of events and turns', () => live.watchers);
}

function gaugeBus(metrics: Metrics, bus: Bus): void {
  const connected =
    '1 while the message bus is connected; otherwise hints go through the database, limits are per process';
  gauge(metrics, 'atoll_bus_connected', connected, () => Number(bus.isConnected));
  gauge(metrics, 'atoll_bus_losses', 'How often the message bus was lost since the start', () => bus.losses);
}

/** Accounts, and everything that allows somebody to act for one. */
async function openPeople(
  { config, database, warn, bans: bansParts }: Wiring,
  time: DatabaseTime,
  matches: Matches,
  pushKeys: ServerKeys,
) {
  // Expiry follows the database's clock: on a machine whose clock is wrong, a revoked token could otherwise stay valid
  // for hours.
  const now = () => time.now().getTime();
  const tokenUses = openTokenUses(database, now, warn);
  const tokens = openTokens(database, now, tokenUses);
  // The push key is a secret that all servers on a database already share.
  const tickets = openTickets(database, pushKeys.privateKey, now);
  const bans = await openBans({ pool: database.pool, warn, now, ...bansParts });
  const apps = openApps(database, tokens, { tokenUses, checkBan: bans.check }, now);
  const accounts = openAccounts({ database, tokens, apps, send: signInMails(config), warn, now });
  const profiles = openProfiles(database);
  const presence = openPresence({ ...database, warn, now });
  const players = withoutSeats(openPlayers(database, now, tokens), matches, async ({ id }) => {
    accounts.sessions.forget((viewer) => viewer.id === id);
    await profiles.forget(id);
  });
  return {
    services: { players, tokens, tokenUses, tickets, accounts, apps, profiles, presence, bans },
    async close() {
      bans.close();
      await presence.close();
      await Promise.all([accounts.close(), tokenUses.close()]);
    },
  };
}

type People = Awaited<ReturnType<typeof openPeople>>;

/** Regularly deletes what is kept only for a while. */
function forgetRegularly(quotas: Quotas, { services: { accounts, apps } }: People, warn: Wiring['warn']) {
  const forget = () => {
    quotas.sweep().catch((error) => warn('old counts of quotas could not be deleted', error));
    accounts.sweep().catch((error) => warn('old sessions and challenges could not be deleted', error));
    apps.sweep().catch((error) => warn('old permissions of apps could not be deleted', error));
  };
  return setInterval(forget, FORGET_MS).unref();
}

/** Null if the operator is not mailed. */
function operatorMail(config: Config): ((mail: ReportMail) => Promise<void>) | null {
  const send = openMail(config);
  const to = config.OPERATOR_EMAIL;
  return send && to ? (mail) => send({ to, ...mail, headers: { 'Auto-Submitted': 'auto-generated' } }) : null;
}

/** Deleting an account also gives up its seats, so that nobody waits for a player who cannot come back. */
export function withoutSeats(players: Players, matches: Matches, forget: (player: Player) => Promise<void>): Players {
  return {
    ...players,
    async remove(player) {
      await matches.abandon(player);
      const removed = await players.remove(player);
      await forget(player);
      await matches.abandon(player); // the player may have sat down somewhere meanwhile, but no longer can
      return removed;
    },
  };
}

/** Null if this server sends no mail. */
function signInMails(config: Config): SendSignIn {
  const sendMail = openMail(config);
  return sendMail && ((to, name, code, secret) => sendMail(signInMail(to, name, code, signInLink(config, secret))));
}
