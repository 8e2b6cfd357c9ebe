/** The conformance suite itself: a sound game passes, and each broken promise is noticed by name. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Game } from '../../../src/games/game.ts';
import { clone } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { type Action, highest, type State } from '../tiny/highest.ts';
import { checkDrawsNothing, checkMatch, checkPlayOutFromGuess, checkSecrets } from './checks.ts';

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
  ['says that everybody may act', { mayAct: () => true }, 'may act exactly if'],
  [
    'says that nobody may act in the second round',
    { mayAct: (s, seat) => s.round !== 2 && highest.legal(s, seat).length > 0 },
    'either there is a result',
  ],
  [
    'says that the first seat may not act yet',
    { mayAct: (s, seat) => seat > 0 && highest.legal(s, seat).length > 0 },
    'may act exactly if',
  ],
  [
    'leaves out the action that is wanted',
    { legal: (s, seat, wanted) => highest.legal(s, seat).slice(wanted ? 1 : 0) },
    'is listed when it is wanted',
  ],
  [
    'lists an action because it is wanted',
    {
      legal(s, seat, wanted) {
        const list = highest.legal(s, seat);
        return wanted && list.length > 0 ? [...list, { type: 'card', card: 100 }] : list;
      },
    },
    'only because it is wanted',
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
  ['forgets a field in a copy', { copy: ({ points: _points, ...s }) => clone(s) as State }, 'a copy says the same'],
  ['shares a list with its copy', { copy: (s) => ({ ...clone(s), hands: s.hands }) }, 'a copy shares nothing'],
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
  [
    'has another view for labels',
    {
      parts: {
        you: (_s, seat) => seat,
        round: ({ round }) => round,
        hand: (s, seat) => highest.view(s, seat).hand,
        ready: (s, seat) => highest.view(s, seat).ready,
        played: () => [],
        points: ({ points }) => points,
      },
    },
    'the parts of a view',
  ],
  ['draws broken XML', { svg: () => '<svg xmlns="http://www.w3.org/2000/svg"><g></svg>' }, 'well-formed XML'],
  ['points at nothing', { targets: () => [] }, 'an action has targets'],
  ['points at two words', { targets: ({ card }) => [`the card ${card}`] }, 'targets without white space'],
  ['points at the same thing in two actions', { targets: () => ['hand'] }, 'no two actions of a list have the same'],
  [
    'points at what it does not draw',
    { targets: ({ card }) => [`card:${card}`, 'table'] },
    'every legal target is in the',
  ],
  [
    'draws a target without a title',
    { svg: (v, scene) => highest.svg(v, scene).replaceAll(/<title>the.*?<.title>/g, '') },
    'has a title',
  ],
  [
    'draws an id twice',
    { svg: (v, scene) => highest.svg(v, scene).replaceAll('<text ', '<text id="t" ') },
    'ids are unique',
  ],
  [
    'forgets who plays on a phone',
    { svg: (v, scene) => highest.svg(v, scene && { ...scene, names: scene.width === 'WIDE' ? scene.names : [] }) },
    'the NARROW picture names the players',
  ],
  ['does not escape names', { svg: (v, scene) => highest.svg(v, scene).replaceAll('&lt;', '<') }, 'well-formed XML'],
  ['describes nothing', { describe: () => [] }, 'described by at least one sentence'],
  ['describes with an empty sentence', { describe: () => ['A hand.', ' '] }, 'every sentence says something'],
  ['describes in one breath', { describe: () => ['A hand. '.repeat(50)] }, 'and not too much'],
  ['has no words for its effects', { explain: () => '' }, 'is explained'],
  ['tells effects without a schema', { schema: { ...highest.schema, effect: undefined } as never }, 'has their schema'],
  [
    'tells what its schema does not know',
    { apply: (s, seat, a, rng, tell) => highest.apply(s, seat, a, rng, tell && ((e) => tell({ ...e, type: 'x' }))) },
    'fits the effect schema',
  ],
  [
    'plays otherwise when somebody listens',
    {
      apply(s, seat, a, rng, tell) {
        highest.apply(s, seat, a, rng, tell);
        if (tell && s.round === 3) s.points.reverse();
      },
    },
    'replay reaches the same state',
  ],
  [
    'changes what it has told',
    {
      apply(s, seat, a, rng, tell) {
        highest.apply(s, seat, a, rng, (e) => {
          tell?.(e);
          Object.assign(e, { seat: 0, card: 1 });
        });
      },
    },
    'does not change once it is told',
  ],
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

/** Tells which card each seat draws, by its number as a seat. */
const tellsDraws: Highest['apply'] = (s, seat, a, rng, tell) =>
  highest.apply(s, seat, a, rng, (effect) => {
    if (effect.type !== 'drew') return tell?.(effect);
    tell?.({ ...effect, seat: s.hands[(effect as { seat: number } & typeof effect).seat]?.at(-1) } as never);
  });

/** What only twin states show: here the game's own guess helps to hide the leak. */
const leaks: [string, Partial<Highest>, string][] = [
  ['tells what was drawn', { apply: tellsDraws }, 'effects show none'],
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

  it('notices a game that draws though it says that it does not', () => {
    expect(() => checkDrawsNothing(broken({ drawsNothing: true }), {}, 2, 1)).toThrow('asks for no chance');
    const later = { ...highest, setup: (o: object, n: number) => highest.setup(o, n, fastRng(1)) } as Game;
    expect(() => checkDrawsNothing(later, {}, 2, 1)).toThrow('asks for no chance');
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
