import type { Scene } from '../game.ts';
import { at, type Choice, choices, el, group, NO_SCENE, picture, shorten, text } from '../svg.ts';
import { BUILDABLE, POINTS } from './data.ts';
import { status, statusParts } from './describe.ts';
import { bold, flame, left, muted, PAPER, paintOf, seatBadge } from './icons.ts';
import { REPEATS } from './repetition.ts';
import { BOARD, board, GROUND_COLOURS, sumBadge, terrainMark } from './svg-island.ts';
import { PANEL_HEIGHT, seatPanel, supplies } from './svg-panels.ts';
import { SHEET_HEIGHT, scoreSheet, scoringBoard, scoringBoardHeight } from './svg-scores.ts';
import type { View } from './view.ts';

export const svg = (view: View, scene: Scene = NO_SCENE): string =>
  scene.width === 'NARROW' ? narrow(view, scene) : wide(view, scene);

const title = (view: View, scene: Scene): string => `Haleakalā, round ${view.round}. ${status(view, scene)}`;
const MARGIN = 14;

const WIDE = { width: 1000, scale: 1.16, side: 506 };

/** The island on the left, what the seats have and what scores on the right. */
function wide(view: View, scene: Scene): string {
  const { width, scale, side } = WIDE;
  const x = width - MARGIN - side;
  const panel = (side - 10) / 2;
  const buttons = choices(scene, controls(view), BOARD.width * scale);
  const top = 60;
  const below = top + PANEL_HEIGHT + 10;
  const sheet = below + 80 + scoringBoardHeight(3) + 10;
  const bottom = top + BOARD.height * scale + 14;
  const height = Math.max(bottom + LEGEND_HEIGHT + 2 * 54, sheet + SHEET_HEIGHT) + MARGIN;
  return picture(
    width,
    height,
    title(view, scene),
    text(MARGIN, 40, 28, 'Haleakalā', { ...left, ...bold }),
    text(190, 38, 14, about(view), { ...left, ...muted }),
    at(x, 10, statusLine(view, scene, side, 38)),
    at(MARGIN, top, group({ transform: `scale(${scale})` }, board(view, scene))),
    at(MARGIN, bottom, buttons.markup),
    at(MARGIN + 4, height - MARGIN - LEGEND_HEIGHT, legend()),
    ...[0, 1].map((seat) => at(x + seat * (panel + 10), top, seatPanel(view, scene, seat, panel))),
    at(x, below, supplies(view)),
    at(x, below + 80, scoringBoard(view, scene, side, 3)),
    at(x, sheet, scoreSheet(view, scene, side)),
  );
}

const NARROW = { width: BOARD.width, inside: BOARD.width - 12 };

/** One above the other: the island, the buttons, the seats with the viewer's first, then what scores. */
function narrow(view: View, scene: Scene): string {
  const { width, inside } = NARROW;
  const buttons = choices(scene, controls(view), inside, 16);
  const seats = view.you === 1 ? [1, 0] : [0, 1];
  let y = 0;
  const parts: string[] = [];
  const put = (x: number, height: number, markup: string) => {
    parts.push(at(x, y, markup));
    y += height;
  };
  put(
    6,
    32,
    text(0, 24, 20, 'Haleakalā', { ...left, ...bold }) + text(128, 23, 12, about(view), { ...left, ...muted }),
  );
  put(6, 52, statusLine(view, scene, inside, 44));
  put(0, BOARD.height + 8, board(view, scene));
  if (buttons.height > 0) put(6, buttons.height + 4, buttons.markup);
  for (const seat of seats) put(6, PANEL_HEIGHT + 8, seatPanel(view, scene, seat, inside));
  put(6, 76, supplies(view));
  put(6, scoringBoardHeight(2) + 8, scoringBoard(view, scene, inside, 2));
  put(6, SHEET_HEIGHT + 10, scoreSheet(view, scene, inside));
  put(6, 54, legend());
  return picture(width, y, title(view, scene), ...parts);
}

const about = ({ round, variant, cards, stood }: View): string =>
  `round ${round} of 2 · ${variant} · ${stood && stood > 1 ? `position ${stood} of ${REPEATS}` : `cards ${cards}`}`;

/** What the table does not show by itself. */
function controls(view: View): Choice[] {
  const { terrain, segment } = view.seats[view.turn]!.shaman;
  return [
    { target: 'stay', text: `stay on ${terrain} ${segment}` },
    { target: 'keep', text: 'keep the summon disc', desc: 'send the boat without summoning lava' },
    { target: 'way:anticlockwise', text: '↺ anticlockwise', desc: 'move the lava to the crater part before it' },
    { target: 'way:clockwise', text: '↻ clockwise', desc: 'move the lava to the crater part after it' },
    {
      target: 'decline',
      text: view.step === 'lastBuy' ? 'buy nothing before the scoring' : 'buy nothing with this shell',
    },
  ];
}

/** Who has to do what; on a phone in two lines. */
function statusLine(view: View, scene: Scene, width: number, height: number): string {
  const ranks = scene.result?.ranks ?? view.ranks;
  const seat = ranks ? (ranks[0] === 1 ? 0 : 1) : view.actor;
  const rim = { fill: PAPER, stroke: seat === null ? '#3d3a4b' : paintOf(seat).colour, 'stroke-width': 3 };
  const [who, what] = statusParts(view, scene);
  const name = shorten(who, width > 500 ? width * 0.36 : width - 60, 16);
  return [
    el('rect', { width, height, rx: 19, ...rim }),
    seat === null ? '' : at(22, height / 2, seatBadge(seat, 12)),
    ...(width > 500
      ? [text(42, height / 2 + 6, 16, shorten(`${name} ${what}`, width - 60, 16.5), { ...left, ...bold })]
      : [text(42, 19, 14, name, { ...left, ...bold }), text(42, 36, 13, shorten(what, width - 60, 13), left)]),
  ].join('');
}

const LEGEND_HEIGHT = 54;

/** What the marks on the island mean. */
function legend(): string {
  const terrains = [...BUILDABLE]
    .reverse()
    .map((terrain, i) =>
      at(
        [0, 108, 196][i]!,
        0,
        el('rect', { width: 24, height: 19, rx: 4, fill: GROUND_COLOURS[terrain] }),
        at(12, 10, terrainMark(terrain)),
        text(28, 14, 12, `${terrain} ${POINTS[terrain]}`, left),
      ),
    );
  return [
    ...terrains,
    at(14, 36, sumBadge(0, 7, 4), text(20, 4, 12, 'higher sum chooses first', left)),
    at(196, 36, flame(1), text(9, 4, 12, 'lava reaches it', left)),
  ].join('');
}
