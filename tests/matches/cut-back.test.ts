/** A failover to a standby that had not received the last events: the log is behind what servers remember. */
import { randomUUID } from 'node:crypto';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openMemo } from '../../src/matches/log/memo.ts';
import type { Match } from '../../src/matches/log/records.ts';
import { openStore } from '../../src/matches/log/store.ts';
import { checkDatabase } from '../../src/matches/proof/check-database.ts';
import type { Player } from '../../src/players/player.ts';
import { behindItsBack, standbyOf } from '../support/behind.ts';
import { startInstance } from '../support/instance.ts';
import {
  anAction,
  openServices,
  runningMatch,
  sampleRegistry,
  type TestServices,
  twoServers,
} from '../support/servers.ts';

const { database, one, two, players } = await twoServers();
const { pool } = one.database;

async function play(server: TestServices, id: string, player: Player, pick = 0, actionId = randomUUID()) {
  const match = await server.matches.see(player, id);
  const legal = match.engine.legal(match.state as object, match.seats.indexOf(player.id));
  const action = legal.at(pick) as object;
  return { action, actionId, ...(await server.matches.submit(player, { matchId: id, action, actionId })) };
}

const [ann, ben, cho] = players;

/** At version 5 in the log, while `one` remembers version 6. */
async function lostEvent() {
  const { id } = await runningMatch(one, players);
  await play(one, id, ann);
  const failover = await standbyOf(pool, id);
  const lost = await play(one, id, ben);
  return { id, failover, lost };
}

describe('a match of which the database has lost the last event', () => {
  it('continues from what the log has, whichever request comes first', async () => {
    const { id, failover } = await lostEvent();
    await failover();
    expect(one.memo.peek(id)?.version).toBe(6);
    const stale = one.matches.submit(ben, {
      matchId: id,
      expectedVersion: 6,
      action: await anAction(two.matches, ben, id),
    });
    await expect(stale).rejects.toMatchObject({ code: 'STALE_VERSION', details: { version: 5 } });
    expect(one.cuts.splice(0)).toEqual([[6, 5]]);
    expect((await play(one, id, ben)).event.version).toBe(6);
    const next = await lostEvent();
    await next.failover();
    expect((await one.matches.see(null, next.id)).version).toBe(5);
    expect(one.cuts.splice(0)).toEqual([[6, 5]]);
  });

  it('does not answer a lost action from memory: sent again, it is taken', async () => {
    const { id, failover, lost } = await lostEvent();
    await failover();
    const { action, actionId } = lost;
    const again = await one.matches.submit(ben, { matchId: id, action, actionId });
    expect(again.event).toMatchObject({ version: 6, actionId });
    const { rows } = await pool.query('SELECT version FROM events WHERE match_id = $1 AND action_id = $2', [
      id,
      actionId,
    ]);
    expect(rows).toEqual([{ version: 6 }]);
  });

  it('is never continued from a history that another server has replaced', async () => {
    const { id, failover, lost } = await lostEvent();
    await failover();
    const other = await play(two, id, ben, -1); // the log is as long as memory again, and says something else
    expect(other.action).not.toEqual(lost.action);
    expect(one.memo.peek(id)).toMatchObject({ version: 6 });
    const next = await one.matches.submit(cho, { matchId: id, action: await anAction(two.matches, cho, id) });
    expect(next.event.version).toBe(7);
    const { faults } = await checkDatabase(one.database, sampleRegistry, () => {});
    expect(faults).toEqual([]);
  });

  it('that is gone completely is not found', async () => {
    const { id } = await runningMatch(one, players);
    await behindItsBack(
      pool,
      ['DELETE FROM events WHERE match_id = $1', [id]],
      ['DELETE FROM matches WHERE id = $1', [id]],
    );
    await expect(one.matches.see(null, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('tells only those who saw what was lost, even while nobody plays', async () => {
    const { id, failover } = await lostEvent();
    const third = await openServices(database.url);
    const versions = async (after: number) => {
      const seen: number[] = [];
      try {
        for await (const { event } of await third.matches.events(null, id, after)) {
          seen.push(event.version);
          if (event.version === 7) break;
        }
      } catch (error) {
        return [...seen, (error as { code: string }).code, (error as { details: object }).details];
      }
      return seen;
    };
    const [early, late] = [versions(4), versions(6)];
    await expect.poll(() => third.memo.size).toBe(1);
    await failover();
    expect(await early).toEqual([5, 6, 'HISTORY_CUT', { version: 5 }]);
    expect(await late).toEqual(['HISTORY_CUT', { version: 5 }]);
    const whole = versions(5);
    await play(two, id, ben);
    await play(two, id, cho);
    expect(await whole).toEqual([6, 7]);
    await third.close();
  });
});

it('reports the loss on every transport, logs it and counts it', async () => {
  const server = await startInstance(database.url);
  const { id } = await runningMatch(one, players);
  const failover = await standbyOf(pool, id);
  await play(one, id, ann);
  const query = `subscription { matchEvents(matchId: "${id}", after: 4) { version } }`;
  const lines: Record<string, unknown[]> = { socket: [], stream: [], rest: [] };

  const socket = createClient({ url: `${server.url.replace('http', 'ws')}/graphql`, webSocketImpl: WebSocket });
  const onSocket = new Promise<void>((done) => {
    socket.subscribe(
      { query },
      {
        next: ({ data }) => void lines.socket?.push(data),
        error: (errors) => done(void lines.socket?.push((errors as { extensions: object }[])[0]?.extensions)),
        complete: done,
      },
    );
  });
  const stream = createSseClient({ url: `${server.url}/graphql` });
  const onStream = (async () => {
    for await (const { data, errors } of stream.iterate({ query })) lines.stream?.push(data ?? errors?.[0]?.extensions);
  })();
  const accept = { accept: 'text/event-stream' };
  const rest = await fetch(`${server.url}/v1/matches/${id}/events?after=4`, { headers: accept });
  const onRest = rest.text();

  await expect.poll(() => [lines.socket, lines.stream]).toEqual(Array(2).fill([{ matchEvents: { version: 5 } }]));
  await failover();
  await Promise.all([onSocket, onStream]);
  const cut = { code: 'HISTORY_CUT', version: 4 };
  expect([lines.socket?.[1], lines.stream?.[1]]).toEqual([cut, cut]);
  expect(await onRest).toMatch(/\n\nid: 5\ndata: .*\n\nevent: cut\nid: 0\ndata: \{"version":4\}\n\n$/);
  expect(await server.metric('atoll_history_cut_total')).toBe(1);
  await socket.dispose();
  stream.dispose();
  await server.stop();
});

describe('a match whose row an operator changes', () => {
  const changeInvite = (id: string, invite: string) =>
    pool.query('UPDATE matches SET invite = $2 WHERE id = $1', [id, invite]);

  it('is not remembered as it was by a read of the log that was under way', async () => {
    const { id } = await runningMatch(one, players);
    expect((await one.memo.fresh(id))?.invite).toBeNull();
    await changeInvite(id, 'changed');
    const reading = one.memo.fresh(id);
    one.memo.forget((match) => match.id === id);
    await reading;
    expect((await one.memo.fresh(id))?.invite).toBe('changed');
  });

  it('is not remembered as it was by a move that was under way, even once it was read again', async () => {
    const { id } = await runningMatch(one, players);
    const before = (await one.memo.fresh(id)) as Match;
    await changeInvite(id, 'changed');
    one.memo.forget((match) => match.id === id);
    for (let times = 0; times < 2; times++) {
      one.memo.put(before, before); // as a move that was decided on the old row and committed just now
      expect((await one.memo.fresh(id))?.invite).toBe('changed');
    }
  });

  it('is not remembered as it was by a first read that was under way', async () => {
    const { id } = await runningMatch(one, players);
    const store = openStore(one.database);
    const memo = openMemo(
      sampleRegistry,
      {
        ...store,
        waiting: 0,
        async row(id) {
          const row = await store.row(id);
          if (row?.invite === null) await changeInvite(id, 'changed');
          memo.forget(() => true);
          return row;
        },
      },
      10,
    );
    await memo.fresh(id);
    expect((await memo.fresh(id))?.invite).toBe('changed');
  });
});
