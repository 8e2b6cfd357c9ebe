/** What makes a table clickable, readable and explained: targets, pictures with a scene, descriptions, effects. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registryOf } from '../../src/games/registry.ts';
import { verify } from '../../src/matches/proof/verify.ts';
import { highest } from '../games/tiny/highest.ts';
import { type Api, type Json, playOut } from '../support/api.ts';
import { graphql, graphqlRun } from '../support/api-graphql.ts';
import { rest } from '../support/api-rest.ts';
import { startInstance } from '../support/instance.ts';
import { ways } from '../support/streams.ts';
import { type Member, newMember, type Pair, startPair } from '../support/world.ts';

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.stop());

const targetsIn = (svg: string): string[] =>
  [...svg.matchAll(/data-target="([^"]*)"/g)].map(([, name]) => name as string);

/** A match of Highest with both seats taken. */
async function tableOf(names = ['Ann', 'Ben']): Promise<{ id: string; players: [Member, Member] }> {
  const players = (await Promise.all(names.map((name) => newMember(rest, pair.urls, name)))) as [Member, Member];
  const { id } = await players[0].createMatch({ game: 'highest', seats: 2 });
  await players[1].join(id);
  return { id, players };
}

const play = async (player: Api, id: string) =>
  player.submit(id, { action: (await player.legalActions(id))[0]?.action });

describe.each([graphql, rest])('by $name', (face) => {
  const as = ({ token }: Member) => face.client(pair.urls, token);

  it('legal actions name targets that the caller’s picture has', async () => {
    const { id, players } = await tableOf();
    for (const player of players.map(as)) {
      const legal = await player.legalActions(id);
      expect(legal.map(({ action, targets }) => [action.card, targets])).toEqual(
        legal.map(({ action }) => [action.card, [`card:${action.card}`]]),
      );
      for (const width of ['WIDE', 'NARROW'])
        expect(targetsIn(await player.board(id, { width })).sort()).toEqual(
          legal.flatMap(({ targets }) => targets).sort(),
        );
    }
  });

  it('pictures and descriptions name the players, and a narrow picture has its own layout', async () => {
    const { id, players } = await tableOf(['A <b> "&" c', 'Ben']);
    const ben = as(players[1]);
    const [wide, narrow] = await Promise.all(['WIDE', 'NARROW'].map((width) => ben.board(id, { width })));
    expect(wide).toContain('A &lt;b&gt; &quot;&amp;&quot; c: 0');
    expect(narrow).not.toBe(wide);
    expect(await ben.board(id)).toBe(wide);
    expect(await ben.description(id)).toEqual([
      'It is round 1 of 3.',
      'A <b> "&" c has 0 points.',
      'Ben has 0 points.',
      ...(await ben.legalActions(id)).map(({ action }) => `You hold the ${action.card}.`),
    ]);
  });

  it('marks the last action that the viewer may know of, and no other', async () => {
    const { id, players } = await tableOf();
    const [ann, ben] = players.map(as) as [Api, Api];
    const first = (await play(ann, id)).event.targets?.[0];
    expect(await ann.board(id)).toContain(`last: ${first}`);
    expect(await ben.board(id)).not.toContain('last:');
    const second = (await play(ben, id)).event.targets?.[0];
    for (const api of [ann, ben, face.client(pair.urls)]) expect(await api.board(id)).toContain(`last: ${second}`);
    // Looking back shows what each could know then, also after the end.
    await playOut(id, [ann, ben], () => 0);
    const anybody = face.client(pair.urls);
    expect(await anybody.board(id, { at: 4 })).not.toContain('last:');
    expect(await anybody.board(id, { at: 4, seat: 0 })).toContain(`last: ${first}`);
    expect(await anybody.board(id, { at: 4, seat: 1 })).not.toContain('last:');
    expect(await anybody.board(id, { at: 5 })).toContain(`last: ${second}`);
  });

  it('an action that was taken back is not marked as the last one', async () => {
    const { id, players } = await tableOf();
    const ann = as(players[0]);
    await play(ann, id);
    await ann.undo(id, 4);
    expect(await ann.board(id)).not.toContain('last:');
    expect(await ann.board(id, { at: 4 })).toContain('last:');
  });

  it('an event tells what followed from it, in order, with a sentence each', async () => {
    const { id, players } = await tableOf();
    const [ann, ben] = players.map(as) as [Api, Api];
    const { event } = await play(ann, id);
    const { card } = event.action as { card: number };
    expect(event.effects).toEqual([
      { type: 'laid', data: { type: 'laid', seat: 0, card }, text: `Seat 0 lays the ${card}.` },
    ]);
    const { effects } = (await play(ben, id)).event;
    expect(effects?.map(({ type }) => type)).toEqual(['laid', 'won', 'drew', 'drew']);
    const types = (await ann.events(id)).map((one) => one.effects?.map(({ type }) => type) ?? null);
    expect(types).toEqual([null, null, null, ['laid'], ['laid', 'won', 'drew', 'drew']]);
  });

  it('refuses a width that does not exist', async () => {
    const { id, players } = await tableOf();
    await expect(as(players[0]).board(id, { width: 'HUGE' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});

it.each(ways)('a stream of %s tells effects once everybody may know them', async (_name, open) => {
  const { id, players } = await tableOf();
  const [ann, ben] = players;
  const streams = [undefined, ann.token, ben.token].map((token) => open(pair.urls[0], { id, token, after: 3 }));
  await play(ann, id);
  for (const { seen } of streams) await expect.poll(() => seen.length).toBe(1);
  expect(streams.map(({ seen }) => seen[0]?.effects?.length ?? null)).toEqual([null, 1, null]);
  await play(ben, id);
  for (const { seen } of streams) await expect.poll(() => seen.length).toBe(2);
  expect(streams.map(({ seen }) => seen[1]?.effects?.length ?? null)).toEqual([4, 4, 4]);
  for (const { cut } of streams) cut();
});

describe('an export', () => {
  const registry = registryOf([highest as never]);
  const eventsOf = (document: Json) => document.events as (Json & { effects?: Json[] })[];

  it('has the effects that its caller may know, and the verifier compares them', async () => {
    const { id, players } = await tableOf();
    const [ann, ben] = players;
    await play(ann, id);
    expect(eventsOf(await ann.export(id))[3]?.effects).toHaveLength(1);
    expect(eventsOf(await ben.export(id))[3]).not.toHaveProperty('effects');
    await playOut(id, players, () => 0);
    const document = await ben.export(id);
    expect(eventsOf(document)[3]?.effects).toHaveLength(1);
    expect(verify(registry, document).match.status).toBe('FINISHED');
    const forged = structuredClone(document);
    (eventsOf(forged)[4]?.effects?.[1] as Json).seat = 9;
    expect(() => verify(registry, forged)).toThrow('Event 5: its effects differ from the recorded ones');
    const invented = structuredClone(document);
    (eventsOf(invented)[0] as Json).effects = [];
    expect(() => verify(registry, invented)).toThrow('Event 1: its effects differ from the recorded ones');
    const silent = structuredClone(document);
    for (const event of eventsOf(silent)) delete event.effects;
    expect(verify(registry, silent).match.events.at(4)?.effects).toBeNull();
  });
});

it('a secret action of Hashi is hidden from others in every channel, with its targets and effects, until its step is over', async () => {
  const players = (await Promise.all(['Ann', 'Ben'].map((name) => newMember(rest, pair.urls, name)))) as [
    Member,
    Member,
  ];
  const [ann, ben] = players;
  const { id } = await ann.createMatch({ game: 'hashi', seats: 2 });
  await ben.join(id);
  for (const player of players) await play(player, id); // the first numbers are written openly
  const callers = [ann.token, ben.token, undefined];
  const streams = callers.map((token) => ways.map(([, open]) => open(pair.urls[1], { id, token, after: 5 })));
  /** Whether each caller can read the action, the targets and the effects of event 6, in every channel. */
  const known = async () => {
    await Promise.all(streams.flat().map(({ seen }) => expect.poll(() => seen.length).toBeGreaterThan(0)));
    return Promise.all(
      callers.map(async (token) => {
        const apis = [graphql, rest].map((face) => face.client(pair.urls, token));
        const events = await Promise.all(apis.map(async (api) => (await api.events(id, { after: 5, first: 1 }))[0]));
        const documents = await Promise.all(apis.map(async (api) => (await api.export(id)).events as Json[]));
        return [
          ...events.map((event) => [event?.action, event?.targets, event?.effects].map((field) => field !== null)),
          ...documents.map((all) => [all[5]?.action !== null, 'effects' in (all[5] as Json)]),
        ].flat();
      }),
    );
  };
  const all = (value: boolean) => new Array(10).fill(value);
  await play(ann, id);
  expect(await known()).toEqual([all(true), all(false), all(false)]);
  const heard = streams.map((of) => of.map(({ seen }) => seen[0]?.effects !== null && seen[0]?.targets !== null));
  expect(heard).toEqual([true, false, false].map((value) => ways.map(() => value)));
  // The step is over when both have nothing left to do in this round.
  const hasRevealed = async () => (await ben.events(id, { after: 5, first: 1 }))[0]?.action !== null;
  for (let n = 0; n < 20 && !(await hasRevealed()); n++)
    for (const player of players) if ((await player.legalActions(id)).length > 0) await play(player, id);
  expect(await known()).toEqual([all(true), all(true), all(true)]);
  for (const { cut } of streams.flat()) cut();
});

it('events from before these columns have neither targets nor effects, and everything else works', async () => {
  const { id, players } = await tableOf();
  const [ann] = players;
  await playOut(id, players, () => 0);
  const sql = new pg.Client({ connectionString: pair.database.url });
  await sql.connect();
  try {
    await sql.query("SET session_replication_role = 'replica'"); // without the trigger that keeps the log append-only
    await sql.query('UPDATE events SET targets = NULL, effects = NULL WHERE match_id = $1', [id]);
  } finally {
    await sql.end();
  }
  // A server that has never seen this match reads it from the log.
  const fresh = await startInstance(pair.database.url);
  try {
    const [one, two] = [graphql, rest].map((face) => face.client([fresh.url], ann.token)) as [Api, Api];
    for (const api of [one, two]) {
      const events = await api.events(id);
      expect(events.every(({ targets, effects }) => targets === null && effects === null)).toBe(true);
      expect(await api.board(id)).not.toContain('last:');
      expect(verify(registryOf([highest as never]), await api.export(id)).match.status).toBe('FINISHED');
    }
  } finally {
    await fresh.stop();
  }
});

it('a page of events with their effects and a board with its description are within the limit of cost', async () => {
  const { id, players } = await tableOf();
  const run = graphqlRun(pair.urls, players[0].token);
  const text = `query ($id: ID!) { match(id: $id) { board description legalActions { action label targets }
    events(first: 500) { version type seat action label targets effects { type data text } } } }`;
  expect(await run(text, { id })).toMatchObject({ match: { events: [{}, {}, {}] } });
});
