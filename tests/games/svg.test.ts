import { describe, expect, it } from 'vitest';
import { shorten, widthOf } from '../../src/games/svg.ts';

describe('shortened lines', () => {
  it('are left alone where they fit', () => {
    expect(shorten('Ada', 100, 12)).toBe('Ada');
  });

  it.each([
    ['a long name', 'Margarethe von Hohenzollern III'],
    ['wide letters', '漢字漢字漢字漢字漢字漢字漢字'],
    ['joined signs', '👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧👩‍👩‍👧‍👧'],
  ])('end with an ellipsis within the width: %s', (_what, name) => {
    const short = shorten(name, 80, 14);
    expect(short.endsWith('…')).toBe(true);
    expect(name.startsWith(short.slice(0, -1))).toBe(true);
    expect(widthOf(short, 14)).toBeLessThanOrEqual(80);
    expect(short).not.toContain('\u200d…');
  });
});
