import { describe, expect, it } from 'vitest';
import { haleakala2 as haleakala } from '../../../src/games/haleakala/index.ts';
import { spaceOf } from '../../../src/games/haleakala/state.ts';
import { cards, discs, RED, send, table, VARIANTS, YELLOW } from './table.ts';

/** The text between tags, in order. */
const words = (svg: string): string[] => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map((match) => match[1]!);
const draw = (state: ReturnType<typeof table>, seat: number | null = null) =>
  haleakala.svg(haleakala.view(state, seat));

describe.each(VARIANTS)('the picture (%s)', (variant) => {
  it('is self-contained, balanced and small', () => {
    const svg = draw(table(variant));
    const tags = [...svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)];
    let depth = 0;
    for (const [, closing, , empty] of tags) depth += closing ? -1 : empty ? 0 : 1;
    expect(depth).toBe(0);
    expect(svg).not.toMatch(/href|<script|NaN|undefined/);
    expect(svg.length).toBeLessThan(150_000);
  });

  it('says who has to do what', () => {
    const state = table(variant);
    expect(words(draw(state))).toContain('A places a disc or takes one back');
    discs(state, RED, { 2: 2 });
    send(state);
    expect(words(draw(state))).toContain('A takes a card at segment 2');
  });

  it('shows sums, cards, lava, deck counts and what was bought', () => {
    const state = table(variant);
    cards(state, 4, 'nautilus', null);
    discs(state, RED, { 2: 2, 5: 2 });
    discs(state, YELLOW, { 3: 2 });
    state.lava[5] = 3;
    state.lavaLeft = 1;
    state.board.superiority = YELLOW;
    state.board.priestess = RED;
    state.statues[spaceOf('land', 3)] = RED;
    const shown = words(draw(state));
    for (const word of ['Σ7', 'Σ3', 'nautilus', 'bought by', 'face down: used by', variant === 'base' ? '12' : '8']) {
      expect(shown).toContain(word);
    }
  });

  it('marks your seat, and no seat for a spectator', () => {
    const tags = (seat: number | null) => words(draw(table(variant), seat)).filter((word) => word.includes('you'));
    expect([tags(RED).length, tags(YELLOW).length, tags(null).length]).toEqual([1, 1, 0]);
  });

  it('names the winner and why', () => {
    const state = table(variant);
    state.step = 'over';
    state.round = 2;
    state.scores = [20, 20];
    expect(words(draw(state))).toContain('B wins 20 : 20, as the seat that did not begin');
    state.statues[spaceOf('land', 3)] = RED;
    state.statuesLeft[RED] = 7;
    expect(words(draw(state))).toContain('A wins 20 : 20, with more statues');
    state.scores = [20, 31];
    expect(words(draw(state))).toContain('B wins 31 : 20');
  });
});
