/** What a seat or spectator sees, and that it reveals nothing else. */

import { canonical } from '../../../src/games/canonical.ts';
import type { Effect, Game, Scene, Seat } from '../../../src/games/game.ts';
import { acting, type Played, play } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { type Recorded, randomMatch, seedBytes } from '../../../tools/random-match.ts';
import { Broken, must } from './must.ts';
import { schemasOf } from './schemas.ts';

/** That a picture is wanted, and what it is told beside the view. */
export interface Draw {
  scene: Scene | undefined;
}

/** Everything that these eyes can see of a state; pictures and sentences, which are slow to make, only if they are wanted. */
export function seen(game: Game, state: object, seats: number, eyes: Seat | null, draw: Draw | null) {
  const view = game.view(state, eyes);
  const list = eyes === null ? [] : game.legal(state, eyes);
  return {
    view: canonical(view),
    legal: JSON.stringify(list),
    labels: list.map((action) => game.label(action, view)).join('\n'),
    targets: JSON.stringify(list.map((action) => game.targets(action, view))),
    picture: draw ? game.svg(view, draw.scene) : '',
    description: draw ? game.describe(view, draw.scene).join('\n') : '',
    acting: acting(game, state, seats).join(),
    epoch: game.epoch(state),
    over: game.result(state) !== null,
  };
}

/** Whether these eyes see the same in both states; what follows from views and lists is left out. */
const looksSame = (game: Game, states: readonly object[], eyes: Seat | null): boolean => {
  const [one, two] = states.map((state) =>
    canonical([game.view(state, eyes), eyes === null ? [] : game.legal(state, eyes), game.epoch(state)]),
  );
  return one === two;
};

const whose = (eyes: Seat | null): string => (eyes === null ? 'a spectator' : `seat ${eyes}`);

/** Redrawing what these eyes cannot know changes nothing they see. Returns what they see. */
export function checkGuess(
  game: Game,
  state: object,
  guess: object,
  seats: number,
  eyes: Seat | null,
  draw: Draw | null,
) {
  const truth = seen(game, state, seats, eyes, draw);
  const guessed = seen(game, guess, seats, eyes, draw);
  for (const what of Object.keys(truth) as (keyof typeof truth)[]) {
    must(truth[what] === guessed[what], `the ${what} of ${whose(eyes)} says nothing it may not know`);
  }
  return truth;
}

const OTHER_EFFECTS = 'where nothing else shows a difference, effects show none';

/**
 * Effects are told to everybody once the action is public: an action that is possible in both of two states that look
 * the same before and after it must have told the same.
 */
export function checkToldEffects(
  game: Game,
  states: readonly [object, object],
  seats: number,
  eyes: Seat | null,
): void {
  for (const seat of acting(game, states[0], seats)) {
    const known = new Set(game.legal(states[1], seat).map(canonical));
    const action = game.legal(states[0], seat).find((one) => known.has(canonical(one)));
    if (!action) continue;
    const played = states.map((state) => play(game, state, { stream: 1, seat, action }, seedBytes(1)));
    const [one, two] = played as [Played, Played];
    // Hidden from others while its epoch lasts; and once that has passed, everybody knows what made the states differ.
    const open = !game.isSecret(action) || (seat === eyes && game.epoch(one.state) === game.epoch(states[0]));
    if (open) sameEffects(game, [one, two], eyes);
  }
}

/** A decision that the engine took for a seat is as public as if the seat had taken it. */
function isPublicDecision(game: Game, effect: Effect): boolean {
  const { action } = effect as { action?: unknown };
  return action !== undefined && schemasOf(game).isAction.Check(action) && !game.isSecret(action as object);
}

function sameEffects(game: Game, [one, two]: readonly [Played, Played], eyes: Seat | null): void {
  const told = ({ effects }: Played) => canonical(effects.filter((effect) => !isPublicDecision(game, effect)));
  if (told(one) === told(two)) return;
  if (!looksSame(game, [one.state, two.state], eyes)) return;
  throw new Broken(`${OTHER_EFFECTS}: ${whose(eyes)} is told ${canonical(one.effects)} or ${canonical(two.effects)}`);
}

export function checkTwins(game: Game, { options, seats, seed, moves }: Recorded) {
  const rng = fastRng(seed);
  const found = { twins: 0, hides: false };
  for (const { state, stream, seat, action } of randomMatch(game, options, seats, seed)) {
    found.hides ||= canonical(game.guess(state, null, rng)) !== canonical(state);
    const did = [action, rng.int(2) ? action : rng.pick(game.legal(state, seat))];
    const played = did.map((one) => play(game, state, { stream: rng.int(2), seat, action: one }, seedBytes(seed)));
    const [one, two] = played as [Played, Played];
    moves.push({ stream, seat, action });
    if (canonical(one.state) === canonical(two.state)) continue;
    const states: [object, object] = [one.state, two.state];
    const secret = did.every(game.isSecret) && states.every((next) => game.epoch(next) === game.epoch(state));
    for (let i = 0; i <= seats; i++) {
      const eyes = i === seats ? null : i;
      if (did[0] === did[1]) sameEffects(game, [one, two], eyes);
      if (eyes !== seat && areTwins(game, states, seats, eyes, secret)) found.twins++;
    }
  }
  return found;
}

function areTwins(game: Game, states: [object, object], seats: number, eyes: Seat | null, secret: boolean): boolean {
  const [one, two] = states.map((state) => seen(game, state, seats, eyes, null)) as [Seen, Seen];
  const same = canonical(one) === canonical(two);
  must(same || !secret || one.acting !== two.acting, 'a secret action shows in nothing but who may act');
  if (!same) return false;
  const [guess, other] = states.map((state) => canonical(game.guess(state, eyes, fastRng(1))));
  must(guess === other, 'a guess is made of what its eyes may know, not of the truth');
  return true;
}

type Seen = ReturnType<typeof seen>;
