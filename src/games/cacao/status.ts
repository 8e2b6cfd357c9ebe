/** Whose turn it is and who has won, in the same words for the picture and for the description. */
import type { Scene, Seat } from '../game.ts';
import { nameOf } from '../svg.ts';
import type { View } from './view.ts';

export const isOver = (view: View, scene: Scene): boolean => view.step === 'over' || scene.result !== null;

/** The ranks that the match has decided: the game itself does not know who gave up. */
export const ranksOf = (view: View, scene: Scene): (number | null)[] =>
  scene.result?.ranks ?? view.seats.map(({ rank }) => rank);

export function winnersOf(view: View, scene: Scene): Seat[] {
  const ranks = ranksOf(view, scene);
  return [...ranks.keys()].filter((seat) => ranks[seat] === 1);
}

const TASKS = { place: 'to place a worker tile', fill: 'to fill the jungle', work: 'to use the workers' };

export function status(view: View, scene: Scene): string {
  if (view.step !== 'over' && !scene.result) return `${namesOf(view.acting, scene)} ${TASKS[view.step]}`;
  const won = winnersOf(view, scene);
  return `${namesOf(won, scene)} ${won.length > 1 ? 'share the win' : 'wins'}`;
}

const namesOf = (seats: readonly Seat[], scene: Scene): string =>
  seats.map((seat) => nameOf(scene, seat)).join(' and ');

/** Explains what the numbers of the score do not show. */
export function notesOf(view: View, scene: Scene): string[] {
  if (view.step !== 'over') return ['The match ended early: the gold is that of this moment.'];
  const ranks = ranksOf(view, scene);
  if (ranks.some((rank, seat) => rank !== view.seats[seat]!.rank)) return ['Whoever gave up ranks last.'];
  const won = winnersOf(view, scene);
  if (won.length > 1) return ['Gold and cacao left are equal: the win is shared.'];
  const most = view.seats[won[0]!]!.score.total;
  const tied = view.seats.filter(({ score }) => score.total === most).length;
  return tied > 1 ? ['Of equal gold, more cacao left wins.'] : [];
}
