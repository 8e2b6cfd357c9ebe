/** Browsers that are signed in. A session is a random text in a cookie; only its hash is stored. */
import type { Database } from '../../database/pool.ts';
import { refusals } from '../../errors.ts';
import { isId, newId } from '../../id.ts';
import { type Transaction, withPlayerLocked } from '../locked.ts';
import { type Player, SCOPES, type Viewer } from '../player.ts';
import { playerOf, shownPlayer } from '../rows.ts';
import { openTokenCache, type TokenCache } from '../tokens/cache.ts';
import { newSecret, sha256 } from './codes.ts';

export interface Session {
  id: string;
  /** The browser and the operating system, as far as they are known. */
  device: string;
  createdAt: Date;
  /** Accurate to ten minutes. */
  lastUsedAt: Date;
  expiresAt: Date;
}

export interface Sessions {
  /** Resolves to null if there is no such session or it has ended. Otherwise as for tokens. */
  viewerOf: TokenCache['viewerOf'];
  /** To be called after something about these viewers has changed in the database. */
  forget: TokenCache['forget'];
  /** Starts a session with a new secret, and ends the session that the browser had before, given as `instead`. */
  start(player: Player, device: string, instead?: string): Promise<string>;
  /** The active sessions, most recently used first. */
  list(player: Player): Promise<Session[]>;
  end(player: Player, id: string): Promise<Session>;
  /** Returns the number of sessions that were ended. */
  endAll(player: Player): Promise<number>;
}

const DAY_MS = 24 * 3_600_000;
/** A session ends when it has not been used for this long. */
export const SESSION_MS = 90 * DAY_MS;
/** How accurately the last use is recorded. */
const USE_MS = 10 * 60_000;
/** A player who signs in more often loses the session that has been unused for longest. */
const MAX_SESSIONS = 50;

const shownSession = { id: true, device: true, createdAt: true, lastUsedAt: true, expiresAt: true } as const;

export function openSessions(database: Database, now: () => number = Date.now): Sessions {
  const { prisma } = database;
  async function lookUp(secret: string): Promise<Viewer | null> {
    const time = now();
    const found = await prisma.session.findUnique({
      where: { hash: sha256(secret), expiresAt: { gt: new Date(time) } },
      select: { id: true, lastUsedAt: true, player: { select: shownPlayer } },
    });
    if (!found) return null;
    if (found.lastUsedAt.getTime() < time - USE_MS)
      await prisma.session.updateMany({
        where: { id: found.id },
        data: { lastUsedAt: new Date(time), expiresAt: new Date(time + SESSION_MS) },
      });
    const all = { scopes: SCOPES, expiresAt: null };
    return { ...playerOf(found.player), ...all, tokenId: null, sessionId: found.id };
  }
  const cache = openTokenCache(lookUp, now);

  async function makeRoom(tx: Transaction, playerId: string): Promise<void> {
    const surplus = await tx.session.findMany({
      where: { playerId },
      orderBy: { lastUsedAt: 'desc' },
      skip: MAX_SESSIONS - 1,
      select: { id: true },
    });
    if (surplus.length > 0) await tx.session.deleteMany({ where: { id: { in: surplus.map(({ id }) => id) } } });
  }

  return {
    viewerOf: cache.viewerOf,
    forget: cache.forget,

    async start({ id: playerId }, device, instead) {
      const secret = newSecret();
      const time = now();
      const dates = {
        createdAt: new Date(time),
        lastUsedAt: new Date(time),
        expiresAt: new Date(time + SESSION_MS),
      };
      await withPlayerLocked(database, playerId, async (tx) => {
        await makeRoom(tx, playerId);
        await tx.session.create({ data: { id: newId(), playerId, hash: sha256(secret), device, ...dates } });
      });
      if (instead !== undefined) {
        const hash = sha256(instead);
        const ended = await prisma.session.findUnique({ where: { hash }, select: { id: true } });
        await prisma.session.deleteMany({ where: { hash } });
        cache.forget(({ sessionId }) => ended !== null && sessionId === ended.id);
      }
      return secret;
    },

    list: ({ id }) =>
      prisma.session.findMany({
        where: { playerId: id, expiresAt: { gt: new Date(now()) } },
        orderBy: [{ lastUsedAt: 'desc' }, { id: 'desc' }],
        select: shownSession,
      }),

    async end(player, id) {
      const mine = isId(id) && (await prisma.session.findFirst({ where: { id, playerId: player.id } }));
      if (!mine) throw refusals.noSuch('session');
      const ended = await prisma.session.delete({ where: { id }, select: shownSession });
      cache.forget(({ sessionId }) => sessionId === id);
      return ended;
    },

    async endAll(player) {
      const { count } = await prisma.session.deleteMany({ where: { playerId: player.id } });
      cache.forget(({ id }) => id === player.id);
      return count;
    },
  };
}

const BROWSERS: [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Names a browser by its user agent: precisely enough for its owner, and no more. */
export function deviceOf(userAgent: string | undefined): string {
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'A browser';
}
