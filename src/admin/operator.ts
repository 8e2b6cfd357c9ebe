/** What an operator can do to players and matches while any number of servers run. Every change is recorded. */
import { randomBytes } from '../crypto.ts';
import type { Database } from '../database/pool.ts';
import { refusals } from '../errors.ts';
import type { Registry } from '../games/registry.ts';
import { isId } from '../id.ts';
import { tellAll } from '../matches/live/channel.ts';
import { type Live, ROW_CHANGED } from '../matches/live/hints.ts';
import type { Hint } from '../matches/live/watchers.ts';
import { openMemo } from '../matches/log/memo.ts';
import { openStore } from '../matches/log/store.ts';
import type { Matches } from '../matches/matches.ts';
import { openMatches } from '../matches/service.ts';
import { outbox } from '../notices/outbox.ts';
import { cleanName } from '../players/name.ts';
import type { Player } from '../players/player.ts';
import { openProfiles } from '../players/profiles.ts';
import { playerOf, shownPlayer } from '../players/rows.ts';
import { openPlayers, type Players } from '../players/service.ts';
import { skeleton } from '../players/skeleton.ts';
import { withoutSeats } from '../services.ts';
import { type Deed, recording } from './audit.ts';

export interface Operator {
  /** Finds a player by id, or by name with or without a tag. */
  player(text: string): Promise<Player>;
  ban(player: Player, reason: string, until: Date | null, giveUp: boolean): Promise<void>;
  unban(player: Player): Promise<boolean>;
  rename(player: Player, name: string): Promise<Player>;
  /** Deletes the account, as its player could. Matches of other players stay. */
  close(player: Player): Promise<void>;
  cancel(matchId: string, reason: string): Promise<void>;
  /** Returns the new invite. */
  rotateInvite(matchId: string): Promise<string>;
  /** Revokes all tokens, or only this one. Returns how many were revoked. */
  revokeTokens(player: Player, tokenId?: string): Promise<number>;
  closeReport(reportId: string, note: string): Promise<void>;
}

const MEMO_MATCHES = 16;
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** In this process nobody watches matches. Hints are collected, and sent to the servers when the command is done. */
function silentLive(hints: Hint[]): Live {
  const nobody = () => {
    throw new Error('matches cannot be watched by a command of an operator');
  };
  return {
    tell: (hint) => void hints.push(hint),
    watchMatch: nobody,
    watchTurns: nobody,
    playedElsewhere: () => {},
    cutBack: () => {},
    watchers: 0,
    reconnects: 0,
    siblings: 0,
    close: async () => {},
  };
}

interface Desk {
  database: Database;
  matches: Matches;
  players: Players;
  /** Records a deed in the audit. */
  record(deed: Deed): ReturnType<typeof recording>;
  /** Sends the collected hints to the servers. */
  tell(): Promise<void>;
}

export function openOperator(database: Database, registry: Registry, operator: string): Operator {
  const { prisma, pool } = database;
  const hints: Hint[] = [];
  const store = openStore(database, { alsoWrite: outbox(() => {}) });
  const memo = openMemo(registry, store, MEMO_MATCHES);
  const matches = openMatches({ pool, registry, store, memo, live: silentLive(hints) });
  const profiles = openProfiles(database);
  const players = withoutSeats(openPlayers(database), matches, ({ id }) => profiles.forget(id));
  const record = (deed: Deed) => recording(prisma, operator, deed);
  const tell = () => tellAll(pool, hints.splice(0));

  const desk = { database, matches, players, record, tell };
  return { player: (text) => findPlayer(database, text), ...onPlayers(desk), ...onMatches(desk) };
}

async function findPlayer(database: Database, text: string): Promise<Player> {
  const [row] = isId(text)
    ? await database.prisma.player.findMany({ where: { id: text }, select: shownPlayer })
    : await playersNamed(database, text);
  if (!row) throw refusals.noSuchPlayer();
  return playerOf(row);
}

function onPlayers(desk: Desk): Pick<Operator, 'ban' | 'unban' | 'rename' | 'close' | 'revokeTokens'> {
  const { database, matches, players, record, tell } = desk;
  const { prisma } = database;
  return {
    async ban({ id: playerId }, reason, until, giveUp) {
      const data = { reason, until, at: new Date() };
      await prisma.$transaction([
        prisma.ban.upsert({ where: { playerId }, create: { playerId, ...data }, update: data }),
        record({ action: 'ban', playerId, details: { reason, until: until?.toISOString() ?? null, giveUp } }),
      ]);
      if (giveUp) await matches.abandon(await findPlayer(database, playerId));
      await tell();
    },

    async unban({ id: playerId }) {
      const { count } = await prisma.ban.deleteMany({ where: { playerId } });
      if (count > 0) await record({ action: 'unban', playerId });
      return count > 0;
    },

    async rename({ id, name: old }, name) {
      const clean = cleanName(name);
      const look = skeleton(clean);
      const row = await prisma.player.findUniqueOrThrow({ where: { id }, select: shownPlayer });
      const owner = await prisma.player.findUnique({ where: { skeleton: look }, select: { id: true } });
      if (row.kind === 'BOT') throw refusals.botsKeepTheirNames();
      if (owner && owner.id !== id) throw refusals.nameTaken();
      const [renamed] = await prisma.$transaction([
        prisma.player.update({
          where: { id },
          data: { name: clean, skeleton: row.skeleton === null ? null : look },
          select: shownPlayer,
        }),
        record({ action: 'rename', playerId: id, details: { from: old, to: clean } }),
      ]);
      return playerOf(renamed);
    },

    async close(player) {
      await players.remove(player);
      await record({ action: 'close', playerId: player.id, details: { name: player.name } });
      await tell();
    },

    async revokeTokens({ id: playerId }, tokenId) {
      if (tokenId !== undefined && !isId(tokenId)) throw refusals.noSuchToken();
      const all = tokenId === undefined ? playerId : NOBODY;
      const where = { playerId, revokedAt: null, ...(tokenId !== undefined && { id: tokenId }) };
      const [{ count }] = await prisma.$transaction([
        prisma.token.updateMany({ where, data: { revokedAt: new Date() } }),
        // A player who has lost all tokens is also signed out of all browsers, and apps get no new tokens.
        prisma.session.deleteMany({ where: { playerId: all } }),
        prisma.appGrant.updateMany({ where: { playerId: all, revokedAt: null }, data: { revokedAt: new Date() } }),
        record({ action: 'revoke-tokens', playerId, details: { token: tokenId ?? 'all' } }),
      ]);
      return count;
    },
  };
}

function onMatches(desk: Desk): Pick<Operator, 'cancel' | 'rotateInvite' | 'closeReport'> {
  const { matches, record, tell } = desk;
  const { prisma, pool } = desk.database;
  return {
    async cancel(matchId, reason) {
      if (!isId(matchId)) throw refusals.noSuchMatch();
      const { version } = await matches.callOff(matchId);
      await record({ action: 'cancel', matchId, details: { reason, version } });
      await tell();
    },

    async rotateInvite(matchId) {
      const invite = randomBytes(12).toString('base64url');
      const found = isId(matchId) ? await prisma.match.findUnique({ where: { id: matchId } }) : null;
      if (!found) throw refusals.noSuchMatch();
      if (found.visibility !== 'PRIVATE') throw refusals.noInvite();
      await prisma.$transaction([
        prisma.match.update({ where: { id: matchId }, data: { invite }, select: { id: true } }),
        record({ action: 'rotate-invite', matchId }),
      ]);
      await tellAll(pool, [{ match: matchId, version: ROW_CHANGED, players: [] }]);
      return invite;
    },

    async closeReport(id, note) {
      const found = isId(id) ? await prisma.report.findUnique({ where: { id } }) : null;
      if (!found) throw refusals.noSuchReport();
      const { playerId, matchId } = found;
      await prisma.$transaction([
        prisma.report.update({ where: { id }, data: { closedAt: new Date(), note }, select: { id: true } }),
        record({ action: 'close-report', playerId, matchId, details: { report: id, note } }),
      ]);
    },
  };
}

/** Finds the player of this name. If several have it, throws an error that lists their ids. */
async function playersNamed({ prisma }: Database, text: string) {
  const [, plain = text, tag] = /^(.*?)\s*#\s*([0-9A-Za-z]{4})$/.exec(text.trim()) ?? [];
  const rows = await prisma.player.findMany({
    where: { name: { equals: plain.normalize('NFC').trim(), mode: 'insensitive' } },
    select: shownPlayer,
    orderBy: { id: 'desc' },
    take: 100,
  });
  const found = tag === undefined ? rows : rows.filter((row) => playerOf(row).tag === tag.toUpperCase());
  if (found.length < 2) return found;
  const list = found.map((row) => `${row.id} (${row.name}${playerOf(row).tag ? ` #${playerOf(row).tag}` : ''})`);
  throw refusals.severalPlayers(list.join('\n'));
}
