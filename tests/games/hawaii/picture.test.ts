import { describe, expect, it } from 'vitest';
import { hawaii } from '../../../src/games/hawaii/index.ts';
import type { State } from '../../../src/games/hawaii/state.ts';
import { table, token, village } from './table.ts';

const draw = (state: State, seat: number | null) => hawaii.svg(hawaii.view(state, seat));

describe('the picture', () => {
  it('shows the own resources and hides those of others', () => {
    const state = table(2);
    state.seats[0]!.stock = { shells: 71, feet: 72, fruit: 73 };
    for (const amount of ['>71<', '>72<', '>73<']) {
      expect(draw(state, 0)).toContain(amount);
      expect(draw(state, 1)).not.toContain(amount);
      expect(draw(state, null)).not.toContain(amount);
    }
  });

  it('stays small with five full realms', () => {
    const state = table(5);
    const row = [
      'shellHut',
      'footHut II',
      'spearHut',
      'exchangeHut II',
      'longHut',
      'irrigation',
      'hula II',
      'breadfruit',
    ];
    const rest = ['taro', 'coconut', 'banana', 'surfer II', 'lono'];
    for (const seat of state.seats) {
      seat.villages = Array.from({ length: 5 }, () => village(...row, ...rest));
      Object.assign(seat, { kahunas: 5, tikis: 6, boats: [1, 4, 4], used: [1, 2, 4] });
      seat.tokens = ['2', '3s', '4', '5s', '6'].map(token);
    }
    expect(draw(state, 0).length).toBeLessThan(150_000);
  });

  it('says what the table waits for', () => {
    const state = table(3);
    expect(draw(state, 1)).toContain('red has the turn');
    Object.assign(state, { step: 'payTile', turn: { ...state.turn, cost: 6, tile: 6, side: 2 } });
    expect(draw(state, 1)).toContain('to pay 6 shells for hula dancer II');
    Object.assign(state, { step: 'payWalk', turn: { ...state.turn, cost: 1 } });
    expect(draw(state, 1)).toContain('to pay 1 foot for the walk');
  });
});
