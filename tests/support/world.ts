/** Two servers on one database, a few players and a match in every stage of its life, all made through one face. */
import { type Api, type Face, type LegalJson, type MatchJson, playOut } from './api.ts';
import { type FreshDatabase, freshDatabase } from './database.ts';
import { type Instance, type InstanceOptions, startInstance } from './instance.ts';

export interface Pair {
  database: FreshDatabase;
  instances: [Instance, Instance];
  urls: [string, string];
  stop(): Promise<void>;
}

export async function startPair(options: InstanceOptions = {}): Promise<Pair> {
  const database = await freshDatabase();
  const instances: [Instance, Instance] = [
    await startInstance(database.url, options),
    await startInstance(database.url, options),
  ];
  return {
    database,
    instances,
    urls: [instances[0].url, instances[1].url],
    async stop() {
      await Promise.all(instances.map((instance) => instance.stop()));
      await database.drop();
    },
  };
}

export interface Member extends Api {
  id: string;
  token: string;
}

export async function newMember(face: Face, urls: readonly string[], name: string): Promise<Member> {
  const { player, token } = await face.client(urls).register(name);
  return { ...face.client(urls, token), id: player.id, token };
}

export interface World {
  anybody: Api;
  ann: Member;
  ben: Member;
  cho: Member;
  /** A caller with a token that does not exist. */
  stranger: Api;
  open: MatchJson;
  /** A running match of Ann and Ben in which Ann has chosen her first card. */
  active: MatchJson;
  /** Ann's first action in it, its id, and what she could not do. */
  taken: LegalJson;
  finished: MatchJson;
  cancelled: MatchJson;
  /** A private match that Ann opened, with one free seat. */
  hidden: MatchJson;
}

export const ACTION_ID = 'first card';
export const NOWHERE = '00000000-0000-7000-8000-000000000000';

export async function worldOf(face: Face, urls: readonly string[]): Promise<World> {
  const [ann, ben, cho] = (await Promise.all(['Ann', 'Ben', 'Cho'].map((name) => newMember(face, urls, name)))) as [
    Member,
    Member,
    Member,
  ];
  const input = { game: 'highest', seats: 2 };
  const active = await ann.createMatch(input);
  await ben.join(active.id);
  const [taken] = (await ann.legalActions(active.id)) as [LegalJson];
  await ann.submit(active.id, { action: taken.action, actionId: ACTION_ID });
  const finished = await ann.createMatch(input);
  await ben.join(finished.id);
  await playOut(finished.id, [ann, ben], () => 0);
  const cancelled = await ann.createMatch(input);
  await ann.leave(cancelled.id);
  return {
    anybody: face.client(urls),
    stranger: face.client(urls, `atoll_${'x'.repeat(43)}`),
    ann,
    ben,
    cho,
    open: await ann.createMatch(input),
    active,
    taken,
    finished,
    cancelled,
    hidden: await ann.createMatch({ ...input, visibility: 'PRIVATE' }),
  };
}
