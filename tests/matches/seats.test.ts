/** Who may take which seat: nobody sees two hands, comes back after resigning, or fills a table of others. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { CreateInput } from '../../src/matches/commands/seating.ts';
import type { Match } from '../../src/matches/log/records.ts';
import type { Player } from '../../src/players/player.ts';
import { newPlayers, twoServers } from '../support/servers.ts';

let time = Date.UTC(2027, 0, 1);
const { one, two } = await twoServers({ now: () => new Date(time) });
let [ann, ben, cho, dee] = [] as unknown as [Player, Player, Player, Player];
beforeAll(async () => {
  [ann, ben, cho, dee] = (await newPlayers(one, 'Ann', 'Ben', 'Cho', 'Dee')) as [Player, Player, Player, Player];
});

const refused = (code: string) => expect.objectContaining({ code });

async function running(extra: Partial<CreateInput> = {}, seats = 3): Promise<Match> {
  let match = await one.matches.create(ann, { game: 'highest', seats, ...extra });
  for (const player of [ben, cho].slice(0, seats - 1)) match = await one.matches.join(player, match.id, {});
  return match;
}

const timeOut = async (extra: Partial<CreateInput> = {}) => {
  const match = await running({ takeover: true, clock: { bankSeconds: 10 }, ...extra });
  const play = async (player: Player, seat: number) => {
    const { state, engine } = await one.matches.see(player, match.id);
    await one.matches.submit(player, { matchId: match.id, action: engine.legal(state as object, seat)[0] });
  };
  await play(ann, 0);
  await play(cho, 2);
  time += 11_000;
  await one.sweep();
  return one.matches.see(null, match.id);
};

describe('a running match with takeover', () => {
  it('gives no seat to a player who resigned', async () => {
    const { id } = await running({ takeover: true });
    await one.matches.resign(ben, id);
    for (const seat of [null, 0, 1, 2])
      await expect(two.matches.join(ben, id, { seat })).rejects.toEqual(refused('FORBIDDEN'));
    expect(await two.matches.join(dee, id, {})).toMatchObject({ seats: [ann.id, dee.id, cho.id] });
  });

  it('gives no seat to a player who ran out of time, if that counts as a resignation', async () => {
    const { id, vacant } = await timeOut({ clock: { bankSeconds: 10, onTimeout: 'FORFEIT' } });
    expect(vacant).toEqual([1]);
    await expect(one.matches.join(ben, id, {})).rejects.toEqual(refused('FORBIDDEN'));
  });

  it('lets a player who lost the seat to a bot take that seat again, and no other', async () => {
    const { id, vacant } = await timeOut();
    expect(vacant).toEqual([1]);
    await one.matches.resign(cho, id);
    await expect(one.matches.join(ben, id, { seat: 2 })).rejects.toEqual(refused('FORBIDDEN'));
    expect((await one.matches.join(ben, id, {})).seats[1]).toBe(ben.id);
    await expect(one.matches.join(ben, id, { seat: 2 })).rejects.toEqual(refused('BAD_INPUT'));
  });

  it('gives no other seat to a player who took one over and lost it', async () => {
    const { id } = await timeOut();
    await one.matches.join(dee, id, { seat: 1 });
    time += 11_000;
    await one.sweep();
    expect((await one.matches.see(null, id)).vacant).toContain(1);
    await one.matches.resign(cho, id);
    await expect(one.matches.join(dee, id, { seat: 2 })).rejects.toEqual(refused('FORBIDDEN'));
    expect((await one.matches.join(dee, id, {})).seats[1]).toBe(dee.id);
  });

  it('is open to a player who left before the start, when there was nothing to see', async () => {
    const match = await one.matches.create(ann, { game: 'highest', seats: 3, takeover: true });
    await one.matches.join(dee, match.id, {});
    await one.matches.leave(dee, match.id);
    for (const player of [ben, cho]) await one.matches.join(player, match.id, {});
    await one.matches.resign(cho, match.id);
    expect((await one.matches.join(dee, match.id, {})).seats[2]).toBe(dee.id);
  });
});

describe('bots', () => {
  it('do not start a table whose creator waits for people', async () => {
    const { id } = await one.matches.create(ann, { game: 'highest', seats: 3 });
    await one.matches.join(ben, id, {});
    await expect(one.matches.addBot(ben, id, 'EASY')).rejects.toEqual(refused('FORBIDDEN'));
    expect((await one.matches.addBot(ann, id, 'EASY')).status).toBe('ACTIVE');
    const unseated = await one.matches.create(ann, { game: 'highest', seats: 2, sit: false });
    await one.matches.join(ben, unseated.id, {});
    await expect(one.matches.addBot(ben, unseated.id, 'EASY')).rejects.toEqual(refused('FORBIDDEN'));
  });

  it('are added by those who stay when the creator has left', async () => {
    const { id } = await one.matches.create(ann, { game: 'highest', seats: 2 });
    await one.matches.join(ben, id, {});
    const other = await one.matches.create(ann, { game: 'highest', seats: 3 });
    await one.matches.join(ben, other.id, {});
    await one.matches.leave(ann, other.id);
    expect((await one.matches.addBot(ben, other.id, 'EASY')).status).toBe('OPEN');
  });

  it('take no seat of a rematch that is kept for a player', async () => {
    const { id } = await running({}, 2);
    await one.matches.resign(ben, id);
    const rematch = await one.matches.rematch(ann, id);
    await expect(one.matches.addBot(ann, rematch.id, 'EASY')).rejects.toEqual(refused('FORBIDDEN'));
    expect((await one.matches.rematch(ben, id)).status).toBe('ACTIVE');
  });
});

describe('a rematch', () => {
  it('cannot be spoilt by calling it off again and again', async () => {
    const { id } = await running({}, 2);
    await one.matches.resign(ben, id);
    const spoil = async () => one.matches.cancel(ann, (await one.matches.rematch(ann, id)).id);
    for (let n = 0; n < 3; n++) await spoil();
    for (let n = 0; n < 25; n++) await expect(spoil()).rejects.toEqual(refused('FORBIDDEN'));
    const asked = await two.matches.rematch(ben, id);
    expect(asked).toMatchObject({ status: 'OPEN', creatorId: ben.id });
    expect(await one.matches.rematch(ann, id)).toMatchObject({ id: asked.id, status: 'ACTIVE' });
  });
});

describe('a deleted account', () => {
  it('gives up its seats, leaves tables that wait, and calls off those at which nobody else sits', async () => {
    const [eve] = (await newPlayers(one, 'Eve')) as [Player];
    const sit = async (seats: number, ...others: Player[]) => {
      const { id } = await one.matches.create(ann, { game: 'highest', seats });
      for (const player of others) await one.matches.join(player, id, {});
      return id;
    };
    const [pair, three, waiting] = [await sit(2, eve), await sit(3, eve, cho), await sit(3, eve)];
    const own = await one.matches.create(eve, { game: 'highest', seats: 3, bots: ['EASY'] });
    const shared = await one.matches.create(eve, { game: 'highest', seats: 3 });
    await one.matches.join(ben, shared.id, {});
    const fork = await one.matches.fork(eve, pair, 3);
    await two.matches.abandon(eve);
    const see = (id: string, caller: Player | null = null) => one.matches.see(caller, id);
    expect(await see(pair)).toMatchObject({ status: 'FINISHED', result: { ranks: [1, 2] } });
    expect(await see(three)).toMatchObject({ status: 'ACTIVE', vacant: [1], lost: [1] });
    expect(await see(waiting)).toMatchObject({ status: 'OPEN', seats: [ann.id, null, null] });
    expect(await see(own.id)).toMatchObject({ status: 'CANCELLED' });
    expect(await see(shared.id)).toMatchObject({ status: 'OPEN', seats: [null, ben.id, null] });
    expect(await see(fork.id, eve)).toMatchObject({ status: 'ACTIVE' });
    await two.matches.abandon(eve); // changes nothing more
    expect((await see(three)).lost).toEqual([1]);
  });
});
