/** What attackers find on the server: matches of people, and matches that somebody made long on purpose. */
import { registry } from '../src/games/registry.ts';
import { fastRng } from '../src/games/rng.ts';
import { newId } from '../src/id.ts';
import { acted } from '../src/matches/commands/act.ts';
import { ordered } from '../src/matches/commands/orders.ts';
import { joined, openingOf } from '../src/matches/commands/seating.ts';
import type { Match } from '../src/matches/log/records.ts';
import type { Store } from '../src/matches/log/store.ts';
import { documentOf, numbered, playersOf, textOf } from '../src/matches/proof/document.ts';

/** The length that one person could give a match within seconds before there were limits. */
export const LONG = 5000;

export interface World {
  port: number;
  /** The address from which attacks come. */
  address: string;
  /** Tokens of the attacking players; the first two sit in `running`. */
  tokens: string[];
  /** Finished, about 200 events. */
  ordinary: string;
  /** Finished, of 5,000 events. */
  long: string;
  /** Of 5,000 events and not over. */
  running: string;
  /** Finished, with 5,000 events each; nobody has looked at them yet. */
  cold: string[];
  /** A file that holds the document of a long finished match. */
  document: string;
}

interface Person {
  id: string;
  name: string;
  kind: 'HUMAN';
  tag: null;
}

/** Instants at this distance, starting some hours ago. */
function clock(everyMs: number): () => Date {
  let now = Date.now() - 4 * 3_600_000;
  return () => {
    now += everyMs;
    return new Date(now);
  };
}

/** A match of Cacao of the requested length, because its players change their standing orders all the time. */
export function longMatch(people: readonly [Person, Person], events: number, finished: boolean, seed: number): Match {
  const rng = fastRng(seed);
  const next = clock(100);
  let match = joined(
    openingOf(registry, people[0], { game: 'cacao', seats: 2 }, next()),
    people[1],
    null,
    null,
    next(),
  );
  const act = () => {
    const seat = rng.pick(match.acting);
    const list = match.engine.legal(match.state as object, seat);
    match = acted(match, seat, match.seats[seat] ?? null, rng.pick(list), null, next());
  };
  while (match.version < events) {
    const seat = rng.int(2);
    match = ordered(match, seat, match.seats[seat] as string, { work: 'ask' }, next());
    // Spread over the whole log, but far from the end of the match.
    if (match.version % Math.ceil(events / 30) === 0) act();
  }
  while (finished && !match.endedAt) act();
  return match;
}

function ordinaryMatch(people: readonly Person[], seed: number): Match {
  const rng = fastRng(seed);
  const next = clock(1000);
  const [first, ...others] = people as [Person, ...Person[]];
  let match = openingOf(registry, first, { game: 'hawaii', seats: people.length }, next());
  for (const person of others) match = joined(match, person, null, null, next());
  while (!match.endedAt) {
    const seat = rng.pick(match.acting);
    const list = match.engine.legal(match.state as object, seat);
    match = acted(match, seat, match.seats[seat] ?? null, rng.pick(list), null, next());
  }
  return match;
}

const COLD = 24;

/** Writes the matches into the database, and returns where they are. */
export async function makeWorld(
  store: Store,
  players: readonly { id: string; token: string }[],
  where: Pick<World, 'port' | 'address'>,
  write: (text: string) => string,
): Promise<World> {
  const people = players.map(({ id }, i): Person => ({ id, name: `Siege ${i}`, kind: 'HUMAN', tag: null }));
  const pair = people.slice(0, 2) as [Person, Person];
  const ended = longMatch(pair, LONG, true, 1);
  const running = longMatch(pair, LONG, false, 2);
  const ordinary = ordinaryMatch(people.slice(0, 5), 3);
  const cold = Array.from({ length: COLD }, () => ({ ...ended, id: newId() }));
  for (const match of [ended, running, ordinary, ...cold]) await store.create(match);
  const other = longMatch(pair, LONG - 100, true, 4);
  return {
    ...where,
    tokens: players.map(({ token }) => token),
    ordinary: ordinary.id,
    long: ended.id,
    running: running.id,
    cold: cold.map(({ id }) => id),
    document: write(textOf(documentOf(other, numbered(playersOf(other))))),
  };
}
