import type { Scene, Seat } from '../game.ts';
import { NO_SCENE, nameOf, SEATS } from '../svg.ts';
import { BOAT_NAMES, ISLAND_NAMES, TILE_NAMES } from './data.ts';
import type { SeatView, View } from './view.ts';
import { amounts, count, listed, tileName, tokenName } from './words.ts';

/** What the acting seat has to decide in this step. */
export function question(view: View): string {
  const { step, turn } = view;
  if (step === 'over') return 'The match is over.';
  if (turn === null) return 'Choose what irrigation gives.';
  const owed = turn.owed ? amounts({ shells: 0, feet: 0, fruit: 0, [turn.owed.currency]: turn.owed.amount }) : '';
  const tile = turn.tile ? tileName(turn.tile.tile, turn.tile.side) : '';
  const words: Record<View['step'], string> = {
    turn: 'Take a turn.',
    payWalk: `Pay ${owed} for the walk.`,
    payTile: `Pay ${owed} for ${tile}.`,
    payBoats: `Pay ${owed} for the boats.`,
    buy: `Buy a tile at ${view.seats[turn.seat]!.chief}.`,
    build: `Place ${tile} in a village.`,
    kane: 'Give Kane two resources for a tiki, or nothing.',
    catch: 'Choose fish and the boats that carry them.',
    load: `Choose boats for dock ${turn.dock}.`,
    gift: 'Choose a fruit tile.',
    income: 'Choose what irrigation gives.',
    over: '',
  };
  return words[step];
}

/** The seats that are to act: as the scene says, or as the view does. */
const toAct = (view: View, scene: Scene): Seat[] => {
  if (scene.acting.length > 0) return [...scene.acting];
  return view.turn ? [view.turn.seat] : view.seats.filter(({ incomeDue }) => incomeDue > 0).map(({ seat }) => seat);
};

/** The seats that the heading names: those who won, or those who are to act. */
export function inFocus(view: View, scene: Scene): Seat[] {
  const result = scene.result ?? view.result;
  return result ? [...result.ranks.keys()].filter((seat) => result.ranks[seat] === 1) : toAct(view, scene);
}

/** Who has to act, or who won and why. */
export function standing(view: View, scene: Scene): string {
  if (scene.result ?? view.result) return verdict(view, scene);
  const names = listed(inFocus(view, scene).map((seat) => named(seat, view, scene)));
  return names ? `${names}: ${question(view)}` : question(view);
}

const named = (seat: Seat, view: View, scene: Scene): string =>
  `${nameOf(scene, seat)} (${SEATS[seat]!.name}${seat === view.you ? '; you' : ''})`;

const left = ({ resources }: SeatView): number =>
  resources === null ? 0 : resources.shells + resources.feet + resources.fruit;

/**
 * Explains the win. The result of the match takes precedence over the count of the game, because somebody may have
 * given up.
 */
function verdict(view: View, scene: Scene): string {
  const result = scene.result ?? view.result!;
  const best = inFocus(view, scene);
  const names = listed(best.map((seat) => named(seat, view, scene)));
  const score = count(result.scores[best[0]!]!, 'point');
  if (view.result === null)
    return `${names} ${best.length > 1 ? 'win' : 'wins'}: the match ended before its last round was over.`;
  if (view.result.ranks.some((rank, seat) => rank !== result.ranks[seat])) {
    return `${names} ${best.length > 1 ? 'win' : 'wins'} with ${score}: who gives up is ranked last.`;
  }
  const rest = view.seats.filter(({ seat }) => !best.includes(seat));
  const resources = count(left(view.seats[best[0]!]!), 'resource');
  if (best.length > 1) return `${names} share the victory with ${score} and ${resources} left each.`;
  const next = Math.max(...rest.map(({ seat }) => result.scores[seat]!));
  if (next < result.scores[best[0]!]!)
    return `${names} wins with ${score}, ${count(result.scores[best[0]!]! - next, 'point')} ahead.`;
  const rival = Math.max(...rest.filter(({ seat }) => result.scores[seat] === next).map(left));
  return `${names} wins: ${score} are shared, but ${resources} left are more than ${rival}.`;
}

/** The table in sentences. */
export function describe(view: View, scene: Scene = NO_SCENE): string[] {
  const own = view.seats.filter(({ seat }) => seat === view.you);
  const others = view.seats.filter(({ seat }) => seat !== view.you);
  return [
    `Hawaii, round ${view.round} of ${view.rounds}.`,
    standing(view, scene),
    ...indicatorOf(view),
    ...own.flatMap((seat) => seatOf(seat, view, scene)),
    ...view.places.map((place) => placeOf(place, view)),
    ...beachOf(view, scene),
    ...others.flatMap((seat) => seatOf(seat, view, scene)),
    ...scoredOf(view, scene),
  ];
}

function indicatorOf({ indicator, round, rounds }: View): string[] {
  const { threshold, first, second, check, shells, feet } = indicator;
  const supplies = round === rounds ? 'no supplies.' : `every seat gets ${amounts({ shells, feet, fruit: 0 })}.`;
  return [
    `The sum needed in this round is ${threshold}: the best sum gets ${first} points, the second ${second}, any other ${check}.`,
    `After this round there are ${round === rounds ? '' : 'supplies: '}${supplies}`,
  ];
}

function placeOf({ place, name, sells, circles, walk }: View['places'][number], view: View): string {
  const goods = sells.map(({ tile, left }) => `${left} ${TILE_NAMES[tile]}`).join(', ');
  const tokens = circles.flatMap((token) => (token ? [tokenName(token.value, token.spear)] : []));
  const prices = tokens.length > 0 ? `price tokens ${listed(tokens)}` : 'no price token';
  const steps = walk === null || view.turn === null ? '' : `; ${count(walk, 'foot', 'feet')} to walk there`;
  return `Place ${place} (${name}): ${goods || 'nothing left'}; ${prices}${steps}.`;
}

function beachOf(view: View, scene: Scene): string[] {
  const docks = view.docks.map(({ dock, island, feet, points }) =>
    island === null
      ? `Dock ${dock}: visited.`
      : `Dock ${dock}: island with ${ISLAND_NAMES[island]}, ${points} points for ${feet} feet.`,
  );
  const track = view.track.map(({ space, seat, token, passed }) => {
    const gives = token ? `token ${tokenName(token.value, token.spear)}` : 'no token';
    const taken = passed === null ? 'free to pass on' : `taken by ${nameOf(scene, passed)}`;
    return `Space ${space} of the order track: ${nameOf(scene, seat)} moves here, ${gives}, ${taken}.`;
  });
  const bay = view.bay.length > 0 ? `tokens with ${listed(view.bay.map(String))} fish` : 'no fish';
  return [`In the bay: ${bay}.`, ...docks, ...track];
}

const WHERE = { beach: 'on the beach', track: 'on the order track' } as const;

/** A seat in a few sentences, none of them long. */
function seatOf(seat: SeatView, view: View, scene: Scene): string[] {
  const name = named(seat.seat, view, scene);
  const where = seat.chief === 'beach' || seat.chief === 'track' ? WHERE[seat.chief] : `at ${seat.chief}`;
  const stock =
    seat.resources === null ? 'its resources are hidden' : `has ${amounts(seat.resources) || 'no resources'}`;
  const boats = seat.boats.flatMap(({ boat, count: owned, used }) =>
    owned > 0 ? [`${owned - used} of ${owned} × ${BOAT_NAMES[boat].replace('the ', '')} unused`] : [],
  );
  const villages = seat.villages.flatMap(({ tiles, scores }, i) => villageOf(tiles, scores, i, name));
  return [
    `${name}: ${seat.score} points, chief ${where}; ${stock}.`,
    `${name} has a sum of ${seat.sum} and needs ${Math.max(0, seat.threshold)}; boats: ${listed(boats) || 'none'}.`,
    `${name} has ${count(seat.kahunas, 'kahuna')} and ${count(seat.tikis, 'tiki')}; ${
      seat.neededLength === null
        ? 'no village scores without a tiki'
        : `villages score from length ${seat.neededLength}`
    }; its realm is worth ${seat.final.total} so far.`,
    ...villages,
  ];
}

/** A long village is described in two sentences. */
function villageOf(tiles: SeatView['villages'][number]['tiles'], scores: boolean, i: number, name: string): string[] {
  const names = tiles.map(({ tile, side }) => tileName(tile, side));
  if (i === 0) names.unshift('the printed hut');
  const says = `${name}, village ${i + 1}${scores ? ' (scores)' : ''}`;
  const half = names.length > 8 ? [names.slice(0, 7), names.slice(7)] : [names];
  return half.map((part, n) => `${says}${n > 0 ? ', also' : ''}: ${part.join(', ')}.`);
}

function scoredOf(view: View, scene: Scene): string[] {
  return view.scored.flatMap(({ round, seats }) =>
    seats.map(({ sum, needed, points, lono, space }, seat) => {
      const extra = `${lono > 0 ? ` and ${lono} of Lono` : ''}${space > 0 ? ` and ${space} for space 1` : ''}`;
      return `Round ${round}: ${nameOf(scene, seat)} had ${sum} of ${Math.max(0, needed)} and got ${count(points, 'point')}${extra}.`;
    }),
  );
}
