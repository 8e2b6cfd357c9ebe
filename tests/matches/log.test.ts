/** The log: atomic, exactly once, replayable, append only; two servers on one database are always equivalent. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { canonical } from '../../src/games/canonical.ts';
import { stateHash } from '../../src/games/play.ts';
import { registry as realGames } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import { append, appending, appendOne } from '../../src/matches/log/append.ts';
import { Log } from '../../src/matches/log/events.ts';
import { compose } from '../../src/matches/log/match.ts';
import { matchAt } from '../../src/matches/log/rebuild.ts';
import type { LoggedEvent, Match } from '../../src/matches/log/records.ts';
import { chain, commitment, genesis, seedOf } from '../../src/matches/proof/hashes.ts';
import type { Player } from '../../src/players/player.ts';
import { anAction, openServices, runningMatch, twoServers } from '../support/servers.ts';

const appendAll = appending();
const { database, one, two, players } = await twoServers();

const refused = (code: string) => expect.objectContaining({ code });

async function finished(): Promise<Match> {
  const { id } = await runningMatch(one, players);
  for (;;) {
    const match = await two.matches.see(null, id);
    const [seat] = match.acting;
    if (seat === undefined) return match;
    const player = players[seat] as Player;
    const server = match.version % 2 ? one : two;
    await server.matches.submit(player, { matchId: id, action: await anAction(server.matches, player, id) });
  }
}

describe('replay', () => {
  it('rebuilds on a third server, from rows alone, exactly what the first two hold in memory', async () => {
    const match = await finished();
    const third = await openServices(database.url);
    const rebuilt = await third.matches.see(null, match.id);
    const mine = await one.matches.see(null, match.id);
    const hex = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString('hex');
    const bare = ({ engine: _rules, serverSeed, seed, events, ...rest }: Match) =>
      canonical(
        JSON.parse(
          JSON.stringify({
            ...rest,
            bytes: [serverSeed, seed].map(hex),
            events: events.slice(),
          }),
        ),
      );
    expect(bare(rebuilt)).toBe(bare(mine));
    expect(bare(rebuilt)).toBe(bare(await two.matches.see(null, match.id)));
    await third.close();
  });

  it('reaches the stored hash of the state at every version', async () => {
    const match = await finished();
    for (const { version, stateHash: stored } of match.events) {
      const { state, seed } = matchAt(match, version);
      expect(state && stateHash(seed as Uint8Array, state)).toBe(stored);
    }
  });

  it('draws from the seed that was committed to, mixed with what the seats added', async () => {
    const opened = await one.matches.create(players[0], { game: 'highest', seats: 2, entropy: 'my own dice' });
    const match = await one.matches.join(players[1], opened.id, { entropy: 'and mine' });
    expect(match.seed).toEqual(seedOf(match.serverSeed, ['my own dice', 'and mine']));
    expect(match.seed).not.toEqual(seedOf(match.serverSeed, ['my own dice', null]));
    expect(commitment(match.serverSeed)).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the chain', () => {
  it('covers everything that matters in every event', async () => {
    const match = await finished();
    let hash = genesis(match);
    for (const event of match.events) {
      hash = chain(hash, event);
      expect(event.hash).toBe(hash);
    }
    const event = match.events.at(5) as LoggedEvent;
    const changes = [
      { seat: 7 },
      { action: { type: 'card', card: 99 } },
      { at: new Date(0) },
      { stateHash: 'x' },
      { entropy: 'x' },
    ];
    for (const change of changes) expect(chain(hash, { ...event, ...change })).not.toEqual(chain(hash, event));
  });

  it('is the same on rows read back as when they were written', async () => {
    const match = await finished();
    const rows = await one.store.tail(match.id, 0);
    expect(rows.map(({ hash }) => hash)).toEqual(match.events.map(({ hash }) => hash));
    let hash = genesis((await one.store.row(match.id)) as Match);
    for (const row of rows) {
      hash = chain(hash, row);
      expect(row.hash).toBe(hash);
    }
  });
});

describe('exactly once', () => {
  it('one of 60 racing submitters wins', async () => {
    const { id, version } = await runningMatch(one, players);
    const action = await anAction(one.matches, players[0], id);
    const tries = Array.from({ length: 60 }, (_, i) =>
      (i % 2 ? one : two).matches.submit(players[0], {
        matchId: id,
        expectedVersion: version,
        actionId: `try ${i}`,
        action,
      }),
    );
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(['STALE_VERSION', 'NOT_YOUR_TURN']).toContain(result.reason.code);
    }
    expect((await one.store.tail(id, version)).map(({ type }) => type)).toEqual(['ACTED']);
  });

  it('the same action id returns the first receipt, on either server, now and later', async () => {
    const { id, version } = await runningMatch(one, players);
    const submission = {
      matchId: id,
      expectedVersion: version,
      actionId: 'a',
      action: await anAction(one.matches, players[0], id),
    };
    const receipts = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? one : two).matches.submit(players[0], submission)),
    );
    expect(new Set(receipts.map(({ event }) => event.version))).toEqual(new Set([version + 1]));
    await two.matches.submit(players[1], { matchId: id, action: await anAction(two.matches, players[1], id) });
    expect((await one.matches.submit(players[0], submission)).event.version).toBe(version + 1);
    const reordered = { ...submission, action: JSON.parse(canonical(submission.action)) };
    expect((await one.matches.submit(players[0], reordered)).event.version).toBe(version + 1);
    expect(await one.store.tail(id, version)).toHaveLength(2);
    expect(one.outcomes).toContain('repeated');
  });

  it('texts are stored as they were sent, even with characters that are special in PostgreSQL arrays', async () => {
    for (const actionId of ['NULL', ' ', '{a,b}', '"', '\\', '\\"\\', 'é,{}\n\t\u{1f334}']) {
      const { id, version } = await runningMatch(one, players);
      const action = await anAction(one.matches, players[0], id);
      await one.matches.submit(players[0], { matchId: id, actionId, action });
      const [logged] = await two.store.tail(id, version);
      expect(logged).toMatchObject({ actionId, action, playerId: players[0].id });
    }
  });

  it('an action id is refused for another action, and is free for another seat', async () => {
    const { id } = await runningMatch(one, players);
    await one.matches.submit(players[0], {
      matchId: id,
      actionId: 'a',
      action: await anAction(one.matches, players[0], id),
    });
    const other = { matchId: id, actionId: 'a', action: { type: 'card', card: 99 } };
    await expect(two.matches.submit(players[0], other)).rejects.toEqual(refused('ACTION_ID_REUSED'));
    const bens = { matchId: id, actionId: 'a', action: await anAction(one.matches, players[1], id) };
    expect((await two.matches.submit(players[1], bens)).event.seat).toBe(1);
  });

  it('a race lost to another server is decided again on what that server wrote', async () => {
    const { id, version } = await runningMatch(one, players);
    await two.matches.see(null, id);
    const [anns, bens] = await Promise.all([0, 1].map((i) => anAction(one.matches, players[i] as Player, id)));
    const [first, second] = await Promise.all([
      one.matches.submit(players[0], { matchId: id, expectedVersion: version, action: anns }),
      two.matches.submit(players[1], { matchId: id, expectedVersion: version, action: bens }),
    ]);
    expect([first?.event.version, second?.event.version].sort()).toEqual([version + 1, version + 2]);
  });
});

describe('the append', () => {
  /** A match that exists in the database and has no events yet. */
  async function bareMatch(): Promise<Match> {
    const { id } = await one.matches.create(players[0], { game: 'highest', seats: 2, sit: false });
    return one.matches.see(null, id);
  }
  const join = (match: Match, extra: object = {}, at = new Date()) =>
    compose(match, { type: 'JOINED', seat: 0, playerId: players[0].id, ...extra }, null, at);

  it('moves only the matches whose version is the expected one', async () => {
    const [fresh, moved] = [await bareMatch(), await bareMatch()];
    await one.matches.join(players[1], moved.id, {});
    const { moved: done } = await appendAll(one.database.pool, [
      { expected: 0, match: join(fresh) },
      { expected: 0, match: join(moved) },
    ]);
    expect([...done]).toEqual([fresh.id]);
    expect(await one.store.tail(moved.id, 0)).toHaveLength(1);
  });

  it('does not let a bad row fail its neighbours', async () => {
    const all = await Promise.all(Array.from({ length: 9 }, bareMatch));
    const results = await Promise.allSettled(
      all.map((match, i) =>
        one.store.append({ expected: 0, match: i === 4 ? join(match, { label: '\u0000' }) : join(match) }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(all.map((_, i) => (i === 4 ? 'rejected' : 'fulfilled')));
    expect(await one.store.tail((all[4] as Match).id, 0)).toEqual([]);
    expect(await one.store.tail((all[5] as Match).id, 0)).toHaveLength(1);
  });

  it('survives overlapping batches of several writers without a deadlock, a double or a loss', async () => {
    const all = await Promise.all(Array.from({ length: 12 }, bareMatch));
    let moved = 0;
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        const server = writer % 2 ? one : two;
        for (let round = 0; round < 10; round++) {
          const order = writer % 3 ? all : [...all].reverse();
          const { moved: done } = await appendAll(
            server.database.pool,
            order.map((match) => ({ expected: round, match: bump(match, round) })),
          );
          moved += done.size;
        }
      }),
    );
    expect(moved).toBe(12 * 10);
    const tails = await Promise.all(all.map(({ id }) => one.store.tail(id, 0)));
    expect(tails.map((tail) => tail.length).reduce((a, b) => a + b)).toBe(moved);
    for (const tail of tails) expect(tail.map(({ version }) => version)).toEqual(tail.map((_, i) => i + 1));
  });

  /** A match whose next event has version `from + 1`. All writers make the same events. */
  function bump(match: Match, from: number): Match {
    const joined = join(match, {}, match.createdAt);
    const filler = (version: number) => ({ ...(joined.events.at(0) as LoggedEvent), version });
    const before = Array.from({ length: from + 1 }, (_, i) => filler(i + 1));
    return { ...join(match), version: from + 1, events: Log.of(before) };
  }
});

it('a submission is one statement, however long the match is', async () => {
  const server = await openServices(database.url, { registry: realGames });
  const [ann, ben] = [players[0], players[1]];
  const { id } = await runningMatch(server, [ann, ben], 'cacao');
  const statements = vi.spyOn(server.database.pool, 'query');
  const rng = fastRng(1);
  for (let match = await server.matches.see(null, id); match.status === 'ACTIVE'; ) {
    const [seat] = match.acting as [number];
    const action = rng.pick(match.engine.legal(match.state as object, seat));
    statements.mockClear();
    ({ match } = await server.matches.submit(seat === 0 ? ann : ben, { matchId: id, action, actionId: randomUUID() }));
    expect(statements).toHaveBeenCalledOnce();
  }
  await server.close();
});

describe('the memo', () => {
  it('is bounded, and dropping it changes nothing', async () => {
    const small = await openServices(database.url, { memoMatches: 2 });
    const ids = await Promise.all([1, 2, 3, 4].map(async () => (await runningMatch(one, players)).id));
    for (let round = 0; round < 3; round++) {
      for (const id of ids) {
        const action = await anAction(small.matches, players[round] as Player, id);
        await small.matches.submit(players[round] as Player, { matchId: id, action });
        expect(small.memo.size).toBeLessThanOrEqual(2);
      }
    }
    for (const id of ids) {
      expect((await one.matches.see(null, id)).events).toEqual((await small.matches.see(null, id)).events);
    }
    await small.close();
  });

  it('shares one read among all who ask at once', async () => {
    const { id } = await runningMatch(one, players);
    let reads = 0;
    const third = await openServices(database.url);
    const { whole, since } = third.store;
    third.store.whole = (...args) => {
      reads++;
      return whole(...args);
    };
    third.store.since = (...args) => {
      reads++;
      return since(...args);
    };
    await Promise.all(Array.from({ length: 50 }, () => third.memo.recall(id)));
    expect(reads).toBe(1);
    await two.matches.submit(players[0], { matchId: id, action: await anAction(two.matches, players[0], id) });
    reads = 0;
    const seen = await Promise.all(Array.from({ length: 50 }, () => third.memo.reach(id, 5)));
    expect(reads).toBe(1);
    expect(new Set(seen.map((match) => match?.version))).toEqual(new Set([5]));
    reads = 0;
    await Promise.all(Array.from({ length: 50 }, () => third.memo.fresh(id)));
    expect(reads).toBe(1);
    // Whoever asks while a read is under way waits for the next one, because this one may have begun too early.
    reads = 0;
    const early = third.memo.fresh(id);
    while (reads === 0) await new Promise(setImmediate);
    await Promise.all([early, ...Array.from({ length: 50 }, () => third.memo.fresh(id))]);
    expect(reads).toBe(2);
    await third.close();
  });
});

it.each([
  ['of one match', appendOne],
  ['of several', append({ skipLocked: false, pooled: false })],
  ['that skips locked ones', append({ skipLocked: true, pooled: false })],
])('an append %s looks up the event before it, and never reads the whole log', async (_which, text) => {
  const { rows } = await one.database.pool.query(`EXPLAIN (GENERIC_PLAN) ${text}`);
  expect(JSON.stringify(rows)).toContain('Index Scan using events_pkey');
  expect(JSON.stringify(rows)).not.toContain('hashed SubPlan');
});

it('an append of several looks its rows up in the order in which they were sent, which prevents deadlocks', async () => {
  const { rows } = await one.database.pool.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (GENERIC_PLAN) ${append({ skipLocked: false, pooled: false })}`,
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join();
  const [, updated] = /Update on matches m(.*)CTE added/.exec(plan) as RegExpExecArray;
  expect(updated).toMatch(/^[^>]*-> +Nested Loop [^>]*-> +Function Scan on t .*-> +Index Scan using matches_pkey on/);
});
