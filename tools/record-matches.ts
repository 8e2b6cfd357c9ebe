/** Plays and records one match of every game, rules version, variant and seat count that tests/archive lacks. Existing files are never changed. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import type { Game, Rng } from '../src/games/game.ts';
import { registry } from '../src/games/registry.ts';
import { fastRng } from '../src/games/rng.ts';
import { acted } from '../src/matches/commands/act.ts';
import { joined, openingOf } from '../src/matches/commands/seating.ts';
import { undoable, undone } from '../src/matches/commands/undo.ts';
import type { Match } from '../src/matches/log/records.ts';
import { documentOf, numbered, playersOf, textOf } from '../src/matches/proof/document.ts';

const dir = new URL('../tests/archive/', import.meta.url);

/** A finished match of random players, a second apart, who now and then take an action back. */
export function playedMatch(
  game: Game,
  options: object,
  seats: number,
  rng: Rng,
  undoEvery = 20,
  games = registry,
): Match {
  const players = Array.from({ length: seats }, (_, i) => ({
    id: `player ${i}`,
    name: `Player ${i + 1}`,
    kind: 'HUMAN' as const,
    tag: null,
  }));
  let now = Date.UTC(2026, 10, 16, 12);
  const next = () => {
    now += 1000;
    return new Date(now);
  };
  const [first] = players as [(typeof players)[number]];
  let match = openingOf(games, first, { game: game.id, seats, options, entropy: 'first dice' }, next());
  for (const player of players.slice(1)) match = joined(match, player, null, null, next());
  while (match.state && !match.endedAt) {
    const seat = rng.pick(match.acting);
    match = acted(match, seat, `player ${seat}`, rng.pick(game.legal(match.state, seat)), null, next());
    if (rng.int(undoEvery) === 0 && typeof undoable(match, seat) !== 'string')
      match = undone(match, seat, `player ${seat}`, next());
  }
  return match;
}

if (process.argv[1]?.endsWith('record-matches.ts')) {
  mkdirSync(dir, { recursive: true });
  for (const game of registry.games) {
    for (const [variant, options] of Object.entries(game.variants)) {
      for (let seats = game.seats.min; seats <= game.seats.max; seats++) {
        const file = `${game.id}-rules${game.rules}-${variant}-${seats}.json`;
        if (existsSync(new URL(file, dir))) continue;
        const match = playedMatch(game, options, seats, fastRng(seats));
        writeFileSync(new URL(file, dir), textOf(documentOf(match, numbered(playersOf(match)))));
        console.log(`new     tests/archive/${file}  ${match.version} events`);
      }
    }
  }
}
