import type { Result, Scene } from '../game.ts';
import { NO_SCENE } from '../svg.ts';
import { BONUSES, type Bonus, POINTS_PER_ISLAND } from './data.ts';
import { bridgesOn, finishedCount, isOpen, type LinkView, progressOf } from './outlook.ts';
import { question, resultOf, status, who } from './status.ts';
import type { SeatView, View } from './view.ts';
import { counted, listed } from './words.ts';

/** Sentences longer than this are hard to follow when they are read aloud. */
const MAX_LENGTH = 190;

/** The table in sentences: what is asked, the card, the bonuses, the own sheet island by island, then the others. */
export function describe(view: View, scene: Scene = NO_SCENE): string[] {
  const result = resultOf(view, scene);
  const own = view.seats.filter(({ seat }) => seat === view.you);
  const others = view.seats.filter(({ seat }) => seat !== view.you);
  return [
    `Hashi, side ${view.side}, ${view.step === 'preset' ? 'before the first card' : `round ${view.round} of ${view.rounds}`}.`,
    `${status(view, scene)}.`,
    ...(result ? view.seats.map((seat) => scoreSentence(view, scene, result, seat)) : turnSentences(view, scene)),
    ...lastSentence(scene),
    ...view.bonuses.flatMap((bonus) => bonusSentences(view, scene, bonus)),
    ...(result ? [] : cardsSentences(view)),
    ...FLAG_SENTENCES.map((sentence) => sentence(view)),
    ...own.flatMap((seat) => [...seatSentences(view, scene, seat), ...ownMap(view, seat)]),
    ...others.flatMap((seat) => [...seatSentences(view, scene, seat), ...sheetSentences(view, seat)]),
  ];
}

/** One sentence, or several with the same beginning where the list is long. */
function enumerated(beginning: string, items: readonly string[]): string[] {
  const out: string[] = [];
  for (const item of items) {
    const longer = `${out.at(-1)}, ${item}`;
    if (out.length > 0 && longer.length < MAX_LENGTH) out[out.length - 1] = longer;
    else out.push(`${beginning}: ${item}`);
  }
  return out.map((sentence) => `${sentence}.`);
}

const bridgeName = ({ a, b }: LinkView): string => `${a}–${b}`;

function turnSentences(view: View, scene: Scene): string[] {
  const { you, card, seats } = view;
  const out = card ? [`The card shows the number ${card.number} and ${counted(card.bridges, 'bridge')}.`] : [];
  const asked = question(view);
  if (asked) out.push(`You are asked: ${asked.charAt(0).toLowerCase()}${asked.slice(1)}.`);
  if (you !== null && view.step === 'preset' && seats.length > 1) {
    out.push(`Your sheet goes to ${who(scene, (you + 1) % seats.length)} before the first card.`);
  }
  const round = you === null ? null : seats[you]!.thisRound;
  if (round?.written) out.push(`In this round you wrote on island ${round.written}.`);
  if (round && round.bridges.length > 0) {
    const drawn = round.bridges.map((link) => bridgeName(view.board.links[link - 1]!));
    out.push(`In this round you drew ${drawn.length === 1 ? 'the bridge' : 'the bridges'} ${listed(drawn)}.`);
  }
  return out;
}

/** Targets in the words of labels. */
const inWords = (target: string): string =>
  target.startsWith('link:') ? `bridge ${target.slice(5).replace('-', '–')}` : target.replace(':', ' ');

function lastSentence(scene: Scene): string[] {
  if (!scene.last) return [];
  return [`The last action was made by ${who(scene, scene.last.seat)}: ${scene.last.targets.map(inWords).join(', ')}.`];
}

const BONUS_NAMES: Record<Bonus, string> = {
  red: 'Red flags, all 4 finished',
  blue: 'Blue flags, all 3 finished',
  chain: 'Chain, 6 finished islands joined by bridges',
};

function bonusSentences(
  view: View,
  scene: Scene,
  { bonus, first, later, deadline }: View['bonuses'][number],
): string[] {
  const when = deadline === null ? 'in the first round in which anybody has it' : `up to card ${deadline}`;
  const earned = view.seats.flatMap(({ seat, bonuses }) => {
    const found = bonuses[bonus];
    return found ? [`${who(scene, seat)} ${found.points}`] : [];
  });
  return [
    `${BONUS_NAMES[bonus]}: ${first} points ${when}, ${later} later.`,
    ...enumerated(`The ${bonus} bonus was earned`, earned),
  ];
}

function cardsSentences({ cards }: View): string[] {
  const unseen = cards.filter(({ round }) => round === null).map(({ number, bridges }) => `${number}/${bridges}`);
  return enumerated('Cards not seen yet, one of which never comes, as number/bridges', unseen);
}

const FLAG_SENTENCES = (['red', 'blue'] as const).map((flag) => ({ board }: View): string => {
  const islands = board.islands.filter((island) => island.flag === flag).map(({ id }) => id);
  return `Islands with a ${flag} flag: ${listed(islands)}.`;
});

function scoreSentence(view: View, scene: Scene, { ranks }: Result, seat: SeatView): string {
  const islands = finishedCount(seat);
  const parts = BONUSES.flatMap((bonus) => {
    const earned = seat.bonuses[bonus];
    return earned ? [`${bonus} bonus ${earned.points} from round ${earned.round}`] : [];
  });
  const rank = view.solo ? '' : ` rank ${ranks[seat.seat]},`;
  const points = `${counted(islands, 'finished island')} ${islands * POINTS_PER_ISLAND}`;
  return `${who(scene, seat.seat)}:${rank} ${counted(seat.score, 'point')}: ${[points, ...parts].join(', ')}.`;
}

const STEP_WORDS = {
  preset: 'chooses a first number',
  write: 'writes',
  build: 'builds',
  acting: 'has not finished this round',
  ready: 'is ready',
};

function seatSentences(view: View, scene: Scene, seat: SeatView): string[] {
  const { red, blue, chain } = progressOf(view, seat);
  const name = `${who(scene, seat.seat)}${seat.seat === view.you ? ' (you)' : ''}`;
  const doing = resultOf(view, scene) ? '' : ` and ${STEP_WORDS[seat.step]}`;
  return [
    `${name} has ${counted(seat.score, 'point')}, ${counted(finishedCount(seat), 'finished island')}${doing}.`,
    `Finished there: ${red.done} of ${red.of} red flags, ${blue.done} of ${blue.of} blue flags, chain of ${chain.done}.`,
  ];
}

function linkWords(view: View, seat: SeatView, link: LinkView, from: number): string {
  const built = bridgesOn(seat, link.id);
  const open = isOpen(view, seat, link);
  const other = link.a === from ? link.b : link.a;
  if (built === 0) return `${other} (${open ? 'open' : 'closed'})`;
  return `${other} (${counted(built, 'bridge')}${open ? ', open' : ''})`;
}

/** The viewer's own sheet: every island with its place, what it needs, and where bridges can lead from it. */
function ownMap(view: View, seat: SeatView): string[] {
  const { islands, links } = view.board;
  const sentences = islands.map(({ id, row, col, flag }) => {
    const { number, bridges, finished } = seat.islands[id - 1]!;
    const ways = links.filter(({ a, b }) => a === id || b === id).map((link) => linkWords(view, seat, link, id));
    const what =
      number === null ? `blank, ${counted(bridges, 'bridge')}` : `number ${number}, ${bridges} of ${number} bridges`;
    const place = `Island ${id}, row ${row}, column ${col}${flag ? `, ${flag} flag` : ''}`;
    return `${place}: ${what}${finished ? ', finished' : ''}; neighbours ${ways.join(', ')}.`;
  });
  const crossings = links.flatMap((link) =>
    link.crosses.filter((id) => id > link.id).map((id) => `${bridgeName(link)} and ${bridgeName(links[id - 1]!)}`),
  );
  return [...sentences, ...enumerated('Bridges that would cross each other', crossings)];
}

/** Another sheet, in short. */
function sheetSentences(view: View, seat: SeatView): string[] {
  const numbers = seat.islands.flatMap(({ id, number, bridges, finished }) =>
    number === null ? [] : [`${number} on island ${id} (${finished ? 'finished' : `${bridges} of ${number} bridges`})`],
  );
  const blank = seat.islands.flatMap(({ id, number, bridges }) =>
    number === null && bridges > 0 ? [`island ${id} (${counted(bridges, 'bridge')})`] : [],
  );
  const built = view.board.links.flatMap((link) => {
    const count = bridgesOn(seat, link.id);
    return count > 0 ? [`${bridgeName(link)}${count > 1 ? ' twice' : ''}`] : [];
  });
  return [
    ...enumerated('Numbers', numbers),
    ...enumerated('Blank islands with bridges', blank),
    ...enumerated('Bridges', built),
  ];
}
