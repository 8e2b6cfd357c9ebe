/** The obligations of the contract (src/games/game.ts), checked on random matches. Every registered game inherits them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical } from '../../../src/games/canonical.ts';
import { type Game, type Rng, type Seat, type Wanted, wholeView } from '../../../src/games/game.ts';
import {
  acting,
  clone,
  copyOf,
  isPlainJson,
  lookUp,
  type Move,
  optionsFor,
  play,
  replay,
  same,
  stateHash,
} from '../../../src/games/play.ts';
import { fastRng, rngFor } from '../../../src/games/rng.ts';
import { MAX_ACTIONS, type Recorded, randomMatch, type Step, seedBytes, setUp } from '../../../tools/random-match.ts';
import { sceneOf } from '../../../tools/scene.ts';
import { Broken, must, saysSomething } from './must.ts';
import { type Schemas, schemasOf } from './schemas.ts';
import { checkGuess, checkToldEffects, checkTwins, type Draw } from './secrets.ts';
import { checkDescription, checkEffects, checkPicture, checkTargets, sceneInTurn } from './table.ts';

/** How many states of a match get the expensive checks, on average. */
const LOOKS_PER_MATCH = 3;

interface Checker extends Schemas {
  game: Game;
  seats: number;
  seed: number;
  accounts: string;
  looks: number;
}

/** Plays one random match and throws at the first obligation that does not hold, leaving the match as a file. */
export function checkMatch(game: Game, options: object, seats: number, seed: number, failures?: string): number {
  return recorded(game, options, seats, seed, checkSteps, failures);
}

/**
 * Secrets without trusting the game's own guess. At every step the seat to act does one thing or another, with one
 * chance or another: two states that differ. Who sees no difference must be given the same guesses in both, so a guess
 * cannot be made of the truth; and of two secret actions nobody else may see which one it was.
 */
export function checkSecrets(game: Game, options: object, seats: number, seed: number, failures?: string) {
  return recorded(game, options, seats, seed, checkTwins, failures);
}

function recorded<T>(
  game: Game,
  options: object,
  seats: number,
  seed: number,
  check: (game: Game, record: Recorded) => T,
  failures = 'failures',
): T {
  const record: Recorded = { game: game.id, rules: game.rules, options, seats, seed, moves: [] };
  try {
    return check(game, record);
  } catch (error) {
    const file = join(failures, `${game.id}-${seats}-${seed}.json`);
    mkdirSync(failures, { recursive: true });
    writeFileSync(file, JSON.stringify({ ...record, error: (error as Error).message }));
    throw new Error(`${(error as Error).message}\n  play it back: npm run replay -- ${file}`, { cause: error });
  }
}

function checkSteps(game: Game, record: Recorded): number {
  const { options, seats, seed, moves } = record;
  const first = setUp(game, options, seats, seed);
  const checker = { game, seats, seed, ...schemasOf(game), accounts: canonical(game.accounts(first)), looks: seed };
  const chance = fastRng(seed ^ 0x5eed);
  const hashes = new Map<number, string>();
  let previous: Step | undefined;
  const match = randomMatch(game, options, seats, seed);
  for (let lookIn = 0; ; lookIn--) {
    const { done, value } = match.next();
    const state = done ? value : value.state;
    if (previous) must(game.epoch(previous.state) <= game.epoch(state), 'the epoch never decreases');
    checkState(checker, state);
    if (lookIn === 0 || done) {
      look(checker, state, previous);
      hashes.set(moves.length, stateHash(seedBytes(seed), state));
      lookIn = 1 + chance.int(Math.ceil((2 * expectedLength(game)) / LOOKS_PER_MATCH));
    }
    if (done) break;
    checkAction(checker, value.action);
    checkEffects(game, checker.isEffect, value.effects);
    must(typeof game.isSecret(value.action) === 'boolean', 'isSecret answers yes or no');
    moves.push({ stream: value.stream, seat: value.seat, action: value.action });
    previous = value;
  }
  lengths.set(game, moves.length);
  checkReplay(checker, first, moves, hashes);
  return moves.length;
}

/** The length of the last match seen: it spaces the looks of the next one. */
const lengths = new WeakMap<Game, number>();
const expectedLength = (game: Game): number => lengths.get(game) ?? 100;

/** What is checked in every state: it must be cheap. */
function checkState({ game, seats, accounts }: Checker, state: object): void {
  const result = game.result(state);
  const active = acting(game, state, seats);
  must((result === null) === active.length > 0, 'either there is a result or some seat may act, never both');
  const now = canonical(game.accounts(state));
  if (now !== accounts) throw new Broken(`no piece appears or vanishes: ${now}, at first ${accounts}`);
  for (let seat = 0; seat < seats; seat++) {
    const list = game.legal(state, seat);
    must(list.length > 0 === active.includes(seat), `seat ${seat} may act exactly if its legal list is not empty`);
    if (list.length === 1) throw new Broken(`a decision with one answer is no decision: ${canonical(list)}`);
    const texts = new Set(list.map((action) => JSON.stringify(action)));
    must(texts.size === list.length, `the legal list of seat ${seat} has no duplicates`);
  }
  if (result) checkResult(result, seats);
}

function checkResult({ scores, ranks }: { scores: number[]; ranks: number[] }, seats: number): void {
  must(scores.length === seats && ranks.length === seats, 'a result has a score and a rank for every seat');
  must(scores.every(Number.isInteger), 'scores are whole numbers');
  const fits = ranks.every((rank) => rank === 1 + ranks.filter((other) => other < rank).length);
  must(fits, `ranks are shared by ties and skip after them, and the best is 1: ${ranks}`);
}

/** A close look at one state, frozen, through the eyes of every seat and of a spectator. */
function look(checker: Checker, state: object, previous: Step | undefined): void {
  const { game, seats } = checker;
  freeze(state);
  must(isPlainJson(state), 'a state is plain JSON');
  const copy = JSON.parse(JSON.stringify(state)) as object;
  must(canonical(copy) === canonical(state), 'a state survives the JSON round trip');
  checkCopy(game, state);
  for (let seat = 0; seat < seats; seat++) {
    const list = game.legal(state, seat);
    must(JSON.stringify(list) === JSON.stringify(game.legal(copy, seat)), 'a legal list is the same every time');
    for (const action of list) {
      checkAction(checker, action);
    }
    checkLookUps(game, state, seat, list);
    checkLabels(game, state, seat, list);
    checkTargets(game, state, seat, list);
    checkRefusals(checker, state, seat, list, previous);
  }
  // Pictures are slow to draw and slower to parse: one pair of eyes a look, each in its turn.
  const turn = checker.looks++;
  const drawn = eyesInTurn(turn, acting(game, state, seats), seats);
  for (let i = 0; i <= seats; i++) {
    const eyes = i === seats ? null : i;
    const scene =
      turn % 7 === 0 ? undefined : sceneOf(game, { state, seats, eyes, step: previous }, sceneInTurn(turn, seats));
    checkEyes(checker, state, eyes, eyes === drawn ? { scene } : null);
  }
  checkApply(checker, state);
}

function checkCopy(game: Game, state: object): void {
  const copy = copyOf(game, state);
  must(canonical(copy) === canonical(state), 'a copy says the same as the state');
  must(!objectsIn(copy).some(Object.isFrozen), 'a copy shares nothing with the state, which is frozen');
}

const objectsIn = (value: unknown): object[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(objectsIn)] : [];

/** Mostly those of seats that may act, because their pictures owe the most. */
const eyesInTurn = (turn: number, active: readonly Seat[], seats: number): Seat | null => {
  if (turn % 5 < 4 && active.length > 0) return active[turn % active.length] as Seat;
  return [...Array(seats).keys(), null][turn % (seats + 1)] as Seat | null;
};

/** The view fits its schema, and what is made of it says nothing that these eyes may not know. */
function checkEyes(checker: Checker, state: object, eyes: Seat | null, draw: Draw | null): void {
  const { game, seats, seed, isView } = checker;
  const view = game.view(state, eyes);
  must(isPlainJson(view), 'a view is plain JSON');
  if (!isView.Check(view)) {
    const [first] = isView.Errors(view);
    throw new Broken(
      `the view of ${eyes ?? 'a spectator'} fits the view schema: ${first?.instancePath} ${first?.message}`,
    );
  }
  if (game.parts) must(same(wholeView(game.parts, state, eyes), view), 'the parts of a view are those of the view');
  const guess = game.guess(state, eyes, fastRng(seed ^ (eyes ?? 99)));
  must(isPlainJson(guess), 'a guess is plain JSON');
  must(canonical(game.accounts(guess)) === checker.accounts, 'a guess has the same pieces');
  const { picture } = checkGuess(game, state, guess, seats, eyes, draw);
  checkToldEffects(game, [state, guess], seats, eyes);
  if (!draw) return;
  checkPicture(picture, draw.scene);
  checkDescription(game.describe(view, draw.scene));
}

function checkAction({ isAction }: Checker, action: object): void {
  if (!isAction.Check(action)) throw new Broken(`the action ${canonical(action)} fits the action schema`);
  must(isPlainJson(action), 'an action is plain JSON');
}

function checkLabels(game: Game, state: object, seat: Seat, list: object[]): void {
  for (const eyes of [seat, null]) {
    const view = game.view(state, eyes);
    const labels = list.map((action) => game.label(action, view));
    must(labels.every(saysSomething), `every label says something: ${labels.find((label) => !saysSomething(label))}`);
    if (new Set(labels).size === labels.length) continue;
    throw new Broken(`labels are unique within a list: ${labels.find((label, i) => labels.indexOf(label) !== i)}`);
  }
}

function refusal(game: Game, state: object, seat: Seat, action: unknown): string {
  try {
    lookUp(game, state, seat, action);
    return 'nothing';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

/** How many actions of a list are looked up, spread over all of it. */
const LOOK_UPS = 10;

/** A list that is made for a wanted action has this action, and nothing that the whole list does not have. */
function checkLookUps(game: Game, state: object, seat: Seat, list: object[]): void {
  const all = new Set(list.map(canonical));
  for (let i = 0; i < list.length; i += Math.ceil(list.length / LOOK_UPS)) {
    const wanted = list[i] as object;
    const found = game.legal(state, seat, wanted as Wanted).map(canonical);
    must(found.includes(canonical(wanted)), `${canonical(wanted)} is listed when it is wanted`);
    must(
      found.every((text) => all.has(text)),
      'no action is listed only because it is wanted',
    );
  }
}

/** Foreign, altered and late actions are refused with the right word. */
function checkRefusals({ game, seats }: Checker, state: object, seat: Seat, list: object[], previous?: Step): void {
  const listed = new Set(list.map(canonical));
  const expected = list.length > 0 ? 'ILLEGAL_ACTION' : game.result(state) ? 'MATCH_OVER' : 'NOT_YOUR_TURN';
  const candidates: object[] = [...list.slice(0, 1).flatMap(altered), { type: 'cheat' }];
  for (let other = 0; other < seats; other++)
    if (other !== seat) candidates.push(...game.legal(state, other).slice(0, 2));
  if (previous) candidates.push(previous.action);
  for (const action of candidates) {
    if (listed.has(canonical(action))) continue;
    const code = refusal(game, state, seat, action);
    must(code === expected, `${canonical(action)} by seat ${seat} is refused with ${expected}, not ${code}`);
  }
}

/** Nearly the same action: a field more, a field less, a number off, a number as text. */
function altered(action: object): object[] {
  const out: object[] = [{ ...action, extra: 1 }];
  for (const [key, value] of Object.entries(action)) {
    const { [key]: _left, ...rest } = action as Record<string, unknown>;
    out.push(rest);
    if (typeof value === 'number') out.push({ ...action, [key]: value + 1000 }, { ...action, [key]: String(value) });
  }
  return out;
}

/** The same action on the same state with the same chance: the same next state and effects, and the old one is untouched. */
function checkApply({ game, seats, seed }: Checker, state: object): void {
  const [seat] = acting(game, state, seats);
  if (seat === undefined) return;
  const action = game.legal(state, seat)[0] as object;
  const played = () =>
    canonical(play(game, state, { stream: 1, seat, action: freeze(clone(action)) }, seedBytes(seed)));
  const [one, two] = [played(), played()];
  must(one === two, 'the same action with the same chance leads to the same state');
  const { effects } = play(game, state, { stream: 1, seat, action }, seedBytes(seed));
  const told: string[] = [];
  game.apply(clone(state), seat, action, rngFor(seedBytes(seed), 1), (effect) => told.push(canonical(effect)));
  must(told.join() === effects.map(canonical).join(), 'an effect does not change once it is told');
}

/** From the set-up again, in place: the same hashes at the same versions. */
function checkReplay({ game, seed }: Checker, first: object, moves: Move[], hashes: Map<number, string>): void {
  const state = clone(first);
  let done = 0;
  for (const [version, hash] of hashes) {
    for (const move of moves.slice(done, version)) replay(game, state, move, seedBytes(seed));
    done = version;
    must(stateHash(seedBytes(seed), state) === hash, `replay reaches the same state at version ${version}`);
  }
}

const NO_CHANCE: Rng = {
  int: refuseChance,
  pick: refuseChance,
  shuffle: refuseChance,
};

function refuseChance(): never {
  throw new Broken('a game that draws nothing asks for no chance');
}

/** A random match whose set-up and actions are given no chance. */
export function checkDrawsNothing(game: Game, options: object, seats: number, seed: number): void {
  const players = fastRng(seed);
  const state = game.setup(optionsFor(game, options), seats, NO_CHANCE);
  for (;;) {
    const [seat] = players.shuffle(acting(game, state, seats));
    if (seat === undefined) return;
    game.apply(state, seat, players.pick(game.legal(state, seat)), NO_CHANCE);
  }
}

/** Random play from a guess must end like any other match: bots search on guesses. */
export function checkPlayOutFromGuess(game: Game, options: object, seats: number, seed: number): void {
  const rng = fastRng(seed);
  const stop = rng.int(60);
  let state = setUp(game, options, seats, seed);
  for (const step of randomMatch(game, options, seats, seed)) {
    state = step.state;
    if (step.version > stop) break;
  }
  const guess = game.guess(freeze(state), rng.int(seats), rng);
  const accounts = canonical(game.accounts(guess));
  for (let n = 0; ; n++) {
    const [seat] = rng.shuffle(acting(game, guess, seats));
    if (seat === undefined) break;
    must(n < MAX_ACTIONS, 'random play from a guess ends');
    game.apply(guess, seat, rng.pick(game.legal(guess, seat)), rng);
    must(canonical(game.accounts(guess)) === accounts, 'no piece appears or vanishes in play from a guess');
  }
  must(game.result(guess) !== null, 'random play from a guess ends with a result');
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
  }
  return value;
}
