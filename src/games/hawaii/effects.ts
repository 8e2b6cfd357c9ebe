import { type Static, type TProperties, Type } from 'typebox';
import type { Seat, Tell as TellOf } from '../game.ts';
import { SEATS } from '../svg.ts';
import { type Action, ActionSchema } from './actions.ts';
import { GODS, ISLAND_NAMES, ISLANDS, SLOT_NAMES, TILE_NAMES } from './data.ts';
import { amounts, boatNames, count, listed, tileName, tokenName } from './words.ts';

const effect = <T extends string, P extends TProperties>(type: T, description: string, fields: P) =>
  Type.Object({ type: Type.Literal(type), ...fields }, { additionalProperties: false, description });

const int = Type.Integer();
const amount = Type.Integer({ minimum: 0 });
const seat = Type.Integer({ minimum: 0, maximum: 4, description: 'the seat it happened to' });
const side = Type.Integer({ minimum: 1, maximum: 2 });
const token = Type.Object({ value: amount, spear: Type.Boolean() }, { additionalProperties: false });
const stock = { shells: amount, feet: amount, fruit: amount };
const closed = { additionalProperties: false };

/**
 * What follows from an action without a decision. Tiles and supplies are open. How a payment was made reveals what lies
 * behind a screen, so it is told only where resources are open.
 */
export const EffectSchema = Type.Union([
  effect('decided', 'a decision with one possible answer was made by the engine', { seat, action: ActionSchema }),
  effect('paid', 'a payment with one possible answer was made; what with stays behind the screen', {
    seat,
    amount,
    currency: Type.Enum(['feet', 'shells']),
  }),
  effect('spears', 'points for a token with spears', { seat, points: amount }),
  effect('kahunas', 'kahunas were placed, with the shells of their spaces', { seat, count: amount, shells: amount }),
  effect('tikis', 'tikis were placed, with the feet of their spaces', { seat, count: amount, feet: amount }),
  effect('boat', 'a boat was put to sea', { seat, side }),
  effect('docked', 'points of a dock', { seat, dock: int, points: amount }),
  effect('island', 'an island gives what it shows; not given: it has no place in the realm or none is left', {
    seat,
    island: Type.Enum([...ISLANDS]),
    given: Type.Boolean(),
  }),
  effect('god', 'a god was uncovered and is for sale', { god: Type.Enum([...GODS]) }),
  effect('counted', 'a round was counted for a seat', {
    seat,
    round: int,
    sum: amount,
    needed: int,
    points: amount,
    lono: amount,
    space: amount,
  }),
  effect('supplied', 'what a seat was handed out after a round', { seat, ...stock }),
  effect('irrigated', 'what the irrigations of a seat were chosen to give', { seat, ...stock }),
  effect('roundBegan', 'a round began, in this order of seats', { round: int, order: Type.Array(seat) }),
  effect('prices', 'price tokens were laid out', {
    places: Type.Array(Type.Object({ place: Type.Enum([...SLOT_NAMES]), tokens: Type.Array(token) }, closed)),
    bay: Type.Array(int, { description: 'fish of the tokens in the bay' }),
    track: Type.Array(token, { description: 'from space 2 of the order track' }),
  }),
  effect('docks', 'islands were moved up and drawn', { islands: Type.Array(Type.Enum([...ISLANDS])) }),
  effect('final', 'the final scoring of a realm', {
    seat,
    kahunas: amount,
    longHuts: amount,
    hula: amount,
    irrigation: amount,
    laka: amount,
    kanaloa: amount,
    total: amount,
  }),
]);
export type Effect = Static<typeof EffectSchema>;
export type Tell = TellOf<Effect>;

const letter = (seat: Seat): string => SEATS[seat]!.letter;
const points = (n: number): string => count(n, 'point');

/** One sentence for an effect. */
export function explain(effect: Effect): string {
  switch (effect.type) {
    case 'decided':
      return `${letter(effect.seat)} ${decided(effect.action)}.`;
    case 'paid':
      return `${letter(effect.seat)} paid ${amounts({ shells: 0, feet: 0, fruit: 0, [effect.currency]: effect.amount })}, or what counts for it, in the only way possible.`;
    case 'spears':
      return `${letter(effect.seat)} got ${points(effect.points)} for the spears.`;
    case 'kahunas':
      return placed(
        effect.seat,
        tileName('kahuna', effect.count),
        amounts({ shells: effect.shells, feet: 0, fruit: 0 }),
      );
    case 'tikis':
      return placed(effect.seat, tileName('tiki', effect.count), amounts({ shells: 0, feet: effect.feet, fruit: 0 }));
    case 'boat':
      return placed(effect.seat, tileName('boat', effect.side), '');
    case 'docked':
      return `${letter(effect.seat)} got ${points(effect.points)} at dock ${effect.dock}.`;
    case 'island':
      return effect.given
        ? `The island gave ${letter(effect.seat)} ${ISLAND_NAMES[effect.island]}.`
        : `${letter(effect.seat)} got nothing from the island (${ISLAND_NAMES[effect.island]}): there is no place or none left.`;
    case 'god':
      return `${TILE_NAMES[effect.god]} was uncovered and is for sale.`;
    case 'counted':
      return counted(effect);
    case 'supplied':
      return `${letter(effect.seat)} was handed out ${amounts(effect) || 'nothing'}.`;
    case 'irrigated':
      return `The irrigation of ${letter(effect.seat)} gave ${amounts(effect)}.`;
    case 'roundBegan':
      return `Round ${effect.round} began, in the order ${listed(effect.order.map(letter))}.`;
    case 'prices':
      return laidOut(effect);
    case 'docks':
      return `The islands at the docks are now ${listed(effect.islands.map((island) => ISLAND_NAMES[island]))}.`;
    case 'final':
      return `${letter(effect.seat)} got ${points(effect.total)} in the final scoring.`;
  }
}

const placed = (seat: Seat, what: string, bonus: string): string =>
  `${letter(seat)} placed ${what}${bonus ? ` and got ${bonus}` : ''}.`;

/** The words say why there was nothing to decide: passing and declining may otherwise surprise. */
function decided(action: Action): string {
  switch (action.type) {
    case 'pass':
      return `passed on space ${action.space}, having nothing else to do`;
    case 'decline':
      return 'was not offered a tiki by Kane: no tiki, no space for it, or nothing to give';
    case 'pay':
      return `paid ${amounts(action)}`;
    case 'buy':
      return `bought ${tileName(action.tile, action.side)} for ${count(action.value * action.side, 'shell')}`;
    case 'build':
      return `placed the tile in village ${action.village}`;
    case 'catch':
      return `caught ${action.fish.join(' + ')} fish with ${boatNames(action.boats)}`;
    case 'load':
      return `sailed with ${boatNames(action.boats)}`;
    case 'gift':
      return `took a ${TILE_NAMES[action.tile]} tile`;
    default:
      return `did the only thing possible (${action.type})`;
  }
}

function counted({ seat, round, sum, needed, points: own, lono, space }: Extract<Effect, { type: 'counted' }>): string {
  const extra = `${lono > 0 ? `, ${lono} of Lono` : ''}${space > 0 ? `, ${space} for space 1` : ''}`;
  return `Round ${round}: ${letter(seat)} had a sum of ${sum}, needed ${Math.max(0, needed)} and got ${points(own)}${extra}.`;
}

function laidOut({ places, bay, track }: Extract<Effect, { type: 'prices' }>): string {
  const names = (tokens: { value: number; spear: boolean }[]) =>
    tokens.map(({ value, spear }) => tokenName(value, spear)).join(', ') || 'none';
  const boards = places.map(({ place, tokens }) => `${place}: ${names(tokens)}`).join('; ');
  return `New prices: ${boards}; fish in the bay: ${bay.join(', ') || 'none'}; on the order track: ${names(track)}.`;
}
