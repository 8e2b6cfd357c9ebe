/** The obligations of the contract (src/games/game.ts), checked on random matches. Every registered game inherits them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SaxesParser } from 'saxes';
import { Compile, type Validator } from 'typebox/compile';
import type { Game, Seat } from '../../src/games/game.ts';
import { acting, canonical, clone, isPlainJson, type Move, play, replay, stateHash } from '../../src/games/play.ts';
import { fastRng, rngFor } from '../../src/games/rng.ts';
import { MAX_ACTIONS, type Recorded, randomMatch, type Step, seedBytes, setUp } from '../../tools/random-match.ts';

/** How many states of a match get the expensive checks, on average. */
const LOOKS_PER_MATCH = 3;

class Broken extends Error {}

function must(condition: boolean, obligation: string): asserts condition {
  if (!condition) throw new Broken(obligation);
}

interface Checker {
  game: Game;
  seats: number;
  seed: number;
  isAction: Validator;
  isView: Validator;
  accounts: string;
  looks: number;
}

const checkers = new WeakMap<Game, { isAction: Validator; isView: Validator }>();

/** Compiling a schema is slow, so once per game. */
function schemasOf(game: Game) {
  const known = checkers.get(game) ?? { isAction: Compile(game.schema.action), isView: Compile(game.schema.view) };
  checkers.set(game, known);
  return known;
}

/** Plays one random match and throws at the first obligation that does not hold, leaving the match as a file. */
export function checkMatch(game: Game, options: object, seats: number, seed: number, failures?: string): number {
  return recorded(game, options, seats, seed, checkSteps, failures);
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
    must(typeof game.isSecret(value.action) === 'boolean', 'isSecret answers yes or no');
    moves.push({ version: value.version, seat: value.seat, action: value.action });
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
  for (const seat of active) {
    const list = game.legal(state, seat);
    if (list.length < 2) throw new Broken(`a decision with one answer is no decision: ${canonical(list)}`);
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
  for (let seat = 0; seat < seats; seat++) {
    const list = game.legal(state, seat);
    must(JSON.stringify(list) === JSON.stringify(game.legal(copy, seat)), 'a legal list is the same every time');
    for (const action of list) {
      checkAction(checker, action);
    }
    checkLabels(game, state, seat, list);
    checkRefusals(checker, state, seat, list, previous);
  }
  // Pictures are slow to draw and slower to parse: one pair of eyes a look, each in its turn.
  const drawn = checker.looks++ % (seats + 1);
  for (let eyes = 0; eyes <= seats; eyes++) checkEyes(checker, state, eyes === seats ? null : eyes, eyes === drawn);
  checkApply(checker, state);
}

function checkAction({ isAction }: Checker, action: object): void {
  if (!isAction.Check(action)) throw new Broken(`the action ${canonical(action)} fits the action schema`);
  must(isPlainJson(action), 'an action is plain JSON');
}

function checkLabels(game: Game, state: object, seat: Seat, list: object[]): void {
  for (const eyes of [seat, null]) {
    const view = game.view(state, eyes);
    const labels = list.map((action) => game.label(action, view));
    must(
      labels.every((label) => label.trim().length > 0 && !/undefined|NaN|\[object/.test(label)),
      `every label says something: ${labels.find((label) => !label.trim() || /undefined|NaN|\[object/.test(label))}`,
    );
    if (new Set(labels).size === labels.length) continue;
    throw new Broken(`labels are unique within a list: ${labels.find((label, i) => labels.indexOf(label) !== i)}`);
  }
}

function refusal(game: Game, state: object, seat: Seat, action: unknown): string {
  try {
    play(game, state, seat, action, fastRng(1));
    return 'nothing';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
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

/** Everything that these eyes can see of a state. */
function seen(game: Game, state: object, seats: number, eyes: Seat | null, draw: boolean) {
  const view = game.view(state, eyes);
  const list = eyes === null ? [] : game.legal(state, eyes);
  return {
    view: canonical(view),
    legal: JSON.stringify(list),
    labels: list.map((action) => game.label(action, view)).join('\n'),
    picture: draw ? game.svg(view) : '',
    acting: acting(game, state, seats).join(),
    epoch: game.epoch(state),
    over: game.result(state) !== null,
  };
}

type Seen = ReturnType<typeof seen>;

/** The view fits its schema, the picture is XML, and redrawing what these eyes cannot know changes nothing they see. */
function checkEyes(checker: Checker, state: object, eyes: Seat | null, draw: boolean): void {
  const { game, seats, seed } = checker;
  const view = game.view(state, eyes);
  must(isPlainJson(view), 'a view is plain JSON');
  if (!checker.isView.Check(view)) {
    const [first] = checker.isView.Errors(view);
    throw new Broken(
      `the view of ${eyes ?? 'a spectator'} fits the view schema: ${first?.instancePath} ${first?.message}`,
    );
  }
  const guess = game.guess(state, eyes, fastRng(seed ^ (eyes ?? 99)));
  must(isPlainJson(guess), 'a guess is plain JSON');
  must(canonical(game.accounts(guess)) === checker.accounts, 'a guess has the same pieces');
  const truth = seen(game, state, seats, eyes, draw);
  const guessed = seen(game, guess, seats, eyes, draw);
  if (draw) checkPicture(truth.picture);
  for (const what of Object.keys(truth) as (keyof typeof truth)[]) {
    must(truth[what] === guessed[what], `the ${what} of ${eyes ?? 'a spectator'} says nothing it may not know`);
  }
}

function checkPicture(svg: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw new Broken(`the picture is well-formed XML: ${error.message}`);
  });
  parser.write(svg).close();
  must(svg.startsWith('<svg '), 'the picture is an <svg> element');
  must(!/undefined|NaN|\[object/.test(svg), 'the picture shows no undefined, NaN or [object Object]');
}

/** The same action on the same state with the same chance: the same next state, and the old one is untouched. */
function checkApply({ game, seats, seed }: Checker, state: object): void {
  const [seat] = acting(game, state, seats);
  if (seat === undefined) return;
  const action = game.legal(state, seat)[0] as object;
  const [one, two] = [1, 2].map(() => play(game, state, seat, freeze(clone(action)), rngFor(seedBytes(seed), 1)));
  must(canonical(one) === canonical(two), 'the same action with the same chance leads to the same state');
}

/** From the set-up again, in place: the same hashes at the same versions. */
function checkReplay({ game, seed }: Checker, first: object, moves: Move[], hashes: Map<number, string>): void {
  const state = clone(first);
  let done = 0;
  for (const [version, hash] of hashes) {
    replay(game, state, moves.slice(done, version), seedBytes(seed));
    done = version;
    must(stateHash(seedBytes(seed), state) === hash, `replay reaches the same state at version ${version}`);
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

/**
 * Secrets without trusting the game's own guess. At every step the seat to act does one thing or another, with one
 * chance or another: two states that differ. Who sees no difference must be given the same guesses in both, so a guess
 * cannot be made of the truth; and of two secret actions nobody else may see which one it was.
 */
export function checkSecrets(game: Game, options: object, seats: number, seed: number, failures?: string) {
  return recorded(game, options, seats, seed, checkTwins, failures);
}

function checkTwins(game: Game, { options, seats, seed, moves }: Recorded) {
  const rng = fastRng(seed);
  const found = { twins: 0, hides: false };
  for (const { state, version, seat, action } of randomMatch(game, options, seats, seed)) {
    found.hides ||= canonical(game.guess(state, null, rng)) !== canonical(state);
    const did = [action, rng.int(2) ? action : rng.pick(game.legal(state, seat))];
    const [one, two] = did.map((action) => play(game, state, seat, action, rngFor(seedBytes(seed), rng.int(2))));
    moves.push({ version, seat, action });
    if (!one || !two || canonical(one) === canonical(two)) continue;
    const secret = did.every(game.isSecret) && [one, two].every((next) => game.epoch(next) === game.epoch(state));
    for (let eyes = 0; eyes <= seats; eyes++) {
      if (eyes === seat) continue;
      if (areTwins(game, [one, two], seats, eyes === seats ? null : eyes, secret)) found.twins++;
    }
  }
  return found;
}

function areTwins(game: Game, states: [object, object], seats: number, eyes: Seat | null, secret: boolean): boolean {
  const [one, two] = states.map((state) => seen(game, state, seats, eyes, false)) as [Seen, Seen];
  const same = canonical(one) === canonical(two);
  must(same || !secret || one.acting !== two.acting, 'a secret action shows in nothing but who may act');
  if (!same) return false;
  const [guess, other] = states.map((state) => canonical(game.guess(state, eyes, fastRng(1))));
  must(guess === other, 'a guess is made of what its eyes may know, not of the truth');
  return true;
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) freeze(item);
  }
  return value;
}
