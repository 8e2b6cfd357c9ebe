/** Actions and effects together explain every change of a match. */
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../../src/games/cacao/actions.ts';
import { CACAO_SPACES, facedBy, type JungleTileName, jungleTileOf } from '../../../src/games/cacao/data.ts';
import type { Effect } from '../../../src/games/cacao/effects.ts';
import { cacao2 as cacao } from '../../../src/games/cacao/index.ts';
import type { State } from '../../../src/games/cacao/state.ts';
import type { View } from '../../../src/games/cacao/view.ts';
import { canonical } from '../../../src/games/canonical.ts';
import { clone } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { act, acting, place, position, setUp } from './position.ts';

/** The effects of an action, which is taken on a copy. */
function effectsOf(state: State, seat: number, action: Action): Effect[] {
  const told: Effect[] = [];
  cacao.apply(clone(state), seat, action, fastRng(1), (effect) => told.push(effect as Effect));
  return told;
}

const sentences = (effects: Effect[]): string[] => effects.map((effect) => cacao.explain!(effect));

/** What a reader of the log keeps track of: everything but hands and piles. */
function ledgerOf({ seats, jungle, display }: View) {
  return {
    seats: seats.map(({ cacao, gold, sun, handSize }) => ({ cacao, gold, sun, handSize })),
    water: seats.map(({ water }) => [-10, -4, -1, 0, 2, 4, 7, 11, 16].indexOf(water)),
    jungle: jungle.map(({ row, col, tile }) => `${row},${col} ${tile}`).sort(),
    display: [...display].sort(),
  };
}

type Ledger = ReturnType<typeof ledgerOf>;

function enterAction(ledger: Ledger, view: View, seat: number, action: Action): void {
  const village = ledger.seats[seat]!;
  const faced = (tile: { row: number; col: number }) =>
    jungleTileOf(view.jungle.find(({ row, col }) => row === tile.row && col === tile.col)!.tile);
  switch (action.type) {
    case 'overbuild':
      village.sun--;
      village.handSize--;
      return;
    case 'place':
      village.handSize--;
      return;
    case 'fill':
      lay(ledger, action, action.tile, true);
      return;
    case 'sell':
      village.cacao -= action.count;
      village.gold += action.count * faced(facedBy(action, action.side)).value;
      return;
    case 'harvest': {
      const { sides } = view.workers.find(({ row, col }) => row === action.row && col === action.col)!;
      const crop = sides[action.side] * faced(facedBy(action, action.side)).value;
      village.cacao = Math.min(CACAO_SPACES, village.cacao + crop);
    }
  }
}

function lay(ledger: Ledger, { row, col }: { row: number; col: number }, tile: JungleTileName, shown: boolean): void {
  ledger.jungle = [...ledger.jungle, `${row},${col} ${tile}`].sort();
  if (shown) ledger.display.splice(ledger.display.indexOf(tile), 1);
}

function enterEffect(ledger: Ledger, effect: Effect): void {
  if (effect.type === 'filled') lay(ledger, effect, effect.tile, effect.from === 'display');
  if (effect.type === 'revealed') ledger.display = [...ledger.display, effect.tile].sort();
  if (effect.type === 'drew') ledger.seats[effect.seat]!.handSize++;
  if (effect.type === 'mined') ledger.seats[effect.seat]!.gold += effect.gold;
  if (effect.type === 'worshipped') ledger.seats[effect.seat]!.sun += effect.tokens;
  if (effect.type === 'carried') ledger.water[effect.seat]! += effect.steps;
  if (effect.type === 'harvested') ledger.seats[effect.seat]!.cacao += effect.cacao;
}

describe.each([2, 3, 4])('random matches of %i seats', (seats) => {
  it('are explained by their actions and effects, and played the same without a listener', () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 25; seed++) {
      const state = setUp(seats, fastRng(seed));
      const chance = fastRng(seed);
      const ledger = ledgerOf(cacao.view(state, null));
      for (let n = 1; acting(state).length > 0; n++) {
        const seat = chance.pick(acting(state));
        const action = chance.pick(cacao.legal(state, seat));
        enterAction(ledger, cacao.view(state, null), seat, action);
        const silent = clone(state);
        cacao.apply(silent, seat, action, fastRng(n));
        cacao.apply(state, seat, action, fastRng(n), (effect) => {
          expect(Value.Check(cacao.schema.effect!, effect), JSON.stringify(effect)).toBe(true);
          expect(cacao.explain!(effect)).toMatch(/^[A-D(T].*\.$/);
          expect(cacao.explain!(effect)).not.toMatch(/undefined|NaN/);
          enterEffect(ledger, effect as Effect);
          seen.add(effect.type);
        });
        expect(canonical(silent)).toBe(canonical(state));
        expect(ledger).toEqual(ledgerOf(cacao.view(state, null)));
      }
    }
    for (const type of ['filled', 'mined', 'carried', 'worshipped', 'harvested', 'soldNothing', 'drew', 'revealed'])
      expect([...seen]).toContain(type);
    expect([...seen]).toEqual(expect.arrayContaining(['temple', 'scored']));
  });
});

describe('the log says', () => {
  it('what the workers of a new tile did by themselves', () => {
    const jungle: Parameters<typeof position>[0]['jungle'] = [
      [-1, 1, 'gold_mine_2'],
      [0, 2, 'sun_site'],
      [1, 1, 'water'],
      [0, 0, 'plantation_1'],
    ];
    const state = position({ jungle, hands: [['1-1-1-1']], display: ['temple', 'temple'] });
    state.villages[0]!.sun = 3;
    expect(sentences(effectsOf(state, 0, place('1-1-1-1', 0, 1)))).toEqual([
      'A took 2 gold at the gold mine 2 north of (0,1).',
      'A took 0 sun tokens at the sun site east of (0,1); 1 more had no room.',
      'A moved the water carrier 1 step at the water south of (0,1).',
      'A harvested 1 cacao at the single plantation west of (0,1).',
      'A drew a worker tile.',
    ]);
  });

  it('that a market was passed over and a cell filled without a choice', () => {
    const workers: Parameters<typeof position>[0]['workers'] = [[-1, 0, 1, '1-1-1-1', 0]];
    const state = position({
      jungle: [[0, 0, 'temple']],
      workers,
      hands: [['3-1-0-0']],
      display: ['market_3', 'market_3'],
      pile: ['water', 'water'],
    });
    expect(sentences(effectsOf(state, 0, place('3-1-0-0', 0, 1, 0)))).toEqual([
      '(-1,1) was filled with market 3.',
      'A had no cacao to sell at the market 3 north of (0,1).',
      'B had no cacao to sell at the market 3 east of (-1,0).',
      'A drew a worker tile.',
      'The display got water.',
    ]);
  });

  it('which cells stay empty, and which tile came blind from the pile', () => {
    const workers: Parameters<typeof position>[0]['workers'] = [[-1, 0, 1, '1-1-1-1', 0]];
    const filled = (display: JungleTileName[], pile: JungleTileName[]) =>
      sentences(
        effectsOf(
          position({ jungle: [[0, 0, 'temple']], workers, hands: [['1-1-1-1']], display, pile }),
          0,
          place('1-1-1-1', 0, 1),
        ),
      )[0];
    expect(filled([], [])).toBe('(-1,1) stays empty: no jungle tile is left.');
    expect(filled([], ['temple'])).toBe('(-1,1) was filled with temple, drawn from the pile.');
  });

  it('how the match was scored', () => {
    const state = position({ jungle: [[0, 0, 'temple']], hands: [[], ['1-1-1-1']] });
    for (const village of state.villages) village.pile = [0, 0, 0, 0];
    state.active = 1;
    expect(sentences(effectsOf(state, 1, place('1-1-1-1', -1, 0))).slice(-3)).toEqual([
      'The temple at (0,0) paid 6 gold to B.',
      'A scored -10 gold: 0 coins, 0 from temples, 0 from sun tokens, -10 from water.',
      'B scored -4 gold: 0 coins, 6 from temples, 0 from sun tokens, -10 from water.',
    ]);
    expect(act(state, 1, place('1-1-1-1', -1, 0)).step).toBe('over');
  });

  it('nothing of the worker tile that a seat drew', () => {
    const drawn = (tile: number) => {
      const state = position({ hands: [['1-1-1-1']] });
      state.villages[0]!.pile = [0, 0, 0, 0].map((_, i) => (i === tile ? 5 : 0));
      return effectsOf(state, 0, place('1-1-1-1', 2, 1));
    };
    expect(drawn(0)).toEqual(drawn(3));
    expect(drawn(0).map(({ type }) => type)).toContain('drew');
  });
});
