import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/games/canonical.ts';
import type { Game, Rng } from '../../../src/games/game.ts';
import type { Action } from '../../../src/games/hashi/actions.ts';
import { SIDES } from '../../../src/games/hashi/data.ts';
import { hashi } from '../../../src/games/hashi/index.ts';
import type { State } from '../../../src/games/hashi/state.ts';
import { clone } from '../../../src/games/play.ts';
import { fastRng } from '../../../src/games/rng.ts';
import { playedMatch } from '../../../tools/record-matches.ts';
import { act, noRng, playRound, position } from './table.ts';

const other = { numbers: { 10: 4 } };

describe('the round of another seat', () => {
  it('is hidden until it is over: view, picture and list of every other seat and of spectators stay the same', () => {
    const state = position({ card: [5, 3], sheets: [other, other, other] });
    const seen = (of: State) =>
      [1, 2, null].map((seat) => canonical([hashi.view(of, seat), hashi.svg(hashi.view(of, seat))]));
    const before = seen(state);
    act(state, 0, { type: 'write', island: 3 });
    expect(seen(state)).toEqual(before);
    act(state, 0, { type: 'bridge', link: 3 });
    expect(seen(state)).toEqual(before);
  });

  it('shows only that it is ready, not what it did', () => {
    const [busy, idle] = [0, 1].map(() => position({ card: [5, 3], sheets: [other, other] })) as [State, State];
    playRound(busy, 0, { write: 3, bridges: [17, 3, 5] });
    playRound(idle, 0, { write: null, bridges: [] });
    expect(canonical(hashi.view(busy, 1))).toBe(canonical(hashi.view(idle, 1)));
    expect(hashi.view(busy, 1).seats[0]!.step).toBe('ready');
    expect(hashi.view(busy, 0).seats[0]).toMatchObject({ thisRound: { written: 3, bridges: [3, 5, 17], left: 0 } });
  });

  it('is public afterwards, also after the last round', () => {
    const state = position({ round: 17, card: [1, 1], sheets: [{ numbers: { 2: 3 } }, { numbers: { 2: 3 } }] });
    const epoch = hashi.epoch(state);
    playRound(state, 0, { write: 3, bridges: [3] });
    expect(hashi.epoch(state)).toBe(epoch);
    playRound(state, 1, { write: 5, bridges: [] }, noRng);
    expect(hashi.epoch(state)).toBeGreaterThan(epoch);
    expect(hashi.view(state, null).seats[0]!.islands[2]).toMatchObject({ number: 1, bridges: 1, finished: true });
    expect(hashi.view(state, null).seats[0]!.score).toBe(2);
  });

  it('secret actions are those of the round', () => {
    expect(hashi.isSecret({ type: 'write', island: 3 })).toBe(true);
    expect(hashi.isSecret({ type: 'bridge', link: 3 })).toBe(true);
    expect(hashi.isSecret({ type: 'skip' })).toBe(true);
  });

  it('is told apart in labels by its own seat only', () => {
    const state = position({ card: [5, 3], sheets: [other, other] });
    expect(hashi.label({ type: 'skip' }, hashi.view(state, 0))).toBe('skip the number 5');
    act(state, 0, { type: 'write', island: 3 });
    expect(hashi.label({ type: 'skip' }, hashi.view(state, 0))).toBe('skip the 3 bridges');
    expect(hashi.label({ type: 'skip' }, hashi.view(state, null))).toBe('skip');
    expect(hashi.label({ type: 'write', island: 3 }, hashi.view(state, null))).toBe('write 5 on island 3');
    expect(hashi.label({ type: 'bridge', link: 17 }, hashi.view(state, 0))).toBe('bridge 10–11');
    expect(hashi.label({ type: 'preset', island: 10, number: 4 }, hashi.view(state, 0))).toBe(
      'write a first 4 on island 10',
    );
    const small = position({ card: [5, 1], sheets: [other] });
    act(small, 0, { type: 'skip' });
    expect(hashi.label({ type: 'skip' }, hashi.view(small, 0))).toBe('skip the bridge');
  });

  it('is labelled in the log as its own seat reads it: every skip says what was skipped', () => {
    const { events } = playedMatch(hashi as unknown as Game, { side: 'A' }, 2, fastRng(3));
    const labels = events.filter(({ action }) => (action as Action | null)?.type === 'skip').map(({ label }) => label);
    expect(labels.length).toBeGreaterThan(5);
    for (const label of labels) expect(label).toMatch(/^skip the (number \d|bridge|[23] bridges)$/);
    expect(new Set(labels.map((label) => label!.includes('number'))).size).toBe(2);
  });
});

const acting = (state: State) => state.seats.map((_, seat) => hashi.legal(state, seat).length > 0);

function finish(state: State, rng: Rng): void {
  while (!hashi.result(state)) {
    const seat = acting(state).indexOf(true);
    hashi.apply(state, seat, rng.pick(hashi.legal(state, seat)), rng);
  }
}

describe('guess', () => {
  it('redraws what a ready seat did, keeps the own sheet, and finds every kind of round', () => {
    const state = position({ card: [5, 2], sheets: [other, other] });
    playRound(state, 0, { write: 3, bridges: [3, 3] });
    act(state, 1, { type: 'write', island: 7 });
    const rng = fastRng(5);
    const sheets = new Set<string>();
    for (let i = 0; i < 300; i++) {
      const guessed = hashi.guess(state, 1, rng);
      expect(guessed.seats[1]).toEqual(state.seats[1]);
      expect(guessed.seats[0]!.step).toBe('ready');
      sheets.add(canonical(guessed.seats[0]!.sheet));
    }
    expect(sheets.size).toBeGreaterThan(50);
  });

  it('lets a seat that still acts be anywhere in its round', () => {
    const state = position({ card: [5, 3], sheets: [other, other] });
    const rng = fastRng(6);
    const steps = new Set<string>();
    for (let i = 0; i < 100; i++) {
      const { step, left } = hashi.guess(state, 1, rng).seats[0]!;
      steps.add(`${step}${left}`);
    }
    expect([...steps].sort()).toEqual(['build1', 'build2', 'build3', 'write3']);
  });

  it('redraws nothing where nothing is hidden: at the preset, at the end, for a seat alone', () => {
    const open = hashi.setup({ side: 'A' }, 2, noRng);
    expect(hashi.guess(open, 0, noRng)).toEqual(open);
    const solo = position({ card: [5, 3], sheets: [other] });
    act(solo, 0, { type: 'write', island: 3 });
    expect(hashi.guess(solo, 0, noRng)).toEqual(solo);
    finish(solo, fastRng(1));
    expect(hashi.guess(solo, null, noRng)).toEqual(solo);
  });

  it.each(SIDES.flatMap((side) => [1, 2, 3, 4].map((seats) => ({ side, seats }))))(
    'cannot be told from the truth: side $side, $seats seats',
    ({ side, seats }) => {
      const rng = fastRng(seats);
      const state = hashi.setup({ side }, seats, rng);
      const accounts = hashi.accounts(state);
      let changed = 0;
      while (!hashi.result(state)) {
        for (const seat of [...state.seats.keys(), null]) {
          const guessed = hashi.guess(state, seat, rng);
          if (canonical(guessed) !== canonical(state)) changed++;
          expect(canonical(hashi.view(guessed, seat))).toBe(canonical(hashi.view(state, seat)));
          if (seat !== null) expect(hashi.legal(guessed, seat)).toEqual(hashi.legal(state, seat));
          expect(acting(guessed)).toEqual(acting(state));
          expect(hashi.accounts(guessed)).toEqual(accounts);
        }
        finish(hashi.guess(state, 0, rng), rng);
        const seat = rng.pick(acting(state).flatMap((can, i) => (can ? [i] : [])));
        hashi.apply(state, seat, rng.pick(hashi.legal(state, seat)), rng);
      }
      expect(changed).toBeGreaterThan(20);
    },
  );
});

describe('accounts', () => {
  it('count what the box holds', () => {
    const state = hashi.setup({ side: 'A' }, 3, noRng);
    expect(hashi.accounts(state)).toEqual({ cards: 18, islands: 3 * 18, numbers: 3 * 19, bridges: 3 * 36 });
  });

  it('notice an island with too many bridges, a lost number and a bridge too many', () => {
    const state = position({ card: [5, 3], sheets: [other] });
    const whole = hashi.accounts(state);
    const spoilt = (change: (state: State) => void) => {
      const copy = clone(state);
      change(copy);
      return hashi.accounts(copy);
    };
    expect(spoilt(({ seats }) => seats[0]!.sheet.bridges.fill(2)).islands).toBeLessThan(whole.islands!);
    expect(spoilt(({ seats }) => seats[0]!.sheet.numbers.fill(0)).numbers).toBeLessThan(whole.numbers!);
    expect(spoilt(({ seats }) => seats[0]!.sheet.bridges.fill(1, 1, 2)).bridges).toBeGreaterThan(whole.bridges!);
  });
});
