import { SEATS } from '../svg.ts';
import type { Action, Of } from './actions.ts';
import { NAMES, PRICES, SEGMENTS } from './data.ts';
import type { View } from './view.ts';

export function label(action: Action, view: View): string {
  switch (action.type) {
    case 'place':
      return placeLabel(action, view);
    case 'takeBack':
      return `take disc ${action.disc} back from beach ${action.beach}`;
    case 'sail':
      return `sail to segment ${(view.boat + 1) % SEGMENTS}`;
    case 'walk':
      return `walk to ${action.terrain} ${action.segment}`;
    case 'stay':
      return stayLabel(view);
    case 'take':
      return takeLabel(action, view);
    case 'moveLava':
      return `move lava from crater ${action.from} to crater ${action.to}`;
    case 'buy':
      return `buy ${NAMES[action.card]} for ${PRICES[action.card]} shell${PRICES[action.card] === 1 ? '' : 's'}`;
    case 'decline':
      return view.step === 'lastBuy' ? 'buy nothing before the scoring' : 'buy nothing with this shell';
  }
}

function placeLabel({ disc, beach, summon }: Of<'place'>, view: View): string {
  if (beach !== view.boat) return `place disc ${disc} on beach ${beach}`;
  const arrival = (beach + disc) % SEGMENTS;
  return `place disc ${disc} on beach ${beach} at the boat, sail to segment ${arrival}${summon ? ' and summon lava there' : ''}`;
}

function stayLabel(view: View): string {
  const { terrain, segment } = view.seats[view.turn]!.shaman;
  return `stay on ${terrain} ${segment}`;
}

function takeLabel({ card }: Of<'take'>, view: View): string {
  const { cards, sums } = view.segments[view.boat]!;
  const rest = cards.find((other) => other !== null && other !== card);
  if (!rest || sums.some((sum) => sum === 0)) return `take the ${NAMES[card]}`;
  const other = sums[0]! > sums[1]! ? 1 : 0;
  return `take the ${NAMES[card]}, ${SEATS[other]!.letter} gets the ${NAMES[rest]}`;
}
