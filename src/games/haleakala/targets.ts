import type { Seat } from '../game.ts';
import { SEATS } from '../svg.ts';
import type { Action } from './actions.ts';
import { SEGMENTS, type Terrain } from './data.ts';
import type { View } from './view.ts';

/** The names of the things on the table. Discs of both seats are distinguished by the letter of their seat. */
export const discTarget = (seat: Seat, disc: number): string => `disc:${SEATS[seat]!.letter}${disc}`;
export const summonTarget = (seat: Seat): string => `summon:${SEATS[seat]!.letter}`;
export const spaceTarget = (terrain: Terrain, segment: number): string => `${terrain}:${segment}`;
export const craterTarget = (segment: number): string => `crater:${segment}`;
export const cardTarget = (segment: number, notch: number): string => `card:${segment}-${notch}`;
export const boardTarget = (card: string): string => `board:${card}`;

/** Whether the seat whose turn it is could put its summon disc beside a disc at the boat. */
const maySummon = (view: View): boolean => view.seats[view.turn]!.summon === 'pool' && view.lavaLeft > 0;

/** What an action is about, in the order in which a person would point at it. */
export function targets(action: Action, view: View): string[] {
  switch (action.type) {
    case 'place': {
      const things = [discTarget(view.turn, action.disc), spaceTarget('beach', action.beach)];
      if (action.summon) return [...things, summonTarget(view.turn)];
      // Keeping the summon disc is a target too, because the targets of one action must not be a part of another's.
      return action.beach === view.boat && maySummon(view) ? [...things, 'keep'] : things;
    }
    case 'takeBack':
      return [discTarget(view.turn, action.disc), spaceTarget('beach', action.beach)];
    case 'sail':
      return ['boat'];
    case 'walk':
      return [spaceTarget(action.terrain, action.segment)];
    case 'stay':
      return ['stay'];
    case 'take':
      return [cardTarget(view.boat, view.segments[view.boat]!.cards.indexOf(action.card))];
    case 'moveLava': {
      const clockwise = (action.from + 1) % SEGMENTS === action.to;
      return [craterTarget(action.from), clockwise ? 'way:clockwise' : 'way:anticlockwise'];
    }
    case 'buy':
      return [boardTarget(action.card)];
    case 'decline':
      return ['decline'];
  }
}
