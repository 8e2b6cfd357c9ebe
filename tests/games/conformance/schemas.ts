import { Compile, type Validator } from 'typebox/compile';
import type { Game } from '../../../src/games/game.ts';

export interface Schemas {
  isAction: Validator;
  isView: Validator;
  isEffect: Validator | null;
}

const checkers = new WeakMap<Game, Schemas>();

/** Compiling a schema is slow, so once per game. */
export function schemasOf(game: Game): Schemas {
  const { action, view, effect } = game.schema;
  const known = checkers.get(game) ?? {
    isAction: Compile(action),
    isView: Compile(view),
    isEffect: effect ? Compile(effect) : null,
  };
  checkers.set(game, known);
  return known;
}
