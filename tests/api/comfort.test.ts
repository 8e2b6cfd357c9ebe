/** What keeps a table going, from outside: bots that move, clocks that run out, seats that are given up and taken. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventJson, MatchJson } from '../support/api.ts';
import { graphql } from '../support/api-graphql.ts';
import { rest } from '../support/api-rest.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { byRest, bySocket } from '../support/streams.ts';
import { type Member, newMember, type Pair, startPair } from '../support/world.ts';

const PATIENCE = { timeout: 60_000, interval: 50 };

const kinds = ({ seats }: MatchJson) => seats.map(({ player }) => player?.kind);
const types = (events: readonly EventJson[], type: string) => events.filter((event) => event.type === type);

describe.each([
  { face: graphql, open: bySocket },
  { face: rest, open: byRest },
])('$face.name', ({ face, open }) => {
  let pair: Pair;
  let ann: Member;
  let ben: Member;

  beforeAll(async () => {
    pair = await startPair();
    ann = await newMember(face, pair.urls, 'Ann');
    ben = await newMember(face, pair.urls, 'Ben');
  });
  afterAll(() => pair.stop());

  it('a lone newcomer opens a table with bots in one call and plays to its end', async () => {
    const { id, ...opened } = await ann.createMatch({ game: 'cacao', seats: 3, bots: ['EASY', 'EASY'] });
    expect(opened).toMatchObject({ status: 'ACTIVE', mySeat: 0 });
    expect(kinds({ id, ...opened })).toEqual(['HUMAN', 'BOT', 'BOT']);
    const stream = open(pair.urls[1], { id, token: ann.token });
    for (;;) {
      const { status, acting } = await ann.match(id);
      if (status === 'FINISHED') break;
      // Only its own decisions: whatever the bots have to do happens by itself.
      if (acting.includes(0)) await ann.submit(id, { action: (await ann.legalActions(id))[0]?.action });
      else await expect.poll(async () => (await ann.match(id)).acting, PATIENCE).not.toEqual(acting);
    }
    expect(await stream.ended).toBe('complete');
    expect(stream.seen.map(({ version }) => version)).toEqual(stream.seen.map((_, i) => i + 1));
    expect(new Set(types(stream.seen, 'ACTED').map(({ seat }) => seat))).toEqual(new Set([0, 1, 2]));
    expect((await ann.match(id)).result?.ranks).toHaveLength(3);
  });

  it('a match that everybody has left is played to its end', async () => {
    const { id } = await ann.createMatch({ game: 'cacao', seats: 2, clock: { bankSeconds: 1 } });
    const { seats } = await ben.join(id);
    expect(seats.filter(({ deadline }) => deadline !== null)).toHaveLength(1);
    const stream = open(pair.urls[0], { id, token: ann.token });
    expect(await stream.ended).toBe('complete');
    expect(types(stream.seen, 'TIMED_OUT').map(({ seat }) => seat)).toEqual([0, 1]);
    const end = await ben.match(id);
    expect(end).toMatchObject({ status: 'FINISHED', seats: [{ vacant: true }, { vacant: true }] });
    expect(end.result?.scores.some((score) => score > 0)).toBe(true);
  });

  it('a seat whose time is up is lost if the match says so', async () => {
    const clock = { bankSeconds: 1, onTimeout: 'FORFEIT' };
    const { id } = await ann.createMatch({ game: 'haleakala', seats: 2, clock });
    const { acting } = await ben.join(id);
    const stream = open(pair.urls[1], { id, token: ben.token });
    expect(await stream.ended).toBe('complete');
    expect(stream.seen.at(-1)).toMatchObject({ type: 'TIMED_OUT', seat: acting[0], acting: [] });
    expect((await ann.match(id)).result?.ranks).toEqual(acting[0] === 0 ? [2, 1] : [1, 2]);
  });

  it('somebody else takes over the seat of a player who vanished', async () => {
    const cho = await newMember(face, pair.urls, 'Cho');
    const dee = await newMember(face, pair.urls, 'Dee');
    const clock = { bankSeconds: 1, incrementSeconds: 3600, capSeconds: 3600 };
    const { id } = await ann.createMatch({ game: 'haleakala', seats: 2, clock, takeover: true });
    const { acting } = await ben.join(id);
    const seat = acting[0] as number;
    const vanished = async () => (await ben.match(id)).seats[seat]?.vacant;
    await expect.poll(vanished, PATIENCE).toBe(true);
    const taken = await cho.join(id, { seat });
    expect(taken).toMatchObject({ mySeat: seat, status: 'ACTIVE' });
    expect(taken.seats[seat]).toMatchObject({ vacant: false, player: { name: 'Cho' } });
    await expect(dee.join(id, { seat })).rejects.toThrow('MATCH_FULL');
  });

  it('a seat that resigns is played on by a bot, and ranks last', async () => {
    const { id } = await ann.createMatch({ game: 'cacao', seats: 3, bots: ['EASY'] });
    await ben.join(id);
    expect((await ben.resign(id)).match).toMatchObject({ status: 'ACTIVE', mySeat: null });
    const stream = open(pair.urls[0], { id, token: ann.token });
    await ann.resign(id); // only a bot is left, so the match is over
    expect(await stream.ended).toBe('complete');
    expect((await ann.match(id)).result?.ranks).toEqual([2, 1, 2]);
  });
});

describe('two processes', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());

  it('a bot whose server was killed is moved by the other', async () => {
    const [one, two] = await Promise.all([startProcess(database.url), startProcess(database.url)]);
    try {
      const ann = await newMember(rest, [one.url], 'Ann');
      const there = rest.client([two.url], ann.token);
      const { id } = await ann.createMatch({ game: 'cacao', seats: 4, bots: ['HARD', 'HARD', 'HARD'] });
      // Three bots that think for seconds: the first is still thinking when its server is killed.
      while ((await ann.match(id)).acting.includes(0)) {
        await ann.submit(id, { action: (await ann.legalActions(id))[0]?.action });
      }
      one.child.kill('SIGKILL');
      await one.exit;
      const { version } = await there.match(id);
      const moved = async () => (await there.events(id, { after: version })).some(({ seat }) => seat !== 0);
      await expect.poll(moved, PATIENCE).toBe(true);
    } finally {
      for (const { child, exit } of [one, two]) {
        child.kill('SIGKILL');
        await exit;
      }
    }
  });
});
