import type { Game, Scene, Seat } from '../src/games/game.ts';
import { acting } from '../src/games/play.ts';
import type { Step } from './random-match.ts';

/** A table as it stands after a step or, without one, after the set-up. */
export interface Look {
  state: object;
  seats: number;
  eyes: Seat | null;
  step: Step | undefined;
}

/** What a picture shows besides the view, as the server makes it. */
export function sceneOf(game: Game, { state, seats, eyes, step }: Look, change: Partial<Scene> = {}): Scene {
  const view = game.view(state, eyes);
  const list = eyes === null ? [] : game.legal(state, eyes);
  return {
    names: Array.from({ length: seats }, () => null),
    acting: acting(game, state, seats),
    result: game.result(state),
    last: step && mayKnow(game, state, eyes, step) ? lastOf(game, step) : null,
    legal: [...new Set(list.flatMap((action) => game.targets(action, view)))],
    width: 'WIDE',
    ...change,
  };
}

const mayKnow = (game: Game, state: object, eyes: Seat | null, step: Step): boolean =>
  !game.isSecret(step.action) || step.seat === eyes || game.epoch(state) > game.epoch(step.state);

const lastOf = (game: Game, { action, state, seat }: Step): Scene['last'] => ({
  seat,
  targets: game.targets(action, game.view(state, null)),
});
