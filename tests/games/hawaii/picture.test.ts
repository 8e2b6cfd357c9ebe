import { describe, expect, it } from 'vitest';
import type { Scene } from '../../../src/games/game.ts';
import { rules2 as hawaii } from '../../../src/games/hawaii/index.ts';
import type { State } from '../../../src/games/hawaii/state.ts';
import type { View } from '../../../src/games/hawaii/view.ts';
import { NO_SCENE } from '../../../src/games/svg.ts';
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
    expect(draw(state, 1)).toContain('A (red): Take a turn.');
    Object.assign(state, { step: 'payTile', turn: { ...state.turn, cost: 6, tile: 6, side: 2 } });
    expect(draw(state, 1)).toContain('Pay 6 shells for hula dancer II.');
    Object.assign(state, { step: 'payWalk', turn: { ...state.turn, cost: 1 } });
    expect(draw(state, 1)).toContain('Pay 1 foot for the walk.');
  });

  it('shows fish as digits, from which side tikis come, and what tiles do', () => {
    const state = table(2);
    state.bay = [token('6'), token('2')];
    const svg = draw(state, 0);
    expect(svg).toContain('href="#hawaii-fish3"');
    expect(svg).toMatch(/<symbol id="hawaii-fish3"[^>]*>.*?>3<\/text>/);
    expect(svg).toContain('>1st<');
    expect(svg).toContain('Pele: a walk costs at most 2 feet; II: at most 1');
  });
});

describe('the end', () => {
  /** A finished match of two with these points and shells left. */
  function ended(points: [number, number], shells: [number, number]): View {
    const state = table(2);
    Object.assign(state, { step: 'over', active: -1, round: 5 });
    state.scored = [
      [
        { sum: 19, needed: 9, points: 8, lono: 2, space: 0 },
        { sum: 5, needed: 7, points: 0, lono: 0, space: 0 },
      ],
    ];
    for (const [i, seat] of state.seats.entries()) {
      Object.assign(seat, { score: points[i], stock: { shells: shells[i], feet: 0, fruit: 0 } });
    }
    return hawaii.view(state, null);
  }
  const scene = (result: Scene['result'] = null): Scene => ({ ...NO_SCENE, names: ['Tui', 'Kea'], result });
  const says = (view: View, result: Scene['result'] = null) => hawaii.describe(view, scene(result))[1];

  it('says who won and why', () => {
    expect(says(ended([20, 12], [0, 0]))).toBe('Tui (red) wins with 20 points, 8 points ahead.');
    expect(says(ended([20, 20], [1, 3]))).toBe(
      'Kea (blue) wins: 20 points are shared, but 3 resources left are more than 1.',
    );
    expect(says(ended([20, 20], [3, 3]))).toBe(
      'Tui (red) and Kea (blue) share the victory with 20 points and 3 resources left each.',
    );
  });

  it('lets the result of the match win over the count of the game', () => {
    const gaveUp = { scores: [20, 12], ranks: [2, 1] };
    expect(says(ended([20, 12], [0, 0]), gaveUp)).toBe('Kea (blue) wins with 12 points: who gives up is ranked last.');
    const early = hawaii.view(table(2), null);
    expect(says(early, { scores: [0, 0], ranks: [2, 1] })).toBe(
      'Kea (blue) wins: the match ended before its last round was over.',
    );
    expect(hawaii.svg(ended([20, 12], [0, 0]), scene(gaveUp))).toContain('Kea (blue) wins with 12 points');
  });

  it('shows how each round was scored', () => {
    const svg = hawaii.svg(ended([20, 12], [0, 0]), scene());
    for (const words of ['>round 1<', '>8+2<', '>19/9<', '>5/7<']) expect(svg).toContain(words);
  });
});
