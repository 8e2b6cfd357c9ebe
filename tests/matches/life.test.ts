/** Opening, joining, leaving, acting: what each command does and how it is refused. */
import { describe, expect, it } from 'vitest';
import type { Match } from '../../src/matches/log/records.ts';
import type { Player } from '../../src/players/player.ts';
import { anAction, newPlayers, runningMatch, twoServers } from '../support/servers.ts';

const { one, two, players } = await twoServers();
const [ann, ben, cho] = players;

const refused = (code: string) => expect.objectContaining({ code });
const types = (match: Match) => match.events.map(({ type }) => type);

describe('opening a match', () => {
  it('seats the creator and starts with the last seat', async () => {
    const opened = await one.matches.create(ann, { game: 'highest', seats: 2 });
    expect(opened).toMatchObject({ status: 'OPEN', version: 1, seats: [ann.id, null], acting: [] });
    const started = await two.matches.join(ben, opened.id, {});
    expect(started).toMatchObject({ status: 'ACTIVE', version: 3, seats: [ann.id, ben.id], acting: [0, 1] });
    expect(types(started)).toEqual(['JOINED', 'JOINED', 'STARTED']);
    expect(started.startedAt).toEqual(started.events.at(2)?.at);
  });

  it('leaves seat 0 free when the creator does not sit', async () => {
    const opened = await one.matches.create(ann, { game: 'highest', seats: 2, sit: false });
    expect(opened).toMatchObject({ status: 'OPEN', version: 0, seats: [null, null] });
    expect((await one.matches.join(ben, opened.id, { seat: 1 })).seats).toEqual([null, ben.id]);
  });

  it.each([
    [{ game: 'poker', seats: 2 }, 'NOT_FOUND'],
    [{ game: 'highest', seats: 1 }, 'BAD_INPUT'],
    [{ game: 'highest', seats: 4 }, 'BAD_INPUT'],
    [{ game: 'highest', seats: 2, options: { x: 1 } }, 'BAD_INPUT'],
    [{ game: 'highest', seats: 2, entropy: 'x'.repeat(101) }, 'BAD_INPUT'],
    [{ game: 'highest', seats: 2, entropy: '' }, 'BAD_INPUT'],
  ])('refuses %j with %s', async (input, code) => {
    await expect(one.matches.create(ann, input)).rejects.toEqual(refused(code));
  });
});

describe('taking and leaving seats', () => {
  it('changes nothing when a player joins again', async () => {
    const { id } = await one.matches.create(ann, { game: 'highest', seats: 3 });
    const joined = await one.matches.join(ben, id, { seat: 2 });
    expect((await two.matches.join(ben, id, {})).version).toBe(joined.version);
    expect((await two.matches.join(ben, id, { seat: 2 })).version).toBe(joined.version);
    await expect(two.matches.join(ben, id, { seat: 1 })).rejects.toEqual(refused('BAD_INPUT'));
  });

  it('refuses a taken seat, a seat that does not exist, and a full match', async () => {
    const { id } = await one.matches.create(ann, { game: 'highest', seats: 2 });
    await expect(one.matches.join(ben, id, { seat: 0 })).rejects.toEqual(refused('MATCH_FULL'));
    await expect(one.matches.join(ben, id, { seat: 2 })).rejects.toEqual(refused('BAD_INPUT'));
    await expect(one.matches.join(ben, id, { seat: -1 })).rejects.toEqual(refused('BAD_INPUT'));
    await one.matches.join(ben, id, {});
    await expect(one.matches.join(cho, id, {})).rejects.toEqual(refused('MATCH_FULL'));
  });

  it('gives the last seat to one of many who want it at once', async () => {
    const { id } = await one.matches.create(ann, { game: 'highest', seats: 2 });
    const crowd = await newPlayers(one, ...Array.from({ length: 20 }, (_, i) => `crowd ${i}`));
    const tries = crowd.map((player, i) => (i % 2 ? one : two).matches.join(player, id, {}));
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toEqual(refused('MATCH_FULL'));
  });

  it('lets a player leave before the start only, and cancels an empty match', async () => {
    const { id } = await one.matches.create(ann, { game: 'highest', seats: 3 });
    await one.matches.join(ben, id, {});
    expect(await two.matches.leave(ben, id)).toMatchObject({ status: 'OPEN', seats: [ann.id, null, null] });
    await expect(two.matches.leave(ben, id)).rejects.toEqual(refused('NOT_SEATED'));
    expect(await two.matches.leave(ann, id)).toMatchObject({ status: 'CANCELLED', seats: [null, null, null] });
    await expect(one.matches.join(ben, id, {})).rejects.toEqual(refused('MATCH_OVER'));
    const running = await runningMatch(one, [ann, ben]);
    await expect(one.matches.leave(ann, running.id)).rejects.toEqual(refused('FORBIDDEN'));
  });
});

describe('private matches', () => {
  it('are invisible to others, except to those with the invite', async () => {
    const { id, invite } = await one.matches.create(ann, { game: 'highest', seats: 2, visibility: 'PRIVATE' });
    expect(invite).toMatch(/^[\w-]{16}$/);
    for (const caller of [null, ben]) {
      await expect(two.matches.see(caller, id)).rejects.toEqual(refused('NOT_FOUND'));
      await expect(two.matches.see(caller, id, 'wrong')).rejects.toEqual(refused('NOT_FOUND'));
      expect((await two.matches.see(caller, id, invite)).id).toBe(id);
    }
    await expect(two.matches.join(ben, id, {})).rejects.toEqual(refused('NOT_FOUND'));
    await expect(two.matches.submit(ben, { matchId: id, action: {} })).rejects.toEqual(refused('NOT_FOUND'));
    await expect(two.matches.events(ben, id, 0)).rejects.toEqual(refused('NOT_FOUND'));
    await two.matches.join(ben, id, { invite });
    expect((await one.matches.see(ben, id)).status).toBe('ACTIVE');
    await one.matches.submit(ben, { matchId: id, action: await anAction(one.matches, ben, id) });
  });
});

describe('acting', () => {
  it('is refused with the right error code', async () => {
    const open = await one.matches.create(ann, { game: 'highest', seats: 2 });
    const submit = (player: Player, matchId: string, rest: object = {}) =>
      two.matches.submit(player, { matchId, action: { type: 'card', card: 99 }, ...rest });
    await expect(submit(ann, open.id)).rejects.toEqual(refused('MATCH_NOT_ACTIVE'));
    await expect(submit(ann, 'nonsense')).rejects.toEqual(refused('NOT_FOUND'));
    await expect(submit(ann, '00000000-0000-7000-8000-000000000000')).rejects.toEqual(refused('NOT_FOUND'));

    const { id, version } = await runningMatch(one, [ann, ben]);
    await expect(submit(cho, id)).rejects.toEqual(refused('NOT_SEATED'));
    await expect(submit(ann, id)).rejects.toEqual(refused('ILLEGAL_ACTION'));
    await expect(submit(ann, id, { action: 'card' })).rejects.toEqual(refused('BAD_INPUT'));
    await expect(submit(ann, id, { actionId: 'x'.repeat(101) })).rejects.toEqual(refused('BAD_INPUT'));
    await expect(submit(ann, id, { expectedVersion: version + 1 })).rejects.toMatchObject({
      code: 'STALE_VERSION',
      details: { version },
    });
    await one.matches.submit(ann, { matchId: id, action: await anAction(one.matches, ann, id) });
    await expect(submit(ann, id)).rejects.toEqual(refused('NOT_YOUR_TURN'));
  });

  it('accepts a version that is stale but harmless, and no other', async () => {
    const { id, version } = await runningMatch(one, [ann, ben]);
    const bens = await anAction(one.matches, ben, id);
    await one.matches.submit(ann, {
      matchId: id,
      expectedVersion: version,
      action: await anAction(one.matches, ann, id),
    });
    // Ann's choice does not matter to Ben, who decided on the same cards.
    const receipt = await two.matches.submit(ben, { matchId: id, expectedVersion: version, action: bens });
    expect(receipt.event.version).toBe(version + 2);
    // The round is over: what was decided on the old cards is refused.
    const late = { matchId: id, expectedVersion: version, action: await anAction(one.matches, ann, id) };
    await expect(two.matches.submit(ann, late)).rejects.toEqual(refused('STALE_VERSION'));
  });

  it('plays a match to the end, and nothing after it', async () => {
    const match = await runningMatch(one, [ann, ben]);
    const end = await playOut(match.id, [ann, ben]);
    expect(end).toMatchObject({ status: 'FINISHED', acting: [], version: 3 + 6 });
    expect(end.result?.scores.reduce((a, b) => a + b)).toBe(3);
    expect(end.endedAt).toEqual(end.events.at(-1)?.at);
    const after = { matchId: match.id, action: { type: 'card', card: 1 } };
    await expect(one.matches.submit(ann, after)).rejects.toEqual(refused('MATCH_OVER'));
  });

  async function playOut(id: string, players: Player[]): Promise<Match> {
    for (;;) {
      const match = await one.matches.see(null, id);
      const seat = match.acting[0];
      if (seat === undefined) return match;
      const player = players[seat] as Player;
      await (match.version % 2 ? one : two).matches.submit(player, {
        matchId: id,
        action: await anAction(two.matches, player, id),
      });
    }
  }
});

describe('the lobby', () => {
  it('filters, pages and shows private matches only to their players', async () => {
    const [dee] = (await newPlayers(one, 'Dee')) as [Player];
    const open = await one.matches.create(dee, { game: 'highest', seats: 2 });
    const secret = await one.matches.create(dee, { game: 'highest', seats: 2, visibility: 'PRIVATE' });
    const running = await runningMatch(one, [dee, ben]);
    const ids = async (caller: Player | null, input: object) =>
      (await two.matches.list(caller, input)).matches.map(({ id }) => id);
    expect(await ids(dee, { mine: true })).toEqual([running.id, secret.id, open.id]);
    expect(await ids(dee, { mine: true, status: 'OPEN' })).toEqual([secret.id, open.id]);
    expect(await ids(dee, { myTurn: true })).toEqual([running.id]);
    expect(await ids(ben, { first: 3 })).toEqual(expect.not.arrayContaining([secret.id]));
    expect(await ids(null, { game: 'nothing' })).toEqual([]);
    const page = await two.matches.list(dee, { mine: true, first: 1 });
    expect(page).toMatchObject({ more: true, matches: [{ id: running.id }] });
    expect(await ids(dee, { mine: true, first: 2, after: running.id })).toEqual([secret.id, open.id]);
    await one.matches.submit(dee, { matchId: running.id, action: await anAction(one.matches, dee, running.id) });
    expect(await ids(dee, { myTurn: true })).toEqual([]);
    expect(await ids(ben, { myTurn: true })).toContain(running.id);
  });

  it.each([
    [{ first: 0 }, 'BAD_INPUT'],
    [{ first: 101 }, 'BAD_INPUT'],
    [{ after: 'nonsense' }, 'BAD_INPUT'],
    [{ mine: true }, 'UNAUTHENTICATED'],
    [{ myTurn: true }, 'UNAUTHENTICATED'],
  ])('refuses %j of an anonymous caller with %s', async (input, code) => {
    await expect(one.matches.list(null, input)).rejects.toEqual(refused(code));
  });
});
