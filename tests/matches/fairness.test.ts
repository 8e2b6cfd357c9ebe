/** The claims of docs/fairness.md about chance. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { canonical } from '../../src/games/canonical.ts';
import type { Game } from '../../src/games/game.ts';
import { registry as realGames, registryOf } from '../../src/games/registry.ts';
import { fastRng } from '../../src/games/rng.ts';
import { acted } from '../../src/matches/commands/act.ts';
import { ordered } from '../../src/matches/commands/orders.ts';
import { joined, newRow } from '../../src/matches/commands/seating.ts';
import { undoable, undone } from '../../src/matches/commands/undo.ts';
import { emptyMatch } from '../../src/matches/log/match.ts';
import { matchAt } from '../../src/matches/log/rebuild.ts';
import type { Derivation, Match } from '../../src/matches/log/records.ts';
import { documentOf, type MatchDocument, numbered, playersOf, textOf } from '../../src/matches/proof/document.ts';
import { verify } from '../../src/matches/proof/verify.ts';
import type { Player } from '../../src/players/player.ts';
import { playedMatch } from '../../tools/record-matches.ts';
import { highest } from '../games/tiny/highest.ts';
import { compiled } from '../support/compiled.ts';
import { anAction, runningMatch, twoServers } from '../support/servers.ts';

const registry = registryOf([...realGames.games, highest as Game]);
const { one, two, players } = await twoServers({ registry });

const now = new Date();
const [ann, ben] = ['ann', 'ben'].map((id) => ({ id, name: id, kind: 'HUMAN' as const, tag: null })) as [
  Player,
  Player,
];

function opened(game: Game, draws: Derivation): Match {
  const options = Object.values(game.variants)[0] as object;
  const row = { game: game.id, rules: game.rules, options, seatCount: 2, visibility: 'PUBLIC' as const, draws };
  const match = joined(emptyMatch(game, newRow(ann.id, now, row)), ann, 0, 'from Ann', now);
  return joined(match, ben, 1, 'from Ben', now);
}

const isUndoable = (match: Match, seat: number): boolean => typeof undoable(match, seat) !== 'string';
const documentFor = (match: Match) => documentOf(match, numbered(playersOf(match)));

/** The match just before its next draw, and the action that draws. */
function beforeDraw(match: Match): { match: Match; seat: number; action: object } {
  for (let current = match; ; ) {
    const seat = current.acting[0] as number;
    const action = current.engine.legal(current.state as object, seat)[0] as object;
    const next = acted(current, seat, current.seats[seat] ?? null, action, null, now);
    if (next.drawn > current.drawn) return { match: current, seat, action };
    current = next;
  }
}

/** The result of the same action after this many orders that change nothing. */
function padded(match: Match, orders: number): Match {
  const { match: before, seat, action } = beforeDraw(match);
  let next = before;
  for (let n = 0; n < orders; n++) next = ordered(next, 0, ann.id, null, now);
  return acted(next, seat, next.seats[seat] ?? null, action, null, now);
}

describe.each([highest as Game, realGames.game('cacao')])('draws of $id', (game) => {
  const outcomes = (match: Match) => new Set(Array.from({ length: 14 }, (_, n) => canonical(padded(match, n).state)));

  it('can be steered in matches of the old derivation, by orders that change nothing, and still be proven', () => {
    const match = opened(game, 1);
    expect(outcomes(match).size).toBeGreaterThan(1);
    const document = documentFor(padded(match, 5));
    expect(document.draws).toBeUndefined();
    expect(verify(registry, document).match.draws).toBe(1);
  });

  it('cannot be steered by orders', () => {
    const match = opened(game, 2);
    expect(outcomes(match).size).toBe(1);
    expect(verify(registry, documentFor(padded(match, 5))).match.drawn).toBe(2);
  });
});

describe('the stream of a draw', () => {
  it('does not change after an action that was taken back', () => {
    const match = opened(highest as Game, 2);
    const [first, second] = highest.legal(match.state as never, 0) as [object, object];
    const direct = acted(match, 0, ann.id, second, null, now);
    const detour = undone(acted(match, 0, ann.id, first, null, now), 0, ann.id, now);
    const after = acted(detour, 0, ann.id, second, null, now);
    const draw = (current: Match) => {
      const action = highest.legal(current.state as never, 1)[0] as object;
      return canonical(acted(current, 1, ben.id, action, null, now).state);
    };
    expect(draw(after)).toBe(draw(direct));
  });

  it.each(realGames.games.map(({ id }) => id))('is used once in a match of %s, whatever was taken back', (id) => {
    const game = realGames.game(id);
    const match = playedMatch(game, {}, Math.max(2, game.seats.min), fastRng(7), 3);
    const drew = match.events.filter((event) => event.drew);
    expect(drew.map(({ version }) => matchAt(match, version - 1).drawn)).toEqual(drew.map((_, i) => i));
    expect(drew.some(({ version }) => match.events.isUndone(version))).toBe(false);
    expect(match.events.filter(({ type }) => type === 'UNDONE').length).toBeGreaterThan(0);
  });

  it('is used only once, because an action that drew cannot be taken back', () => {
    const { match, seat, action } = beforeDraw(opened(highest as Game, 2));
    expect(isUndoable(acted(match, seat, match.seats[seat] ?? null, action, null, now), seat)).toBe(false);
  });
});

describe('a match of the old derivation', () => {
  it('cannot be presented as a new one, nor a new one as an old one', () => {
    const [old, fresh] = ([1, 2] as const).map((draws) => documentFor(padded(opened(highest as Game, draws), 0)));
    expect(() => verify(registry, { ...old, draws: 2 })).toThrow('Event 1: its hash does not follow');
    const { draws: _left, ...unmarked } = fresh as MatchDocument;
    expect(() => verify(registry, unmarked)).toThrow('Event 1: its hash does not follow');
  });

  it('keeps that derivation to its end, on every server', async () => {
    const old = { game: 'highest', rules: 1, options: {}, seatCount: 2, visibility: 'PUBLIC', draws: 1 } as const;
    let match = emptyMatch(highest as Game, newRow(players[0].id, new Date(), old));
    for (const player of players.slice(0, 2)) match = joined(match, player, null, null, new Date());
    await one.store.create(match);
    for (const seat of [0, 1, 0, 1, 0, 1]) {
      const player = players[seat] as Player;
      await two.matches.submit(player, { matchId: match.id, action: await anAction(two.matches, player, match.id) });
    }
    const end = await one.matches.see(null, match.id);
    expect(end).toMatchObject({ status: 'FINISHED', draws: 1 });
    expect(verify(registry, documentFor(end)).match.draws).toBe(1);
    expect((await one.matches.see(null, (await runningMatch(two, players)).id)).draws).toBe(2);
  });
});

it('a rematch takes the entropy of everybody who comes to it', async () => {
  const { id } = await runningMatch(one, players.slice(0, 2));
  await one.matches.resign(players[1], id);
  await one.matches.rematch(players[0], id, { entropy: 'from Ann' });
  const match = await two.matches.rematch(players[1], id, { entropy: 'from Ben' });
  expect(match).toMatchObject({ status: 'ACTIVE', entropies: ['from Ben', 'from Ann'] });
});

describe('atoll verify with what a player saved', () => {
  const dir = mkdtempSync(join(tmpdir(), 'atoll-fair-'));
  afterAll(() => rmSync(dir, { recursive: true }));
  const atoll = (...args: string[]) => {
    const run = spawnSync(process.execPath, [compiled('cli'), 'verify', ...args], { encoding: 'utf8' });
    return { status: run.status, text: run.stdout + run.stderr };
  };
  const match = playedMatch(realGames.game('cacao'), {}, 2, fastRng(2));
  const file = join(dir, 'match.json');
  writeFileSync(file, textOf(documentFor(match)));
  const { commitment } = documentFor(match);

  it('proves the match that the player sat down to', () => {
    expect(atoll(file, '--commitment', commitment, '--entropy', 'first dice')).toMatchObject({ status: 0 });
  });

  it('refuses another match, even a consistent one', () => {
    expect(atoll(file, '--commitment', '0'.repeat(64))).toMatchObject({
      status: 1,
      text: expect.stringContaining('NOT PROVEN. Its commitment is not the one that you saved'),
    });
    expect(() => verify(registry, documentFor(match), { saved: { entropy: 'never sent' } })).toThrow(
      'No seat added the entropy that you saved',
    );
  });

  it('can be used with one match only', () => {
    expect(atoll(file, file, '--commitment', commitment).status).toBe(2);
  });
});
