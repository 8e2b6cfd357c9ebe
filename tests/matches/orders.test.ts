/** Standing orders: taken at once, in the same append, private until the end, revocable. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { exporting, history, myOrder } from '../../src/api/present.ts';
import { registry } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import type { Match } from '../../src/matches/log/records.ts';
import { documentOf, numbered, playersOf } from '../../src/matches/proof/document.ts';
import { verify } from '../../src/matches/proof/verify.ts';
import type { Player } from '../../src/players/player.ts';
import { atOnce } from '../../src/turns.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { newPlayers, openServices, runningMatch, type TestServices } from '../support/servers.ts';
import { freeWork } from '../support/work.ts';

const exported = (...of: Parameters<typeof exporting>) => atOnce(exporting(...of));

let database: FreshDatabase;
let server: TestServices;
let players: [Player, Player];

beforeAll(async () => {
  database = await freshDatabase();
  server = await openServices(database.url, { registry });
  players = (await newPlayers(server, 'Ann', 'Ben')) as [Player, Player];
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

const SELL = { work: 'sell' };
const refused = (code: string) => expect.objectContaining({ code });

/** Random actions until the end; returns how often a seat was asked to work on the other's turn. */
async function playOut(id: string): Promise<{ asked: number[]; end: Match }> {
  const asked = [0, 0];
  const rng = fastRng(4);
  for (;;) {
    const match = await server.matches.see(null, id);
    if (match.endedAt) return { asked, end: match };
    const seat = rng.pick(match.acting);
    const state = match.state as { step: string; active: number };
    if (state.step === 'work' && seat !== state.active) asked[seat] = (asked[seat] as number) + 1;
    const action = rng.pick(match.engine.legal(match.state as object, seat));
    const { event } = await server.matches.submit(players[seat] as Player, { matchId: id, action });
    expect(event).toMatchObject({ version: match.version + 1, seat, action });
  }
}

it('decides for the seat that gave it, and for no other', async () => {
  let [withOrder, without] = [0, 0];
  // The dice of a match are the server's own: it may take a few until the seat without an order is asked.
  for (let i = 0; i < 4 || (without === 0 && i < 60); i++) {
    const { id } = await runningMatch(server, players, 'cacao');
    const { event } = await server.matches.order(players[1], id, SELL);
    expect(event).toMatchObject({ type: 'ORDERED', seat: 1 });
    const { asked, end } = await playOut(id);
    without += asked[0] as number;
    withOrder += asked[1] as number;
    expect(verify(registry, documentOf(end, numbered(playersOf(end)))).match.result).toEqual(end.result);
  }
  expect(withOrder).toBe(0);
  expect(without).toBeGreaterThan(0);
});

it('is visible only to its seat until the end, and can be withdrawn', async () => {
  const { id } = await runningMatch(server, players, 'cacao');
  const { match } = await server.matches.order(players[1], id, SELL);
  expect(myOrder(match, players[1])).toEqual(SELL);
  expect(myOrder(match, players[0])).toBeNull();
  expect(history(match, players[1], freeWork).at(-1)).toMatchObject({ type: 'ORDERED', action: { order: SELL } });
  for (const caller of [players[0], null]) {
    expect(history(match, caller, freeWork).at(-1)).toMatchObject({
      type: 'ORDERED',
      seat: 1,
      action: null,
      label: null,
    });
    expect(JSON.stringify(exported(match, caller, ['A', 'B']))).not.toContain('sell');
  }
  const { match: withdrawn } = await server.matches.order(players[1], id, null);
  expect(myOrder(withdrawn, players[1])).toBeNull();
  const { end } = await playOut(id);
  expect(history(end, null, freeWork).find(({ type }) => type === 'ORDERED')?.action).toEqual({ order: SELL });
});

it('is refused where it makes no sense', async () => {
  const { id } = await runningMatch(server, players, 'cacao');
  await expect(server.matches.order(players[0], id, { work: 'dance' })).rejects.toEqual(refused('BAD_INPUT'));
  await expect(server.matches.order(players[0], id, 'sell')).rejects.toEqual(refused('BAD_INPUT'));
  const [stranger] = await newPlayers(server, 'Zoe');
  await expect(server.matches.order(stranger as Player, id, SELL)).rejects.toEqual(refused('NOT_SEATED'));
  const other = await runningMatch(server, players, 'haleakala');
  await expect(server.matches.order(players[0], other.id, SELL)).rejects.toEqual(refused('BAD_INPUT'));
  const open = await server.matches.create(players[0], { game: 'cacao', seats: 2 });
  await expect(server.matches.order(players[0], open.id, SELL)).rejects.toEqual(refused('MATCH_NOT_ACTIVE'));
});
