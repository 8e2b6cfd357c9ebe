import { at, el, picture, SEATS, text } from '../svg.ts';
import { island, lavaSupply, legend, signs } from './island.ts';
import { scoreTable, scoringBoard, seatBadge, seatPanel, status } from './panels.ts';
import { bold, deck, left } from './pieces.ts';
import type { View } from './view.ts';

const WIDTH = 1000;
const HEIGHT = 1126;
const MARGIN = 14;
const INSIDE = WIDTH - 2 * MARGIN;
const PANEL = { x: 732, width: 254, height: 376 };

/** Island and supplies on the left, the seats on the right, what scores below. */
export function svg(view: View): string {
  return picture(
    WIDTH,
    HEIGHT,
    `Haleakalā, round ${view.round}. ${status(view)}`,
    header(view),
    at(366, 450, island(view)),
    at(24, 84, legend()),
    ...view.decks.map(({ left: count }, i) => at(522 + 70 * i, 106, deck(i + 1, count))),
    at(24, 800, lavaSupply(view.lavaLeft)),
    at(524, 778, signs()),
    ...[0, 1].map((seat) =>
      at(PANEL.x, 64 + seat * (PANEL.height + 12), seatPanel(view, seat, PANEL.width, PANEL.height)),
    ),
    at(MARGIN, 858, scoringBoard(view, INSIDE)),
    at(MARGIN, 962, scoreTable(view, INSIDE)),
  );
}

function header(view: View): string {
  const colour = view.actor === null ? '#3d3a4b' : SEATS[view.actor]!.colour;
  const winner = view.ranks?.[0] === 1 ? 0 : 1;
  return [
    text(MARGIN, 38, 28, 'Haleakalā', { ...left, ...bold }),
    text(188, 36, 14, `round ${view.round} of 2 · ${view.variant} · cards ${view.cards}`, { ...left, fill: '#7a6c58' }),
    el('rect', {
      x: 560,
      y: 12,
      width: WIDTH - MARGIN - 560,
      height: 38,
      rx: 19,
      fill: '#fffaf0',
      stroke: colour,
      'stroke-width': 3,
    }),
    at(584, 31, seatBadge(view.actor ?? winner, 11)),
    text(604, 36, 15, status(view), { ...left, ...bold }),
  ].join('');
}
