import type { Scene, Seat } from '../game.ts';
import { NO_SCENE, nameOf, SEATS } from '../svg.ts';
import { BUILDABLE, COLOURS, KEPT, KINDS, NAMES, SEGMENTS } from './data.ts';
import { REPEATS } from './repetition.ts';
import type { View } from './view.ts';

/** The letter and colour by which a seat is called, whether or not anybody sits there. */
export const seatInWords = (seat: Seat): string => `${SEATS[seat]!.letter} (${COLOURS[seat]})`;

/** A player with letter and colour of the seat. */
const playerInWords = (scene: Scene, seat: Seat): string => {
  const name = scene.names[seat];
  return name ? `${name} (${SEATS[seat]!.letter}, ${COLOURS[seat]})` : seatInWords(seat);
};
const letterOf = (seat: Seat): string => SEATS[seat]!.letter;

const plural = (count: number, word: string): string =>
  `${count} ${count === 1 ? word : word.endsWith('y') ? `${word.slice(0, -1)}ies` : word.endsWith('s') ? `${word}es` : `${word}s`}`;

const listed = (parts: readonly (string | number)[]): string =>
  parts.length < 2 ? `${parts[0] ?? 'none'}` : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** The table in sentences: who is to do what, then both seats, the island, what is for sale, what has been scored. */
export function describe(view: View, scene: Scene = NO_SCENE): string[] {
  return [
    `Haleakalā, ${view.variant} game, card set ${view.cards}, round ${view.round} of 2.`,
    ...(view.you === null ? [] : [`You are ${playerInWords(scene, view.you)}.`]),
    `${status(view, scene)}.`,
    ...repetitionSentences(view),
    ...[0, 1].flatMap((seat) => seatSentences(view, scene, seat)),
    ...Array.from({ length: SEGMENTS }, (_, segment) => segmentSentences(view, segment)).flat(),
    ...supplySentences(view),
    ...boardSentences(view),
    ...scoringSentences(view),
  ];
}

/** Who has to decide what, or who has won, without the full stop. */
export function status(view: View, scene: Scene = NO_SCENE): string {
  const [seat, what] = statusOf(view, scene);
  return `${seat === null ? 'Nobody' : playerInWords(scene, seat)} ${what}`;
}

/** The same in two parts, with the bare name. */
export function statusParts(view: View, scene: Scene): [who: string, what: string] {
  const [seat, what] = statusOf(view, scene);
  return [seat === null ? 'Nobody' : nameOf(scene, seat), what];
}

function statusOf(view: View, scene: Scene): [seat: Seat | null, what: string] {
  if (view.actor === null || scene.result) return outcome(view, scene);
  return [view.actor, task(view, view.actor)];
}

function task(view: View, actor: Seat): string {
  switch (view.step) {
    case 'turn':
      return view.seats[actor]!.pool.length === 0 ? 'takes a disc back or sails on' : 'places a disc or takes one back';
    case 'walk':
      return 'walks the shaman or stays';
    case 'choose':
      return `takes a card at segment ${view.boat}`;
    case 'priestess':
      return 'moves a lava disc';
    case 'buy':
      return 'has a new shell and may buy a card';
    case 'lastBuy':
      return 'may buy a card before the scoring';
    default:
      return 'has nothing to decide';
  }
}

/** The result of the match takes precedence over the one on the table, because somebody may have given up. */
function outcome(view: View, scene: Scene): [seat: Seat | null, what: string] {
  const ranks = scene.result?.ranks ?? view.ranks ?? [1, 1];
  if (ranks[0] === ranks[1]) return [null, 'has won'];
  const winner = ranks[0] === 1 ? 0 : 1;
  if (!view.ranks) return [winner, 'wins before the last scoring'];
  const [own, theirs] = [view.seats[winner]!.score, view.seats[1 - winner]!.score];
  const score = `wins ${own} : ${theirs}`;
  if (view.ranks[winner] !== 1) return [winner, `${score}, as the other player gave up`];
  if (own !== theirs) return [winner, score];
  const built = view.seats.map((seat) => seat.statuesLeft);
  const why = built[0] === built[1] ? 'as the seat that did not begin' : 'with more statues';
  return [winner, `${score}, ${why}`];
}

function repetitionSentences({ stood }: View): string[] {
  if (stood === REPEATS) return ['The same position stood for the third time, so the match ends.'];
  if (stood === 2) return ['This position stands for the second time; the third time ends the match.'];
  return [];
}

function seatSentences(view: View, scene: Scene, seat: Seat): string[] {
  const { score, shaman, pool, summon, statuesLeft, kept, butterflies, scoringCards } = view.seats[seat]!;
  const letter = letterOf(seat);
  const keeps = KEPT.filter((kind) => kept[kind] > 0).map((kind) => plural(kept[kind], NAMES[kind]));
  const has = [
    plural(score, 'point'),
    `the shaman on ${shaman.terrain} ${shaman.segment}`,
    plural(statuesLeft, 'statue'),
  ];
  const out = [`${playerInWords(scene, seat)} has ${listed(has)} left to build.`];
  if (view.startSeat === seat) out.push(`${letter} was the first player.`);
  out.push(`Discs in the pool of ${letter}: ${listed(pool)}.`);
  if (summon !== 'box')
    out.push(`The summon disc of ${letter} is ${summon === 'pool' ? 'in the pool' : 'on a beach'}.`);
  out.push(
    `${letter} keeps ${keeps.length > 0 ? listed(keeps) : 'no cards'}, with ${plural(butterflies, 'butterfly')} on them.`,
  );
  if (scoringCards.length > 0)
    out.push(`Scoring cards of ${letter}: ${listed(scoringCards.map((card) => NAMES[card]))}.`);
  const waiting = view.pending.filter((one) => one.seat === seat).map(({ card }) => NAMES[card]);
  if (waiting.length > 0) out.push(`${letter} still has to use: ${listed(waiting)}.`);
  return out;
}

export function cardsInWords(view: View, segment: number): string {
  const cards = view.segments[segment]!.cards.flatMap((card) => (card ? [NAMES[card]] : []));
  return cards.length > 0 ? listed(cards) : 'no cards';
}

export function beachInWords(view: View, segment: number): string {
  const { discs, sums, summons } = view.segments[segment]!;
  const lie = [0, 1].flatMap((seat) => {
    const numbers = discs[seat]!.length > 0 ? `${letterOf(seat)} has ${listed(discs[seat]!)}, sum ${sums[seat]}` : '';
    const summon = summons[seat] ? `the summon disc of ${letterOf(seat)}` : '';
    return [numbers, summon].filter(Boolean);
  });
  const guests = view.seats.flatMap(({ shaman }, seat) =>
    shaman.terrain === 'beach' && shaman.segment === segment ? [`the shaman of ${letterOf(seat)}`] : [],
  );
  return [...lie, ...guests, ...(view.boat === segment ? ['the boat'] : [])].join('; ') || 'empty';
}

export function spaceInWords(view: View, terrain: (typeof BUILDABLE)[number], segment: number): string {
  const { statues, lava } = view.segments[segment]!;
  const owner = statues[terrain];
  const guests = view.seats.flatMap(({ shaman }, seat) =>
    shaman.terrain === terrain && shaman.segment === segment ? [`the shaman of ${letterOf(seat)}`] : [],
  );
  return (
    [
      ...(owner === null ? [] : [`a statue of ${letterOf(owner)}`]),
      ...guests,
      ...(lava >= BUILDABLE.length - BUILDABLE.indexOf(terrain) ? ['lava would reach it'] : []),
    ].join('; ') || 'empty'
  );
}

export const craterInWords = (view: View, segment: number): string =>
  view.segments[segment]!.lava === 0 ? 'no lava' : plural(view.segments[segment]!.lava, 'lava disc');

function segmentSentences(view: View, segment: number): string[] {
  const { statues, lava } = view.segments[segment]!;
  const out = [`Segment ${segment}: ${cardsInWords(view, segment)}; beach ${segment}: ${beachInWords(view, segment)}.`];
  const built = BUILDABLE.flatMap((terrain) => {
    const owner = statues[terrain];
    return owner === null ? [] : [`a statue of ${letterOf(owner)} on ${terrain} ${segment}`];
  });
  if (built.length > 0) out.push(`There is ${listed(built)}.`);
  const reach = ['nothing', 'the mountain', 'the mountain and the forest', 'mountain, forest and land'][
    Math.min(lava, 3)
  ]!;
  if (lava > 0) out.push(`${plural(lava, 'lava disc')} on crater ${segment} would reach ${reach}.`);
  return out;
}

function supplySentences(view: View): string[] {
  const [one, two, three] = view.decks.map(({ left }) => left);
  const rest = KINDS.map((kind) => ({ kind, left: view.decks.reduce((sum, deck) => sum + deck.cards[kind], 0) }));
  const contents = rest.filter(({ left }) => left > 0).map(({ kind, left }) => `${left} ${NAMES[kind]}`);
  return [
    `Cards left in the decks: ${one} with one palm, ${two} with two, ${three} with three.`,
    ...(contents.length > 0 ? [`Together they hold ${listed(contents)}.`] : []),
    `${plural(view.lavaLeft, 'lava disc')} in the supply.`,
  ];
}

function boardSentences(view: View): string[] {
  const sale = view.board.filter(({ owner }) => owner === null);
  const gone = view.board.flatMap(({ card, owner }) =>
    owner === null ? [] : [`${NAMES[card]} by ${letterOf(owner)}`],
  );
  return [
    sale.length > 0
      ? `For sale: ${listed(sale.map(({ card, price }) => `${NAMES[card]} for ${plural(price, 'shell')}`))}.`
      : 'Nothing is for sale in this round.',
    ...(gone.length > 0 ? [`Bought in this round: ${listed(gone)}.`] : []),
  ];
}

const PARTS = {
  mountain: 'mountains',
  forest: 'forests',
  land: 'land',
  baskets: 'baskets',
  pearls: 'pearls',
  nautilus: 'nautilus',
  shells: 'shells',
  butterflies: 'butterflies',
  superiority: 'superiority',
  finishedSegment: 'finished segments',
  forestStatues: 'forest statues',
  mountainStatues: 'mountain statues',
} as const;

function scoringSentences(view: View): string[] {
  return view.scorings.flatMap(({ round, lost, parts }, i) =>
    parts.map((part, seat) => {
      const points = (Object.keys(PARTS) as (keyof typeof PARTS)[]).flatMap((key) =>
        part[key] ? [`${PARTS[key]} ${part[key]}`] : [],
      );
      const what = points.length > 0 ? ` (${points.join(', ')})` : '';
      const loss = lost[seat]! > 0 ? ` after losing ${plural(lost[seat]!, 'statue')}` : '';
      return `Scoring ${round ?? i + 1}: ${letterOf(seat)} got ${plural(part.total, 'point')}${what}${loss}.`;
    }),
  );
}
