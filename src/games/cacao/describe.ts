import type { Scene, Seat } from '../game.ts';
import { NO_SCENE, nameOf, SEATS } from '../svg.ts';
import { CACAO_SPACES, COMPASS, facedBy, jungleTileOf, SIDES, SUN_SPACES } from './data.ts';
import { isOver, notesOf, ranksOf, status } from './status.ts';
import type { View } from './view.ts';

type Where = View['open'][number];

export function describe(view: View, scene: Scene = NO_SCENE): string[] {
  const over = isOver(view, scene);
  return [
    `Cacao, round ${view.round} of ${view.rounds}: ${status(view, scene)}.`,
    view.you === null ? 'You are watching.' : `You are ${called(view.you, scene)}.`,
    ...(over ? scoreOf(view, scene) : [...taskOf(view), ...handOf(view)]),
    ...view.seats.map((_, seat) => villageOf(view, scene, seat)),
    ...(over ? [] : [displayOf(view), ...listed('Still in the pile', pileOf(view))]),
    ...lastOf(view, scene),
    'Cells are named (row,column); rows count to the south, columns to the east.',
    ...listed('Jungle tiles', view.jungle.map(jungleAt)),
    ...view.workers.map((tile) => workersAt(tile, scene)),
    ...view.temples.map((temple) => templeAt(temple, scene)),
    ...(over ? [] : view.open.map((cell) => freeCell(view, cell))),
  ];
}

const LONGEST = 180;

/** Splits a list into as many sentences as needed to keep each of them short. */
function listed(name: string, items: readonly string[]): string[] {
  const lines: string[] = [];
  for (const item of items) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + item.length < LONGEST) lines[lines.length - 1] = `${line}, ${item}`;
    else lines.push(item);
  }
  return lines.map((line, i) => `${i === 0 ? name : `More ${name.toLowerCase()}`}: ${line}.`);
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
const where = ({ row, col }: Where): string => `(${row},${col})`;
const jungleAt = (cell: View['jungle'][number]): string => `${jungleTileOf(cell.tile).label} ${where(cell)}`;

/** The name of a player, with the letter that the picture shows. */
function called(seat: Seat, scene: Scene): string {
  const { letter, name: colour } = SEATS[seat]!;
  const name = nameOf(scene, seat);
  return name === letter ? `${letter} (${colour})` : `${name} (${letter}, ${colour})`;
}

/** What the viewer has to decide now. */
function taskOf(view: View): string[] {
  const { you, step, acting } = view;
  if (you === null || !acting.includes(you)) return [];
  const village = view.seats[you]!;
  if (step === 'fill') return [`Lay a tile of the display on one of these cells: ${view.empty.map(where).join(', ')}.`];
  if (step === 'work') return ['Use your workers, one side of a tile after another.', ...edgesOf(view, you)];
  const covering = village.sun > 0 && view.display.length === 0 && view.pileSize === 0;
  return [
    'Place a worker tile of your hand on a free cell, turned as you like.',
    ...(covering ? ['Or pay a sun token and lay it on one of your worker tiles that is not yet two tiles high.'] : []),
  ];
}

const edgesOf = (view: View, seat: Seat): string[] =>
  view.seats[seat]!.edges.map((edge) => {
    const { label, use } = jungleTileOf(edge.tile);
    const verb = use === 'plantation' ? 'can harvest at' : 'can sell at';
    return `${count(edge.workers, 'worker')} of ${where(edge)} ${verb} the ${label} ${COMPASS[edge.side]} of it.`;
  });

function handOf({ you, seats }: View): string[] {
  const hand = you === null ? null : seats[you]!.hand;
  if (!hand) return [];
  return [hand.length > 0 ? `Your hand, workers by side, clockwise: ${hand.join(', ')}.` : 'Your hand is empty.'];
}

function villageOf(view: View, scene: Scene, seat: Seat): string {
  const { cacao, gold, sun, water, handSize, pileSize, score } = view.seats[seat]!;
  const owns = `${cacao} of ${CACAO_SPACES} cacao, ${gold} gold, ${sun} of ${SUN_SPACES} sun tokens, water ${water}`;
  if (isOver(view, scene)) return `${called(seat, scene)}: ${owns}.`;
  return `${called(seat, scene)}: ${owns}, ${handSize} tiles in hand, ${pileSize} in the pile; scores ${score.total} now.`;
}

const displayOf = ({ display }: View): string =>
  display.length > 0
    ? `Display: ${display.map((tile) => jungleTileOf(tile).label).join(', ')}.`
    : 'The display is empty.';

const pileOf = ({ pile, pileSize }: View): string[] =>
  pileSize === 0
    ? ['nothing']
    : pile.flatMap(({ tile, count }) => (count > 0 ? [`${count} × ${jungleTileOf(tile).label}`] : []));

function lastOf(view: View, scene: Scene): string[] {
  const { last, filled } = view;
  const laid = last && view.workers.find(({ row, col }) => row === last.row && col === last.col);
  if (!laid) return [];
  const what = `${nameOf(scene, laid.seat)} laid the last worker tile at ${where(laid)}`;
  if (filled.length === 0) return [`${what}.`];
  return [`${what}, and jungle was laid at ${filled.map(where).join(', ')}.`];
}

function workersAt(tile: View['workers'][number], scene: Scene): string {
  const workers = SIDES.flatMap((side) => (tile.sides[side] > 0 ? [`${tile.sides[side]} ${COMPASS[side]}`] : []));
  const below = tile.covers ? ', two tiles high' : '';
  return `Worker tile of ${nameOf(scene, tile.seat)} ${where(tile)}: ${workers.join(', ')}${below}.`;
}

function templeAt({ row, col, workers, gold }: View['temples'][number], scene: Scene): string {
  const parts = workers.flatMap((n, seat) => (n > 0 ? [`${nameOf(scene, seat)} ${n} (${gold[seat]} gold)`] : []));
  return `At the temple (${row},${col}): ${parts.length > 0 ? parts.join(', ') : 'no workers'}.`;
}

/** What a tile laid on this cell would face. */
function freeCell(view: View, cell: Where): string {
  const around = SIDES.flatMap((side) => {
    const { row, col } = facedBy(cell, side);
    const found = view.jungle.find((tile) => tile.row === row && tile.col === col);
    return found ? [`${jungleTileOf(found.tile).label} ${COMPASS[side]}`] : [];
  });
  return `Free cell ${where(cell)}: ${around.join(', ')}.`;
}

function scoreOf(view: View, scene: Scene): string[] {
  const ranks = ranksOf(view, scene);
  const lines = view.seats.map(({ score, cacao }, seat) => {
    const { coins, temples, sun, water, total } = score;
    const parts = `${coins} coins, ${temples} from temples, ${sun} from sun tokens, ${water} from water`;
    return `Rank ${ranks[seat]}: ${called(seat, scene)} with ${total} gold: ${parts}; ${cacao} cacao left.`;
  });
  return [...lines, ...notesOf(view, scene)];
}
