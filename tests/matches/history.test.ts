/** History people can trust: undo, export, import, proof, forks, rules versions, deleted players. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canUndo, exporting, view } from '../../src/api/present.ts';
import { canonical } from '../../src/games/canonical.ts';
import type { Game } from '../../src/games/game.ts';
import { registry as realGames, registryOf } from '../../src/games/registry.ts';
import { fastRng, rngFor } from '../../src/games/rng.ts';
import { cancelled, openingOf } from '../../src/matches/commands/seating.ts';
import { undoable } from '../../src/matches/commands/undo.ts';
import { emptyMatch } from '../../src/matches/log/match.ts';
import { advance, matchAt } from '../../src/matches/log/rebuild.ts';
import type { Match } from '../../src/matches/log/records.ts';
import { checkDatabase } from '../../src/matches/proof/check-database.ts';
import { documentOf, type MatchDocument, numbered, playersOf, textOf } from '../../src/matches/proof/document.ts';
import { commitment } from '../../src/matches/proof/hashes.ts';
import { verify } from '../../src/matches/proof/verify.ts';
import type { Player } from '../../src/players/player.ts';
import { atOnce } from '../../src/turns.ts';
import { playedMatch } from '../../tools/record-matches.ts';
import { highest } from '../games/tiny/highest.ts';
import { compiled } from '../support/compiled.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { anAction, newPlayers, openServices, runningMatch, type TestServices, twoServers } from '../support/servers.ts';
import { freeWork } from '../support/work.ts';

const exported = (...of: Parameters<typeof exporting>) => atOnce(exporting(...of));

const registry = registryOf([...realGames.games, highest as Game]);
const { database, one, two, players } = await twoServers({ registry });
let elsewhere: FreshDatabase;
let other: TestServices;

beforeAll(async () => {
  elsewhere = await freshDatabase();
  other = await openServices(elsewhere.url, { registry });
});
afterAll(async () => {
  await other.close();
  await elsewhere.drop();
});

const refused = (code: string, details: object = {}) => expect.objectContaining({ code, ...details });

/** Plays random actions until the end, or this many. */
async function playOn(id: string, server = one, limit = 1000): Promise<Match> {
  const rng = fastRng(1);
  for (let n = 0; ; n++) {
    const match = await server.matches.see(players[0], id);
    if (match.acting.length === 0 || n === limit) return match;
    const seat = rng.pick(match.acting);
    const action = rng.pick(match.engine.legal(match.state as object, seat));
    await server.matches.submit(players[seat] as Player, { matchId: id, action });
  }
}

const whole = (match: Match) => textOf(documentOf(match, numbered(playersOf(match))));

describe('undo', () => {
  it('takes back the last action, and the one before it, and leads to the very same state', async () => {
    const match = await runningMatch(one, players.slice(0, 2), 'cacao');
    const before = await playUntilUndoable(match.id, 2);
    const seat = before.events.at(-1)?.seat as number;
    const player = players[seat] as Player;
    const receipt = await two.matches.undo(player, match.id, before.version);
    expect(receipt.event).toMatchObject({ type: 'UNDONE', seat, action: { version: before.version } });
    expect(receipt.match.state).toEqual(matchAt(before, before.version - 1).state);
    expect(receipt.match.acting).toEqual(matchAt(before, before.version - 1).acting);
    const again = await one.matches.undo(player, match.id, receipt.match.version);
    expect(again.event.action).toEqual({ version: before.version - 1 });
    expect(again.match.state).toEqual(matchAt(before, before.version - 2).state);
    // Every server agrees, whether it followed along or reads the log anew.
    const third = await openServices(database.url, { registry });
    for (const server of [one, two, third])
      expect((await server.matches.see(null, match.id)).state).toEqual(again.match.state);
    await third.close();
    await playOn(match.id);
  });

  /** Plays until some seat has made that many actions in a row which it can take back. */
  async function playUntilUndoable(id: string, inARow: number): Promise<Match> {
    for (;;) {
      const match = await playOn(id, one, 1);
      const last = match.events.slice(-inARow);
      const sameSeat = last.every((event) => event.type === 'ACTED' && event.seat === last[0]?.seat);
      const atRisk = last.some(({ drew, epoch }) => drew || epoch !== last[0]?.epoch);
      if (sameSeat && !atRisk && typeof undoable(match, last[0]?.seat as number) !== 'string') return match;
      expect(match.endedAt, 'no such position came up').toBeNull();
    }
  }

  it('is refused with a reason that only says what the seat has seen', async () => {
    const { id } = await runningMatch(one, players);
    const [ann, ben] = players;
    const reason = async (player: Player) => canUndo(await two.matches.see(player, id), player).reason;
    const undo = (player: Player, version: number) => two.matches.undo(player, id, version);
    expect(await reason(ann)).toBe('NOTHING_TO_UNDO');
    await expect(undo(ann, 4)).rejects.toEqual(refused('CANNOT_UNDO', { details: { reason: 'NOTHING_TO_UNDO' } }));
    await one.matches.submit(ann, { matchId: id, action: await anAction(one.matches, ann, id) });
    expect(await reason(ann)).toBeNull();
    expect(await reason(ben)).toBe('NOTHING_TO_UNDO');
    await expect(undo(ann, 4)).rejects.toEqual(refused('STALE_VERSION'));
    await one.matches.submit(ben, { matchId: id, action: await anAction(one.matches, ben, id) });
    expect(await reason(ann)).toBe('OTHERS_ACTED');
    await one.matches.submit(players[2], { matchId: id, action: await anAction(one.matches, players[2], id) });
    expect(await reason(players[2])).toBe('CHANCE_DRAWN');
    const [stranger] = await newPlayers(one, 'Zoe');
    expect(await reason(stranger as Player)).toBe('NOT_SEATED');
    await expect(undo(stranger as Player, 7)).rejects.toEqual(refused('NOT_SEATED'));
    const end = await playOn(id);
    expect(await reason(ann)).toBe('NOT_ACTIVE');
    await expect(undo(ann, end.version)).rejects.toEqual(refused('CANNOT_UNDO'));
  });

  it.each(realGames.games.map(({ id }) => id))(
    'of %s: no view afterwards holds anything that the view before did not',
    (id) => {
      const game = realGames.game(id);
      const seats = Math.max(2, game.seats.min);
      let undos = 0;
      for (let seed = 1; seed <= 6; seed++) {
        const match = playedMatch(game, Object.values(game.variants)[0] as object, seats, fastRng(seed));
        for (const event of match.events.filter(({ type }) => type === 'UNDONE')) {
          undos++;
          const target = (event.action as { version: number }).version - 1;
          for (const eyes of [null, ...Array(seats).keys()]) {
            const at = (version: number) => canonical(game.view(matchAt(match, version).state as object, eyes));
            expect(at(event.version)).toBe(at(target));
          }
        }
      }
      expect(undos).toBeGreaterThan(0);
    },
  );

  it('agrees with a replay however the log is cut into batches', () => {
    const game = realGames.game('cacao');
    const match = playedMatch(game, {}, 3, fastRng(5));
    const rng = fastRng(9);
    for (let round = 0; round < 20; round++) {
      let built = emptyMatch(game, match);
      while (built.version < match.version) {
        built = advance(built, match.events.slice(built.version, built.version + 1 + rng.int(6)));
        expect(canonical(built.state)).toBe(canonical(matchAt(match, built.version).state));
      }
    }
  });
});

describe('export and import', () => {
  it.each(realGames.games.map(({ id }) => id))('of %s: byte-identical on an empty second server', async (game) => {
    const { seats } = realGames.game(game);
    const count = Math.max(2, seats.min);
    const { id } = await runningMatch(one, players.slice(0, count), game);
    const end = await playOn(id);
    const text = textOf(exported(end, null, ['Ann', 'Ben'].slice(0, count)));
    const [importer] = await newPlayers(other, 'Importer');
    const there = await other.matches.import(importer as Player, JSON.parse(text));
    const third = await openServices(elsewhere.url, { registry });
    const reread = await third.matches.see(null, there.id);
    const names = (await third.players.byIds(playersOf(reread))).map((player) => player?.name ?? '');
    expect(textOf(exported(reread, null, names))).toBe(text);
    expect((await other.matches.import(importer as Player, JSON.parse(text))).id).toBe(there.id);
    await third.close();
  });

  it('refuses a changed byte and names the first bad version', async () => {
    const { id } = await runningMatch(one, players);
    const document = exported(await playOn(id), null, ['A', 'B', 'C']);
    const changed = (change: Partial<MatchDocument>) => () => verify(registry, { ...document, ...change });
    const event = (version: number, change: Partial<MatchDocument['events'][number]>) =>
      changed({ events: document.events.map((e) => (e.version === version ? { ...e, ...change } : e)) });
    const names = (version: number) => refused('BAD_INPUT', { details: { version } });
    expect(changed({})().match.status).toBe('FINISHED');
    expect(event(6, { at: '2026-11-16T00:00:00.000Z' })).toThrow(names(6));
    expect(event(6, { seat: 0 })).toThrow(names(6));
    expect(event(6, { action: { type: 'card', card: 99 } })).toThrow(names(6));
    expect(event(7, { stateHash: '0'.repeat(64) })).toThrow(names(7));
    expect(event(8, { hash: '0'.repeat(64) })).toThrow(names(8));
    expect(event(1, { entropy: 'loaded dice' })).toThrow(names(1));
    expect(changed({ events: document.events.toSpliced(4, 1) })).toThrow(names(6));
    expect(changed({ events: document.events.slice(0, -1) })).toThrow('the match is ACTIVE, not FINISHED');
    expect(changed({ result: { scores: [9, 9, 9], ranks: [1, 1, 1] } })).toThrow('the result is');
    expect(changed({ serverSeed: '0'.repeat(64) })).toThrow('not the one that was committed to');
    expect(changed({ options: { more: 1 } })).toThrow(names(0));
    expect(changed({ game: 'poker' })).toThrow('There is no game "poker"');
    expect(changed({ id: `${document.id.slice(0, -1)}${document.id.endsWith('0') ? 1 : 0}` })).toThrow(names(1));
    expect(event(1, { action: { order: null } })).toThrow(names(1));
    expect(event(4, { seat: 0 })).toThrow(names(4));
    for (const type of ['RESIGNED', 'TIMED_OUT', 'ORDERED'] as const)
      for (const seat of [50, null]) expect(event(5, { type, seat, action: null })).toThrow(names(5));
    expect(event(5, { type: 'TIMED_OUT', seat: 0, action: null })).toThrow('this seat could not be given up');
    expect(event(5, { type: 'ORDERED', action: { order: [[], []] } })).toThrow('fit its ordersSchema');
    const clock = { bankSeconds: 5e12, incrementSeconds: 0, capSeconds: 5e12, onTimeout: 'BOT' } as const;
    expect(changed({ clock })).toThrow('A clock needs a bank');
    const late = new Date(Date.now() + 3_600_000);
    const future = openingOf(registry, players[0], { game: 'highest', seats: 2 }, late);
    const calledOff = exported(cancelled(future, players[0], late), null, ['A']);
    await expect(other.matches.import(players[0], calledOff)).rejects.toThrow('Its times lie in the future');
    const long = { ...document, events: Array.from({ length: 5001 }, () => document.events[0]) };
    await expect(other.matches.import(players[0], long)).rejects.toThrow('up to 5000 events');
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, 1]));
    await expect(other.matches.import(players[0], { ...document, ...fields })).rejects.toThrow('too many fields');
    const name = 'a'.repeat(101);
    await expect(other.matches.import(players[0], { ...document, players: [name, 'B', 'C'] })).rejects.toThrow(
      '/players/0 must not have more than 100 characters',
    );
    expect(changed({ createdAt: '2025-01-01T00:00:00.000Z' })).toThrow('is not the time of its id');
    expect(changed({ origin: { match: document.id, at: 3, seat: null } })).toThrow('has an origin and a position');
    expect(changed({ players: ['A', 'B', 'C', 'D'] })).toThrow('a player who did nothing');
    expect(changed({ players: ['A', 'B'] })).toThrow(names(3));
    expect(event(1, { player: 1 })).toThrow(names(1));
    for (const name of ['', 'a\nb', 'a\u202eb', ' a', 'a'.repeat(41)]) {
      const unfit = { ...document, players: [name, 'B', 'C'] };
      await expect(other.matches.import(players[0], unfit)).rejects.toThrow('is not a valid player name');
    }
    await expect(other.matches.import(players[0], { nonsense: true })).rejects.toEqual(refused('BAD_INPUT'));
    await expect(other.matches.import(players[0], null)).rejects.toEqual(refused('BAD_INPUT'));
  });

  it('of a running match holds what the caller may know, and cannot be imported', async () => {
    const { id } = await runningMatch(one, players);
    const [ann, ben] = players;
    await one.matches.submit(ann, { matchId: id, action: await anAction(one.matches, ann, id) });
    const match = await one.matches.see(null, id);
    for (const caller of [null, ben]) {
      const document = exported(match, caller, ['A', 'B', 'C']);
      expect(document.serverSeed).toBeNull();
      expect(document.events.every(({ stateHash, entropy }) => stateHash === null && entropy === null)).toBe(true);
      expect(document.events.at(-1)?.action).toBeNull();
      await expect(other.matches.import(ben, document)).rejects.toEqual(refused('BAD_INPUT'));
    }
    expect(exported(match, ann, ['A', 'B', 'C']).events.at(-1)?.action).toEqual(match.events.at(-1)?.action);
  });
});

describe('fairness', () => {
  it('the seed of an ended match is the one that was committed to, also if it was cancelled', async () => {
    const opened = await one.matches.create(players[0], { game: 'highest', seats: 2 });
    const cancelled = await one.matches.leave(players[0], opened.id);
    const { serverSeed, commitment: published } = exported(cancelled, null, ['A']);
    expect(commitment(Buffer.from(serverSeed as string, 'hex'))).toBe(published);
    expect(verify(registry, exported(cancelled, null, ['A'])).match.status).toBe('CANCELLED');
  });

  it('the commitment is of no use in predicting a draw', () => {
    // Using the public commitment as a seed predicts draws no better than chance.
    let hits = 0;
    const rng = fastRng(3);
    for (let i = 0; i < 3000; i++) {
      const seed = Buffer.from(Array.from({ length: 32 }, () => rng.int(256)));
      const published = Buffer.from(commitment(seed), 'hex');
      if (rngFor(seed, 4).int(6) === rngFor(published, 4).int(6)) hits++;
    }
    expect(Math.abs(hits - 500)).toBeLessThan(100);
  });
});

describe('forks', () => {
  it('of the last position are refused, because nothing is left to play', async () => {
    const { id } = await runningMatch(one, players);
    const end = await playOn(id);
    await expect(one.matches.fork(players[0], id, end.version)).rejects.toEqual(refused('MATCH_OVER'));
    expect(await one.matches.fork(players[0], id, end.version - 1)).toMatchObject({ status: 'ACTIVE' });
  });

  it('of an ended match continue from any version with everything known, one player for all seats', async () => {
    const { id } = await runningMatch(one, players);
    const end = await playOn(id);
    const [zoe] = (await newPlayers(one, 'Zoe')) as [Player];
    const fork = await one.matches.fork(zoe, id, 6);
    expect(fork).toMatchObject({ status: 'ACTIVE', visibility: 'PRIVATE', origin: { match: id, at: 6, seat: null } });
    expect(fork.state).toEqual(matchAt(end, 6).state);
    await expect(two.matches.see(players[0], fork.id)).rejects.toEqual(refused('NOT_FOUND'));
    for (let current = fork; current.acting.length > 0; ) {
      const action = current.engine.legal(current.state as object, current.acting[0] as number)[0];
      current = (await two.matches.submit(zoe, { matchId: fork.id, action })).match;
      expect(await view(current, zoe, { seat: 1 }, freeWork)).not.toBeNull();
      if (current.status === 'ACTIVE' && typeof undoable(current, current.events.at(-1)?.seat as number) !== 'string') {
        current = (await one.matches.undo(zoe, fork.id, current.version)).match;
        current = (await one.matches.submit(zoe, { matchId: fork.id, action })).match;
      }
    }
    const done = await one.matches.see(zoe, fork.id);
    expect(done.status).toBe('FINISHED');
    expect(verify(registry, exported(done, zoe, ['Zoe'])).match.result).toEqual(done.result);
  });

  it('of a running match hold nothing that the seat does not know', async () => {
    const { id } = await runningMatch(one, players);
    const [ann, , cho] = players;
    await one.matches.submit(ann, { matchId: id, action: await anAction(one.matches, ann, id) });
    const match = await one.matches.see(cho, id);
    const hidden = new Set<string>();
    for (let i = 0; i < 12; i++) {
      const fork = await one.matches.fork(cho, id, match.version);
      const [forked, original] = [await view(fork, cho, { seat: 2 }, freeWork), await view(match, cho, {}, freeWork)];
      expect(canonical(forked)).toBe(canonical(original));
      hidden.add(canonical((fork.position as { hands: number[][] }).hands.slice(0, 2)));
    }
    expect(hidden.size).toBeGreaterThan(6);
    const [stranger] = await newPlayers(one, 'Zoe');
    await expect(one.matches.fork(stranger as Player, id, 4)).rejects.toEqual(refused('NOT_SEATED'));
    await expect(one.matches.fork(cho, id, 2)).rejects.toEqual(refused('MATCH_NOT_ACTIVE'));
    await expect(one.matches.fork(cho, id, 99)).rejects.toEqual(refused('BAD_INPUT'));
  });
});

describe('rules versions', () => {
  it('a match runs to its end by the rules it started with, beside matches of newer rules', async () => {
    const lowest = {
      ...highest,
      rules: 2,
      apply(state, seat, { card }, rng) {
        highest.apply(state, seat, { type: 'card', card }, rng);
        if (state.chosen.every((chosen) => chosen === null)) state.points[0] = (state.points[0] as number) + 10;
      },
    } satisfies typeof highest;
    const old = await runningMatch(one, players);
    const newer = await openServices(database.url, { registry: registryOf([highest as Game, lowest as Game]) });
    const fresh = await runningMatch(newer, players);
    expect([old.rules, fresh.rules]).toEqual([1, 2]);
    const [first, second] = [await playOn(old.id, newer), await playOn(fresh.id, newer)];
    expect(first.result?.scores.reduce((a, b) => a + b)).toBe(3);
    expect(second.result?.scores.reduce((a, b) => a + b)).toBe(33);
    const both = registryOf([highest as Game, lowest as Game]);
    expect(verify(both, JSON.parse(whole(first))).match.rules).toBe(1);
    expect(verify(both, JSON.parse(whole(second))).match.rules).toBe(2);
    expect(() => verify(registry, JSON.parse(whole(second)))).toThrow('has no rules version 2');
    await newer.close();
  });
});

describe('deleting a player', () => {
  it('forgets the name and the tokens; its seats are given up; its matches stay exportable and proven', async () => {
    const { player, token } = await one.players.register('Mayfly');
    const { id } = await runningMatch(one, [players[0], player]);
    await one.matches.submit(player, { matchId: id, action: await anAction(one.matches, player, id) });
    await one.matches.abandon(player);
    await one.players.remove(player);
    expect(await one.players.authenticate(token)).toBeNull();
    expect((await two.players.byIds([player.id]))[0]?.name).toBe('Deleted player');
    const match = await two.matches.see(null, id);
    expect(match).toMatchObject({ status: 'FINISHED', result: { ranks: [1, 2] } });
    expect(verify(registry, JSON.parse(whole(match))).match.version).toBe(match.version);
    expect(whole(match)).not.toContain('Mayfly');
  });
});

describe('the verifier', () => {
  const dir = mkdtempSync(join(tmpdir(), 'atoll-verify-'));
  afterAll(() => rmSync(dir, { recursive: true }));
  const atoll = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [compiled('cli'), ...args], {
      encoding: 'utf8',
    });
    return { status, text: stdout + stderr };
  };

  it('proves a file without a server, and says what is wrong with another', async () => {
    const match = playedMatch(realGames.game('cacao'), {}, 2, fastRng(2));
    const [good, bad] = [join(dir, 'good.json'), join(dir, 'bad.json')];
    writeFileSync(good, whole(match));
    writeFileSync(bad, whole(match).replace('"seat":1', '"seat":0'));
    expect(atoll('verify', good)).toMatchObject({ status: 0, text: expect.stringContaining('proven. Cacao, rules 2') });
    expect(atoll('verify', good, bad)).toMatchObject({
      status: 1,
      text: expect.stringMatching(/bad.json: NOT PROVEN. Event \d+/),
    });
    expect(atoll('verify', join(dir, 'none.json'))).toMatchObject({
      status: 1,
      text: expect.stringContaining('no such file'),
    });
    expect(atoll('verify')).toMatchObject({ status: 2, text: expect.stringContaining('Name a command') });
    expect(atoll('--help')).toMatchObject({ status: 0, text: expect.stringContaining('atoll verify <file>') });
  });

  it('proves every match of a database, and finds a changed row', async () => {
    const third = await freshDatabase();
    const server = await openServices(third.url, { registry });
    const own = await newPlayers(server, 'Ann', 'Ben');
    const { id } = await runningMatch(server, own);
    await server.matches.submit(own[0] as Player, {
      matchId: id,
      action: await anAction(server.matches, own[0] as Player, id),
    });
    await runningMatch(server, own, 'cacao');
    expect(await checkDatabase(server.database, registry, () => {})).toMatchObject({
      matches: 2,
      events: 7,
      faults: [],
    });
    expect(atoll('verify', '--database', third.url).status).toBe(1); // the sample game is no game of the real registry
    await server.database.pool.query('ALTER TABLE events DISABLE TRIGGER events_append_only');
    await server.database.pool.query(
      "UPDATE events SET at = at + interval '1 second' WHERE match_id = $1 AND version = 4",
      [id],
    );
    const report = await checkDatabase(server.database, registry, () => {});
    expect(report.faults).toEqual([{ id, fault: expect.stringContaining('Event 4') }]);
    await server.database.pool.query(
      "UPDATE events SET at = at - interval '1 second' WHERE match_id = $1 AND version = 4",
      [id],
    );
    await server.database.pool.query('UPDATE matches SET acting = ARRAY[1] WHERE id = $1', [id]);
    expect((await checkDatabase(server.database, registry, () => {})).faults).toHaveLength(0); // 0 has acted: that is right
    await server.database.pool.query('UPDATE matches SET acting = ARRAY[0] WHERE id = $1', [id]);
    const cached = await checkDatabase(server.database, registry, () => {});
    expect(cached.faults).toEqual([{ id, fault: expect.stringContaining('cached columns') }]);
    await server.close();
    await third.drop();
  });
});
