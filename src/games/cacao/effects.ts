import { type Static, type TProperties, Type } from 'typebox';
import type { Seat } from '../game.ts';
import { SEATS } from '../svg.ts';
import { ColSchema, JungleTileSchema, RowSchema, SideSchema } from './actions.ts';
import { COMPASS, jungleTileOf } from './data.ts';

const effect = <T extends string, P extends TProperties>(type: T, description: string, fields: P) =>
  Type.Object({ type: Type.Literal(type), ...fields }, { additionalProperties: false, description });

const seat = Type.Integer({ minimum: 0, maximum: 3, description: 'The seat it happened to' });
const amount = Type.Integer({ minimum: 0 });
const lost = Type.Integer({ minimum: 0, description: 'For want of room' });
const cell = { row: RowSchema, col: ColSchema };
const workers = Type.Integer({ minimum: 1, maximum: 3 });
/** The workers of one side of a worker tile and the jungle tile that they face. */
const edge = { seat, ...cell, side: SideSchema, workers, tile: JungleTileSchema };

/** What follows from an action without a decision. Which worker tile a seat draws is the only secret, so it is left out. */
export const EffectSchema = Type.Union([
  effect('filled', 'A jungle tile was laid without a choice', {
    ...cell,
    tile: JungleTileSchema,
    from: Type.Enum(['display', 'pile']),
  }),
  effect('leftEmpty', 'A cell stays empty for good, because no jungle tile is left', cell),
  effect('mined', 'Workers took gold from a gold mine', { ...edge, gold: amount }),
  effect('carried', 'Workers moved the water carrier', { ...edge, steps: amount, lost }),
  effect('worshipped', 'Workers took sun tokens', { ...edge, tokens: amount, lost }),
  effect('harvested', 'Workers took cacao without a choice', { ...edge, cacao: amount, lost }),
  effect('soldNothing', 'Workers at a market had no cacao to sell, so their seat was not asked', edge),
  effect('drew', 'A seat drew a worker tile', { seat }),
  effect('revealed', 'A jungle tile was turned up for the display', { tile: JungleTileSchema }),
  effect('temple', 'A temple paid at the end of the match', {
    ...cell,
    workers: Type.Array(amount, { description: 'By seat' }),
    gold: Type.Array(amount, { description: 'By seat' }),
  }),
  effect('scored', 'The final score of a seat', {
    seat,
    coins: amount,
    temples: amount,
    sun: amount,
    water: Type.Integer(),
    total: Type.Integer(),
  }),
]);

export type Effect = Static<typeof EffectSchema>;
type EffectOf<T extends Effect['type']> = Extract<Effect, { type: T }>;

const letterOf = (seat: Seat): string => SEATS[seat]!.letter;
const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;

/** One sentence for an effect; seats are called by their letters. */
export function explain(effect: Effect): string {
  switch (effect.type) {
    case 'filled': {
      const from = effect.from === 'pile' ? ', drawn from the pile' : '';
      return `(${effect.row},${effect.col}) was filled with ${jungleTileOf(effect.tile).label}${from}.`;
    }
    case 'leftEmpty':
      return `(${effect.row},${effect.col}) stays empty: no jungle tile is left.`;
    case 'mined':
      return `${who(effect)} took ${effect.gold} gold at ${place(effect)}.`;
    case 'carried':
      return `${who(effect)} moved the water carrier ${count(effect.steps, 'step')} at ${place(effect)}${loss(effect)}.`;
    case 'worshipped':
      return `${who(effect)} took ${count(effect.tokens, 'sun token')} at ${place(effect)}${loss(effect)}.`;
    case 'harvested':
      return `${who(effect)} harvested ${effect.cacao} cacao at ${place(effect)}${loss(effect)}.`;
    case 'soldNothing':
      return `${who(effect)} had no cacao to sell at ${place(effect)}.`;
    case 'drew':
      return `${letterOf(effect.seat)} drew a worker tile.`;
    case 'revealed':
      return `The display got ${jungleTileOf(effect.tile).label}.`;
    case 'temple':
      return `The temple at (${effect.row},${effect.col}) paid ${payments(effect)}.`;
    case 'scored':
      return finalScore(effect);
  }
}

type EdgeEffect = EffectOf<'mined' | 'carried' | 'worshipped' | 'harvested' | 'soldNothing'>;

const who = ({ seat }: EdgeEffect): string => letterOf(seat);
const place = ({ row, col, side, tile }: EdgeEffect): string =>
  `the ${jungleTileOf(tile).label} ${COMPASS[side]} of (${row},${col})`;
const loss = ({ lost }: { lost: number }): string => (lost > 0 ? `; ${lost} more had no room` : '');

function payments({ gold }: EffectOf<'temple'>): string {
  const paid = gold.flatMap((amount, seat) => (amount > 0 ? [`${amount} gold to ${letterOf(seat)}`] : []));
  return paid.length > 0 ? paid.join(', ') : 'nobody';
}

function finalScore({ seat, coins, temples, sun, water, total }: EffectOf<'scored'>): string {
  const parts = `${coins} coins, ${temples} from temples, ${sun} from sun tokens, ${water} from water`;
  return `${letterOf(seat)} scored ${total} gold: ${parts}.`;
}
