/** To whom actions, orders and matches belong when seats change hands, and when one player has all seats. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registryOf } from '../../src/games/registry.ts';
import { verify } from '../../src/matches/proof/verify.ts';
import { highest } from '../games/tiny/highest.ts';
import type { LegalJson } from '../support/api.ts';
import { graphql } from '../support/api-graphql.ts';
import { rest } from '../support/api-rest.ts';
import { ways } from '../support/streams.ts';
import { type Member, newMember, type Pair, startPair, worldOf } from '../support/world.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.stop());

const members = (face: typeof rest, ...names: string[]): Promise<Member[]> =>
  Promise.all(names.map((name) => newMember(face, pair.urls, name)));

const anAction = async (player: Member, id: string, nth = 0) =>
  ((await player.legalActions(id)).at(nth) as LegalJson).action;

describe.each([graphql, rest])('by $name', (face) => {
  it('an action of an analysis match happens once, and its receipt hides nothing from its player', async () => {
    const { finished, cho } = await worldOf(face, pair.urls);
    const { id } = await cho.fork(finished.id, 4);
    let n = 0;
    for (; (await cho.match(id)).status === 'ACTIVE'; n++) {
      const action = await anAction(cho, id, n % 2 ? 0 : -1);
      const first = await cho.submit(id, { action, actionId: `${n}` });
      expect(first.event).toMatchObject({ action, label: expect.any(String) });
      const again = await cho.submit(id, { action, actionId: `${n}` });
      expect([again.version, again.event]).toEqual([first.version, first.event]);
    }
    expect((await cho.events(id)).filter(({ type }) => type === 'ACTED')).toHaveLength(n);
    expect(n).toBeGreaterThan(3);
  });

  it('an action id belongs to the player, not to the seat', async () => {
    const [ann, ben, cho, dee] = (await members(face, 'Ann', 'Ben', 'Cho', 'Dee')) as [Member, Member, Member, Member];
    const { id } = await ann.createMatch({ game: 'highest', seats: 3, takeover: true });
    for (const player of [ben, cho]) await player.join(id);
    const action = await anAction(ben, id);
    const first = await ben.submit(id, { action, actionId: 'x' });
    await ben.resign(id);
    expect((await ben.submit(id, { action, actionId: 'x' })).event).toEqual(first.event);
    await expect(ben.submit(id, { action, actionId: 'y' })).rejects.toMatchObject({ code: 'NOT_SEATED' });
    expect(await dee.join(id, { seat: 1 })).toMatchObject({ mySeat: 1 });
    for (const player of [ann, cho]) await player.submit(id, { action: await anAction(player, id) });
    const own = await dee.submit(id, { action: await anAction(dee, id), actionId: 'x' });
    expect(own.version).toBeGreaterThan(first.version);
  });

  it('an order is shown to the player who gave it, not to the one who took the seat over', async () => {
    const [ann, ben, cho, dee] = (await members(face, 'Ann', 'Ben', 'Cho', 'Dee')) as [Member, Member, Member, Member];
    const { id } = await ann.createMatch({ game: 'cacao', seats: 3, takeover: true });
    for (const player of [ben, cho]) await player.join(id);
    const { version } = await ben.setOrder(id, { work: 'sell' });
    await ben.resign(id);
    await dee.join(id, { seat: 1 });
    const seenBy = async (player: Member) => (await player.events(id, { after: version - 1, first: 1 }))[0]?.action;
    expect(await seenBy(ben)).toEqual({ order: { work: 'sell' } });
    for (const player of [dee, ann]) expect(await seenBy(player)).toBeNull();
    expect(await dee.order(id)).toBeNull();
  });

  it('two requests with one key create one thing', async () => {
    const [ann] = (await members(face, 'Ann')) as [Member];
    const input = { game: 'highest', seats: 2 };
    const [first, second] = [await ann.createMatch(input, 'key'), await ann.createMatch(input, 'key')];
    expect(second.id).toBe(first.id);
    expect((await ann.createMatch(input, 'other key')).id).not.toBe(first.id);
    await expect(ann.createMatch({ ...input, seats: 3 }, 'key')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('a player who deletes the account gives up the seat', async () => {
    const [ann, ben] = (await members(face, 'Ann', 'Ben')) as [Member, Member];
    const { id } = await ann.createMatch({ game: 'highest', seats: 2 });
    await ben.join(id);
    await ben.deletePlayer();
    expect(await ann.match(id)).toMatchObject({ status: 'FINISHED', result: { ranks: [1, 2] } });
  });

  it('a player who gave up a private match may still see it, and join the rematch', async () => {
    const [ann, ben, cho, dee] = (await members(face, 'Ann', 'Ben', 'Cho', 'Dee')) as [Member, Member, Member, Member];
    const { id, invite } = await ann.createMatch({ game: 'cacao', seats: 3, visibility: 'PRIVATE' });
    for (const player of [ben, cho]) await player.join(id, { invite });
    for (const player of [ben, cho]) await player.resign(id);
    expect(await ben.match(id)).toMatchObject({ status: 'FINISHED', invite: null });
    await expect(dee.match(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(dee.rematch(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const again = await ann.rematch(id);
    await cho.rematch(id);
    expect(await ben.rematch(id)).toMatchObject({ id: again.id, status: 'ACTIVE' });
  });

  it('a match that was called off can be proven and imported, but not played again', async () => {
    const [ann, ben, cho] = (await members(face, 'Ann', 'Ben', 'Cho')) as [Member, Member, Member];
    const { id } = await ann.createMatch({ game: 'highest', seats: 3 });
    await ben.join(id);
    await ann.cancel(id);
    const document = await cho.export(id);
    expect(verify(registryOf([highest as never]), document).match.status).toBe('CANCELLED');
    expect(await cho.import(document)).toMatchObject({ id, status: 'CANCELLED' });
    await expect(ann.rematch(id)).rejects.toMatchObject({ code: 'MATCH_NOT_ACTIVE' });
  });

  it('an analysis match has no rematch', async () => {
    const { finished, cho } = await worldOf(face, pair.urls);
    const { id } = await cho.fork(finished.id, 4);
    await expect(cho.rematch(id)).rejects.toMatchObject({ code: 'MATCH_NOT_ACTIVE' });
    await cho.resign(id);
    await expect(cho.rematch(id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('only a seated player can undo, whatever version is named', async () => {
    const { active, cho } = await worldOf(face, pair.urls);
    await expect(cho.undo(active.id, 1)).rejects.toMatchObject({ code: 'NOT_SEATED' });
  });
});

describe.each(ways)('by a stream of %s', (way, open) => {
  it('a player who leaves a private match is told that it may no longer be seen, not that it is over', async () => {
    const [ann, ben] = (await members(rest, 'Ann', 'Ben')) as [Member, Member];
    const { id, invite } = await ann.createMatch({ game: 'highest', seats: 3, visibility: 'PRIVATE' });
    await ben.join(id, { invite });
    const stream = open(pair.urls[0], { id, token: ben.token });
    await expect.poll(() => stream.seen.length).toBe(2);
    await ben.leave(id);
    expect(await stream.ended).toBe(way === 'REST' ? 'cut' : 'refused NOT_FOUND');
    expect(stream.seen).toHaveLength(2);
  });
});
