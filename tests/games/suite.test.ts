/** The conformance suite itself: a sound game passes, and each broken promise is noticed by name. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Game } from '../../src/games/game.ts';
import { checkMatch, checkPlayOutFromGuess, checkSecrets } from './conformance.ts';
import { type Action, highest, type State } from './sample.ts';

const dir = mkdtempSync(join(tmpdir(), 'atoll-suite-'));
afterAll(() => rmSync(dir, { recursive: true }));

const check = (game: Game, matches = 20) => {
  for (let seed = 1; seed <= matches; seed++) checkMatch(game, {}, 2 + (seed % 2), seed, dir);
};

type Highest = typeof highest;
const broken = (change: Partial<Highest>): Game => ({ ...highest, ...change }) as Game;
let calls = 0;

const mutants: [string, Partial<Highest>, string][] = [
  [
    'acts after the end',
    { result: (s) => (s.round > 2 ? { scores: s.points, ranks: s.points.map(() => 1) } : null) },
    'either there is a result',
  ],
  ['never has a result', { result: () => null }, 'either there is a result'],
  [
    'loses a card',
    {
      apply(s, seat, a, rng) {
        highest.apply(s, seat, a, rng);
        if (s.played.length > 2) s.played.pop();
      },
    },
    'no piece appears',
  ],
  [
    'lists an action twice',
    { legal: (s, seat) => highest.legal(s, seat).flatMap((a) => [a, { ...a }]) },
    'no duplicates',
  ],
  [
    'lists in another order each time',
    { legal: (s, seat) => (calls++ % 2 ? highest.legal(s, seat) : highest.legal(s, seat).reverse()) },
    'the same every time',
  ],
  [
    'lists what its schema does not know',
    { legal: (s, seat) => highest.legal(s, seat).map((a) => ({ ...a, x: 1 })) },
    'fits the action schema',
  ],
  [
    'keeps undefined in its state',
    { setup: (o, n, rng) => ({ ...highest.setup(o, n, rng), x: undefined }) as State },
    'plain JSON',
  ],
  [
    'keeps a Map in its state',
    { setup: (o, n, rng) => ({ ...highest.setup(o, n, rng), x: new Map() }) as State },
    'plain JSON',
  ],
  ['has an empty label', { label: () => ' ' }, 'every label says something'],
  ['has two equal labels', { label: () => 'play a card' }, 'labels are unique'],
  [
    'changes the state in legal',
    { legal: (s, seat) => highest.legal(s, seat).slice(s.points.push(0) - s.points.length) },
    'object is not extensible',
  ],
  [
    'changes the state in view',
    { view: (s, seat) => ({ ...highest.view(s, seat), played: s.played.sort() }) },
    'Cannot assign to read only',
  ],
  [
    'asks though there is one answer',
    { legal: (s, seat) => highest.legal(s, seat).slice(0, 1) },
    'a decision with one answer is no decision',
  ],
  ['shows every hand', { view: (s, seat) => ({ ...highest.view(s, seat), hand: s.hands.flat() }) }, 'the view of'],
  [
    'shows who chose what',
    { view: (s, seat) => ({ ...highest.view(s, seat), played: s.chosen.map((c) => c ?? 0) }) },
    'the view of',
  ],
  [
    'leaks through the legal list',
    {
      legal: (s, seat) =>
        s.chosen.some((c) => (c ?? 0) > 7) ? highest.legal(s, seat).reverse() : highest.legal(s, seat),
    },
    'the legal of',
  ],
  [
    'has a view that is not its schema',
    { view: (s, seat) => ({ ...highest.view(s, seat), more: 1 }) },
    'fits the view schema',
  ],
  ['draws broken XML', { svg: () => '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>' }, 'well-formed XML'],
  ['draws NaN', { svg: () => '<svg xmlns="http://www.w3.org/2000/svg"><g x="NaN"/></svg>' }, 'NaN'],
  [
    'uses chance of its own',
    { apply: (s, seat, a, rng) => highest.apply(s, seat, a, { ...rng, int: (n) => Math.floor(Math.random() * n) }) },
    'the same',
  ],
  ['turns its secrecy clock back', { epoch: (s) => -s.round }, 'the epoch never decreases'],
  ['never ends', { apply: () => {} }, 'not over after'],
  [
    'ranks from 2',
    { result: (s) => highest.result(s) && { scores: s.points, ranks: s.points.map(() => 2) } },
    'ranks are shared',
  ],
  [
    'lets a guess lose cards',
    { guess: (s, seat, rng) => ({ ...highest.guess(s, seat, rng), bag: [] }) },
    'a guess has the same pieces',
  ],
];

/** What only twin states show: here the game's own guess helps to hide the leak. */
const leaks: [string, Partial<Highest>, string][] = [
  ['guesses the truth', { guess: (s) => structuredClone(s) }, 'a guess is made of what its eyes may know'],
  [
    'guesses hands but keeps what was chosen',
    { guess: (s, seat, rng) => ({ ...highest.guess(s, seat, rng), chosen: [...s.chosen] }) },
    'a guess is made of what its eyes may know',
  ],
  [
    'shows a secret choice and guesses it as it is',
    {
      view: (s, seat) => ({ ...highest.view(s, seat), played: s.chosen.map((c) => c ?? 0) }),
      guess: (s) => structuredClone(s),
    },
    'a secret action shows in nothing',
  ],
];

describe('the conformance suite', () => {
  it('passes a sound game', () => {
    check(highest as Game, 100);
    for (let seed = 1; seed < 50; seed++) checkPlayOutFromGuess(highest as Game, {}, 3, seed);
    const found = Array.from({ length: 50 }, (_, seed) => checkSecrets(highest as Game, {}, 3, seed));
    expect(found.filter(({ twins, hides }) => twins > 0 && hides).length).toBeGreaterThan(25);
  });

  it.each(mutants)('notices a game that %s', (_what, change, message) => {
    expect(() => check(broken(change), 200)).toThrow(message);
  });

  it.each(leaks)('notices a game that %s', (_what, change, message) => {
    const game = broken(change);
    expect(() => {
      for (let seed = 1; seed <= 20; seed++) checkSecrets(game, {}, 3, seed, dir);
    }).toThrow(message);
  });

  it('notices a game that takes any action, because its list is what is looked up', () => {
    const legal = (s: State, seat: number): Action[] => (highest.legal(s, seat).length > 0 ? highest.legal(s, 0) : []);
    expect(() => check(broken({ legal }), 50)).toThrow();
  });

  it('leaves the failing match as a file that can be played back', () => {
    expect(() => check(broken({ label: () => '' }))).toThrow(/npm run replay -- .*highest-3-1\.json/);
    const file = join(dir, 'highest-3-1.json');
    expect(existsSync(file)).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ game: 'highest', seats: 3, seed: 1, moves: [] });
  });
});
