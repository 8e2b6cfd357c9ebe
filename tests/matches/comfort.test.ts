/** Matches end even if somebody leaves: clocks, time-outs, resignation, vacant seats, rematches, bots. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openThinker } from '../../src/bots/thinker.ts';
import { databaseTime } from '../../src/database/time.ts';
import { registry as realGames } from '../../src/games/registry.ts';
import type { CreateInput } from '../../src/matches/commands/seating.ts';
import { beat, openSweeper } from '../../src/matches/live/sweep.ts';
import { deadlines } from '../../src/matches/log/clock.ts';
import type { Match } from '../../src/matches/log/records.ts';
import { documentOf, numbered, playersOf } from '../../src/matches/proof/document.ts';
import { verify } from '../../src/matches/proof/verify.ts';
import { BOTS, isBot } from '../../src/players/bot-accounts.ts';
import type { Player } from '../../src/players/player.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { anAction, newPlayers, openServices, sampleRegistry, type TestServices } from '../support/servers.ts';

let database: FreshDatabase;
let servers: [TestServices, TestServices, TestServices];
let one: TestServices;
let players: [Player, Player, Player];
let time = Date.UTC(2027, 0, 1);

const HOUR = 3600;
const pass = (seconds: number) => {
  time += seconds * 1000;
};
const now = () => new Date(time);

beforeAll(async () => {
  database = await freshDatabase();
  const open = () => openServices(database.url, { now });
  servers = [await open(), await open(), await open()];
  [one] = servers;
  players = (await newPlayers(one, 'Ann', 'Ben', 'Cho')) as [Player, Player, Player];
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await database.drop();
});

const refused = (code: string) => expect.objectContaining({ code });
const sweepAll = () => Promise.all(servers.map((server) => server.sweep()));
const clock = { bankSeconds: 3 * HOUR, incrementSeconds: HOUR, capSeconds: 4 * HOUR };

async function running(seats: number, extra: Partial<CreateInput> = {}): Promise<Match> {
  let match = await one.matches.create(players[0], { game: 'highest', seats, ...extra });
  for (const player of players.slice(1, seats)) match = await one.matches.join(player, match.id, {});
  return match;
}

const act = async (seat: number, id: string) => {
  const player = players[seat] as Player;
  return (await one.matches.submit(player, { matchId: id, action: await anAction(one.matches, player, id) })).match;
};
const left = (match: Match) => deadlines(match).map((at) => at && (at.getTime() - time) / 1000);
const bank = (match: Match) => match.clocks?.bank.map((ms) => ms / 1000);
const proven = (match: Match) => verify(sampleRegistry, documentOf(match, numbered(playersOf(match)))).match;

describe('clocks', () => {
  it('run for every seat that may act, earn an increment per turn, and are capped', async () => {
    const match = await running(2, { clock });
    expect(left(match)).toEqual([3 * HOUR, 3 * HOUR]);
    pass(2 * HOUR);
    const one = await act(0, match.id); // Ann has used two hours and earned one
    expect(bank(one)).toEqual([2 * HOUR, 3 * HOUR]);
    expect(left(one)).toEqual([null, HOUR]);
    const two = await act(1, match.id); // the next round begins: both clocks run again
    expect(bank(two)).toEqual([2 * HOUR, 2 * HOUR]);
    expect(left(two)).toEqual([2 * HOUR, 2 * HOUR]);
    await act(0, match.id);
    await act(1, match.id);
    await act(0, match.id);
    const end = await act(1, match.id);
    expect(bank(end)).toEqual([4 * HOUR, 4 * HOUR]); // five hours would be over the cap
    expect(left(end)).toEqual([null, null]);
  });

  it('never earn time by undo', async () => {
    const match = await running(2, { clock });
    for (let i = 0; i < 5; i++) {
      pass(600);
      const acted = await act(0, match.id);
      pass(600);
      const { match: back } = await one.matches.undo(players[0], match.id, acted.version);
      expect(left(back)[0]).toBe(3 * HOUR - (i + 1) * 1200);
      expect((await one.matches.see(null, match.id)).clocks).toEqual(back.clocks);
    }
    const fresh = await openServices(database.url, { now });
    expect((await fresh.matches.see(null, match.id)).clocks).toEqual((await one.matches.see(null, match.id)).clocks);
    await fresh.close();
  });

  it.each([
    { bankSeconds: 0 },
    { bankSeconds: 1.5 },
    { bankSeconds: 60, incrementSeconds: -1 },
    { bankSeconds: 60, capSeconds: 30 },
    { bankSeconds: 10 ** 9 },
  ])('refuse %j', async (bad) => {
    await expect(one.matches.create(players[0], { game: 'highest', seats: 2, clock: bad })).rejects.toEqual(
      refused('BAD_INPUT'),
    );
  });

  it('charge nobody for a time in which no server was up', async () => {
    const { pool } = one.database;
    const { rows } = await pool.query<{ now: Date }>('SELECT now()');
    time = (rows[0] as { now: Date }).now.getTime() - 3 * HOUR * 1000;
    const match = await running(2, { clock });
    pass(HOUR);
    // The last sign of life is two hours old when a server comes back.
    await pool.query("UPDATE heartbeat SET at = now() - interval '2 hours'");
    await Promise.all([beat(one.database), beat(one.database), beat(one.database)]);
    expect((await pool.query('SELECT * FROM outages')).rows).toHaveLength(1);
    pass(2 * HOUR);
    const back = await openServices(database.url, { now });
    const [deadline] = deadlines(await back.matches.see(null, match.id));
    expect(((deadline as Date).getTime() - time) / 1000).toBeCloseTo(2 * HOUR, -2);
    await back.sweep();
    expect((await back.matches.see(null, match.id)).status).toBe('ACTIVE');
    await back.close();
    await pool.query('DELETE FROM outages');
  });

  it('charge nobody for a time in which the database was away', async () => {
    const { pool } = one.database;
    const { store, matches, memo } = one;
    const databaseNow = databaseTime();
    const sweeper = await openSweeper(
      one.database,
      {
        store,
        matches,
        bots: { sweep: async () => {} },
        time: databaseNow,
        forgetClocks: () => memo.forget((match) => match.clock !== null),
        warn: () => {},
      },
      1500,
    );
    const base = databaseNow.now().getTime();
    // The sweeper waits meanwhile, or a round of it that comes in between would rightly end the match.
    const outside = await pool.connect();
    await outside.query('BEGIN');
    await outside.query('SELECT FROM heartbeat FOR UPDATE');
    time = base - 600_000;
    const match = await running(2, { clock: { bankSeconds: 90, onTimeout: 'FORFEIT' } });
    time = base;
    await outside.query("UPDATE heartbeat SET at = clock_timestamp() - interval '570 seconds'");
    await outside.query('COMMIT');
    outside.release();
    const dueAt = async () =>
      (await pool.query<{ at: Date }>('SELECT deadline AS at FROM matches WHERE id = $1', [match.id])).rows[0]?.at;
    // The cached column moves on too, or the match would be looked at in every round.
    await expect.poll(async () => (await dueAt())?.getTime()).toBeGreaterThan(base + 50_000);
    expect(await matches.see(null, match.id)).toMatchObject({ status: 'ACTIVE', version: match.version });
    await sweeper.close();
    await pool.query('DELETE FROM outages');
    memo.forget(() => true);
  });

  it('are the same on a server that reads the log, even if an order came before an action was taken back', async () => {
    const match = await running(2, { clock });
    pass(60);
    await act(0, match.id);
    pass(60);
    await one.matches.order(players[1], match.id, { play: 'ask' });
    pass(60);
    const { match: live } = await one.matches.undo(players[0], match.id, match.version + 2);
    const reader = await openServices(database.url, { now });
    const read = await reader.matches.see(null, match.id);
    expect([read.clocks, deadlines(read)]).toEqual([live.clocks, deadlines(live)]);
    await reader.close();
  });
});

describe('a seat whose time is up', () => {
  it('loses before a seat whose time ran out later', async () => {
    const match = await running(2, { clock: { ...clock, onTimeout: 'FORFEIT' } });
    await act(0, match.id);
    pass(2 * HOUR);
    await act(1, match.id);
    pass(5 * HOUR);
    await one.sweep();
    const end = await one.matches.see(null, match.id);
    expect(end.events.at(-1)).toMatchObject({ type: 'TIMED_OUT', seat: 1 });
    expect(end.result?.ranks).toEqual([1, 2]);
  });

  it('is left to a bot, once, however many servers notice', async () => {
    const match = await running(3, { clock });
    await act(0, match.id);
    pass(3 * HOUR - 1);
    await sweepAll();
    expect((await one.matches.see(null, match.id)).version).toBe(match.version + 1);
    pass(1);
    await sweepAll();
    const after = await one.matches.see(null, match.id);
    expect(after.events.slice(match.version + 1).map(({ type, seat }) => [type, seat])).toEqual([
      ['TIMED_OUT', 1],
      ['TIMED_OUT', 2],
    ]);
    expect(after).toMatchObject({ status: 'ACTIVE', vacant: [1, 2], lost: [] });
    expect(after.seats.map(isBot)).toEqual([false, true, true]);
    expect(left(after)).toEqual([null, null, null]); // bots have no clock
    await expect(act(1, match.id)).rejects.toThrow();
    expect(proven(after).seats.map(isBot)).toEqual([false, true, true]);
  });

  it('is forfeited if the match says so: the last one left wins', async () => {
    const match = await running(3, { clock: { ...clock, onTimeout: 'FORFEIT' } });
    await act(1, match.id);
    pass(3 * HOUR);
    await sweepAll();
    const after = await one.matches.see(null, match.id);
    expect(after).toMatchObject({
      status: 'FINISHED',
      acting: [],
      lost: [0, 2],
      result: { scores: [0, 0, 0], ranks: [2, 1, 2] },
    });
    expect(proven(after).result).toEqual(after.result);
  });
});

describe('resignation', () => {
  it('with two seats the other wins', async () => {
    const match = await running(2);
    const { event, match: after } = await one.matches.resign(players[0], match.id);
    expect(event).toMatchObject({ type: 'RESIGNED', seat: 0, acting: [] });
    expect(after).toMatchObject({ status: 'FINISHED', result: { scores: [0, 0], ranks: [2, 1] } });
    expect((await servers[1].matches.see(null, match.id)).status).toBe('FINISHED');
    expect(proven(after).result).toEqual(after.result);
    await expect(one.matches.resign(players[1], match.id)).rejects.toEqual(refused('MATCH_OVER'));
  });

  it('with more a bot plays the seat on, and it ranks last', async () => {
    const thinker = { decide: async () => ({}), close: async () => {} };
    const server = await openServices(database.url, { now, thinker: { ...thinker, decide: firstLegal } });
    const match = await running(3);
    await server.matches.resign(players[1], match.id);
    for (;;) {
      const current = await server.matches.see(null, match.id);
      if (current.endedAt) break;
      const seat = current.acting.find((acting) => !isBot(current.seats[acting]));
      if (seat === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
      else
        await server.matches.submit(players[seat] as Player, {
          matchId: match.id,
          action: await anAction(server.matches, players[seat] as Player, match.id),
        });
    }
    const end = await one.matches.see(null, match.id);
    expect(end.result?.ranks[1]).toBe(3);
    expect([end.result?.ranks[0], end.result?.ranks[2]].sort()).not.toContain(3);
    expect(proven(end).result).toEqual(end.result);
    await server.close();
  });

  it('is refused before the start and to strangers', async () => {
    const open = await one.matches.create(players[0], { game: 'highest', seats: 2 });
    await expect(one.matches.resign(players[0], open.id)).rejects.toEqual(refused('MATCH_NOT_ACTIVE'));
    await expect(one.matches.resign(players[1], open.id)).rejects.toEqual(refused('NOT_SEATED'));
  });
});

/** Replaces the search: takes the first legal action of the guess that it is given. */
const firstLegal = async ({ state, seat }: { state: object; seat: number }) =>
  sampleRegistry.game('highest').legal(state, seat)[0] as object;

describe('a vacant seat', () => {
  it('can be taken over if the match allows it, with a full bank and no forfeit', async () => {
    const match = await running(3, { clock, takeover: true });
    await one.matches.resign(players[1], match.id);
    const [dee] = (await newPlayers(one, 'Dee')) as [Player];
    const taken = await servers[1].matches.join(dee, match.id, {});
    expect(taken).toMatchObject({ vacant: [], lost: [] });
    expect(taken.seats[1]).toBe(dee.id);
    expect(left(taken)[1]).toBe(3 * HOUR);
    await servers[2].matches.submit(dee, { matchId: match.id, action: await anAction(one.matches, dee, match.id) });
    expect(proven(await one.matches.see(null, match.id)).vacant).toEqual([]);
  });

  it('stays with the bot if the match does not', async () => {
    const match = await running(3);
    await one.matches.resign(players[1], match.id);
    const [dee] = (await newPlayers(one, 'Dee')) as [Player];
    await expect(one.matches.join(dee, match.id, {})).rejects.toEqual(refused('MATCH_FULL'));
    await expect(one.matches.join(dee, match.id, { seat: 1 })).rejects.toEqual(refused('MATCH_FULL'));
  });
});

describe('cancelling', () => {
  it('is allowed only to the player who opened the match, before the start', async () => {
    const open = await one.matches.create(players[0], { game: 'highest', seats: 3 });
    await one.matches.join(players[1], open.id, {});
    await expect(one.matches.cancel(players[1], open.id)).rejects.toEqual(refused('FORBIDDEN'));
    expect(await one.matches.cancel(players[0], open.id)).toMatchObject({
      status: 'CANCELLED',
      seats: [null, null, null],
    });
    expect((await one.matches.cancel(players[0], open.id)).status).toBe('CANCELLED');
    const match = await running(2);
    await expect(one.matches.cancel(players[0], match.id)).rejects.toEqual(refused('FORBIDDEN'));
    const unseated = await one.matches.create(players[0], { game: 'highest', seats: 2, sit: false });
    expect((await one.matches.cancel(players[0], unseated.id)).status).toBe('CANCELLED');
  });
});

describe('rematch', () => {
  it('can be opened again after it was called off', async () => {
    const match = await running(2);
    await one.matches.resign(players[0], match.id);
    const first = await one.matches.rematch(players[0], match.id);
    expect(await one.matches.leave(players[0], first.id)).toMatchObject({ status: 'CANCELLED' });
    const second = await one.matches.rematch(players[1], match.id);
    expect(second).toMatchObject({ status: 'OPEN', rematchOf: first.id });
    expect(await one.matches.rematch(players[0], match.id)).toMatchObject({ id: second.id, status: 'ACTIVE' });
  });

  it('is one match for all who ask, with everybody one seat further', async () => {
    const match = await running(3);
    await expect(one.matches.rematch(players[0], match.id)).rejects.toEqual(refused('MATCH_NOT_ACTIVE'));
    await one.matches.resign(players[0], match.id);
    await one.matches.resign(players[1], match.id);
    const [stranger] = (await newPlayers(one, 'Zoe')) as [Player];
    const asked = await Promise.all(
      players.map((player, i) => (servers[i] as TestServices).matches.rematch(player, match.id)),
    );
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    const [{ id }] = asked as [Match];
    await expect(one.matches.rematch(stranger, match.id)).rejects.toEqual(refused('NOT_SEATED'));
    const rematch = await one.matches.see(null, id);
    expect(rematch).toMatchObject({ status: 'ACTIVE', rematchOf: match.id });
    expect(rematch.seats).toEqual([players[1].id, players[2].id, players[0].id]);
    expect((await one.matches.rematch(players[0], match.id)).id).toBe(id);
  });

  it('reserves its seats for the players of the match before', async () => {
    const match = await running(2);
    await one.matches.resign(players[0], match.id);
    const rematch = await one.matches.rematch(players[1], match.id);
    await expect(one.matches.join(players[2], rematch.id, {})).rejects.toEqual(refused('MATCH_FULL'));
    expect((await one.matches.join(players[0], rematch.id, {})).status).toBe('ACTIVE');
  });
});

describe('bots', () => {
  it('can be added only by those who belong to the match', async () => {
    const open = await one.matches.create(players[0], { game: 'highest', seats: 3 });
    await expect(one.matches.addBot(players[1], open.id, 'EASY')).rejects.toEqual(refused('FORBIDDEN'));
    await one.matches.addBot(players[0], open.id, 'EASY');
    const full = await one.matches.addBot(players[0], open.id, 'EASY');
    expect(full).toMatchObject({ status: 'ACTIVE', seats: [players[0].id, BOTS.EASY.id, BOTS.EASY.id] });
    await expect(one.matches.addBot(players[0], open.id, 'EASY')).rejects.toEqual(refused('MATCH_FULL'));
  });

  it('play a whole match of every game by themselves, on three servers at once, never twice', async () => {
    const thinker = openThinker({
      threads: 1,
      budgets: { EASY: { iterations: 1, ms: 5 }, HARD: { iterations: 1, ms: 5 } },
    });
    const all = await Promise.all([1, 2, 3].map(() => openServices(database.url, { registry: realGames, thinker })));
    const [first] = all as [TestServices];
    const begun = await Promise.all(
      realGames.games.map((game) => {
        const seats = Math.max(2, game.seats.min);
        const bots = Array.from({ length: seats }, (_, i) => (i % 2 ? ('HARD' as const) : ('EASY' as const)));
        return first.matches.create(players[0], { game: game.id, seats, sit: false, bots });
      }),
    );
    for (const { id } of begun) {
      for (;;) {
        await Promise.all(all.map((server) => server.sweep()));
        const match = await first.matches.see(null, id);
        if (match.endedAt) break;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const end = await first.matches.see(null, id);
      expect(end.status).toBe('FINISHED');
      expect(verify(realGames, documentOf(end, numbered(playersOf(end)))).match.result).toEqual(end.result);
    }
    for (const server of all) await server.close();
  }, 120_000);

  it('finish their matches, even where the rules would allow waiting for ever', async () => {
    // Haleakalā lets both sides place a disc and take it back again, as long as they like.
    const waiting = ({ state, seat }: { state: object; seat: number }) => {
      const list = realGames.game('haleakala').legal(state, seat) as { type: string }[];
      const [action] = ['stay', 'takeBack', 'place'].flatMap((wanted) => list.filter(({ type }) => type === wanted));
      return action ?? (list[0] as object);
    };
    const thinker = { decide: async (ask: { state: object; seat: number }) => waiting(ask), close: async () => {} };
    const server = await openServices(database.url, { registry: realGames, thinker });
    const { id } = await server.matches.create(players[0], {
      game: 'haleakala',
      seats: 2,
      sit: false,
      bots: ['HARD', 'MEDIUM'],
    });
    await expect.poll(async () => (await server.memo.recall(id))?.status, { timeout: 60_000 }).toBe('FINISHED');
    await server.close();
  });

  it('are moved by another server if theirs stops', async () => {
    const dead = { decide: () => new Promise<object>(() => {}), close: async () => {} };
    const crashing = await openServices(database.url, { thinker: dead });
    const match = await crashing.matches.create(players[0], { game: 'highest', seats: 2, bots: ['MEDIUM'] });
    const other = await openServices(database.url, { thinker: { decide: firstLegal, close: async () => {} } });
    const acting = async () => {
      await other.sweep(); // only what has been waiting for a while is looked up
      return (await other.matches.see(null, match.id)).acting;
    };
    await expect.poll(acting).not.toContain(1);
    await other.close();
    await crashing.live.close();
    await crashing.database.close();
  });

  it('are given a guess, never the truth', async () => {
    const hands = new Set<string>();
    const spy = {
      decide: async (ask: { state: object; seat: number }) => {
        hands.add(JSON.stringify((ask.state as { hands: number[][] }).hands[0]));
        return firstLegal(ask);
      },
      close: async () => {},
    };
    const server = await openServices(database.url, { thinker: spy });
    let truths = 0;
    for (let i = 0; i < 20; i++) {
      const match = await server.matches.create(players[0], { game: 'highest', seats: 2, bots: ['EASY'] });
      hands.clear();
      while ((await server.matches.see(null, match.id)).acting.includes(1))
        await new Promise((resolve) => setTimeout(resolve, 2));
      if (hands.has(JSON.stringify((match.state as { hands: number[][] }).hands[0]))) truths++;
    }
    expect(truths).toBeLessThan(5); // by chance alone, one in about a hundred
    await server.close();
  });
});
