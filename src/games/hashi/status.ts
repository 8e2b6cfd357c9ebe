/** Whose turn it is, what has to be decided and who won, in words: for the picture and the description. */
import type { Result, Scene, Seat } from '../game.ts';
import { SEATS } from '../svg.ts';
import type { View } from './view.ts';
import { counted, listed } from './words.ts';

export const who = (scene: Scene, seat: Seat): string => scene.names[seat] ?? `Seat ${SEATS[seat]!.letter}`;

/** The scene takes into account who gave up; the view does not. */
export const resultOf = (view: View, scene: Scene): Result | null => scene.result ?? view.result;

/** What the viewer's own seat has to decide now; null if nothing. */
export function question({ you, seats, card }: View): string | null {
  const own = you === null ? null : seats[you]!;
  if (own?.step === 'preset') return 'Choose an island, and a 3 or a 4';
  if (own?.step === 'write') return `Write the ${card!.number} on an island, or skip`;
  if (own?.step !== 'build') return null;
  const { left } = own.thisRound!;
  if (left < card!.bridges) return `Draw ${counted(left, 'more bridge')}`;
  return `Draw ${counted(left, 'bridge')}, or skip`;
}

/** The seats that have something to decide now. */
export const busySeats = ({ seats }: View): Seat[] =>
  seats.filter(({ step }) => step !== 'ready').map(({ seat }) => seat);

function outcome(view: View, scene: Scene, { scores, ranks }: Result): string {
  const winners = ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
  if (view.solo) return view.result ? `${scores[0]} points: ${view.solo.rating}` : 'The match was given up';
  const names = `${listed(winners.map((seat) => who(scene, seat)))} ${winners.length > 1 ? 'win' : 'wins'}`;
  return view.result ? `${names} with ${scores[winners[0]!]} points` : `${names}: the match ended early`;
}

export function status(view: View, scene: Scene): string {
  const result = resultOf(view, scene);
  if (result) return outcome(view, scene, result);
  const busy = busySeats(view);
  if (view.you !== null && busy.includes(view.you)) return 'Your turn';
  return `Waiting for ${listed(busy.map((seat) => who(scene, seat)))}`;
}
