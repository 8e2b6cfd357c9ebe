import type { Action, ActionOf } from './actions.ts';
import { ISLAND_NAMES, SLOT_NAMES, TILE_NAMES } from './data.ts';
import type { View } from './view.ts';
import { amounts, boatNames, count, tileName, tokenName } from './words.ts';

function walkLabel({ place: name }: ActionOf<'walk'>, view: View): string {
  const place = view.places[SLOT_NAMES.indexOf(name)]!;
  const stays = view.turn !== null && view.seats[view.turn.seat]!.chief === name;
  const cost = place.walk === null ? '' : `, ${count(place.walk, 'foot', 'feet')}`;
  return `${stays ? 'stay at' : 'walk to'} ${name} (${place.name})${cost}`;
}

function visitLabel({ dock: number }: ActionOf<'visit'>, view: View): string {
  const { island, points, feet } = view.docks[number - 1]!;
  const what = island === null ? '' : ` (${ISLAND_NAMES[island]})`;
  return `visit the island at dock ${number}${what}, ${points} points for ${feet} feet`;
}

function passLabel({ space }: ActionOf<'pass'>, view: View): string {
  const token = view.track[space - 1]?.token;
  return `pass on space ${space}${token ? `, taking a ${tokenName(token.value, token.spear)}` : ''}`;
}

const buyLabel = ({ tile, value, spear, side }: ActionOf<'buy'>): string =>
  `buy ${tileName(tile, side)} for ${count(value * side, 'shell')} (token ${tokenName(value, spear)})`;

function buildLabel({ village }: ActionOf<'build'>, view: View): string {
  const turn = view.turn;
  const what = turn?.tile ? `${tileName(turn.tile.tile, turn.tile.side)} ` : '';
  const isNew = turn !== null && village > view.seats[turn.seat]!.villages.length;
  return `place ${what}in ${isNew ? 'the new ' : ''}village ${village}`;
}

export function label(action: Action, view: View): string {
  switch (action.type) {
    case 'walk':
      return walkLabel(action, view);
    case 'fish':
      return 'go fishing';
    case 'visit':
      return visitLabel(action, view);
    case 'rest':
      return 'return to the beach and rest';
    case 'pass':
      return passLabel(action, view);
    case 'pay':
      return `pay ${amounts(action)}`;
    case 'buy':
      return buyLabel(action);
    case 'build':
      return buildLabel(action, view);
    case 'kane':
      return `give Kane ${amounts(action)} for a tiki`;
    case 'decline':
      return 'give Kane nothing';
    case 'catch':
      return `catch ${action.fish.join(' + ')} fish with ${boatNames(action.boats)}`;
    case 'load':
      return `sail with ${boatNames(action.boats)}`;
    case 'gift':
      return `take a ${TILE_NAMES[action.tile]} tile`;
    case 'income':
      return `let the irrigation give ${amounts({ shells: 0, feet: 0, fruit: 0, [action.resource]: 1 })}`;
  }
}
