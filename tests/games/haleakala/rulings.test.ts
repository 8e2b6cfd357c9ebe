/** A comment may cite a ruling only if docs/rules/haleakala.md has it, and its tables say what the engine plays. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BUTTERFLIES, KINDS, NAMES, PRICES, PROFILES } from '../../../src/games/haleakala/data.ts';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/rules/haleakala.md', root), 'utf8');
const rulings = [...page.matchAll(/^\| (R\d+) \|/gm)].map((match) => match[1]!);

describe('docs/rules/haleakala.md', () => {
  it('numbers its rulings without gaps', () => {
    expect(rulings).toEqual(rulings.map((_, i) => `R${i + 1}`));
    expect(rulings.length).toBeGreaterThan(20);
  });

  it.each(['src/games/haleakala/', 'tests/games/haleakala/'])('has every ruling that is cited in %s', (folder) => {
    const text = readdirSync(new URL(folder, root)).map((file) => readFileSync(new URL(folder + file, root), 'utf8'));
    const cited = [...text.join('\n').matchAll(/\bR\d+\b/g)].map((match) => match[0]);
    expect(cited.length).toBeGreaterThan(5);
    expect(cited.filter((ruling) => !rulings.includes(ruling))).toEqual([]);
  });

  it('lists the card sets, prices and butterflies of data.ts', () => {
    for (const kind of KINDS) {
      const sets = [PROFILES.P, PROFILES.ALT].map((decks) => decks.map((deck) => deck[kind]).join(', '));
      expect(page).toContain(`| ${NAMES[kind]} | ${sets.join(' | ')} |`);
    }
    for (const [card, price] of Object.entries(PRICES)) {
      expect(page).toMatch(new RegExp(`\\| ${NAMES[card as keyof typeof NAMES]} \\| ${price} \\|`));
    }
    const shown = KINDS.filter((kind) => BUTTERFLIES[kind] > 0).map((kind) => `${NAMES[kind]} ${BUTTERFLIES[kind]}`);
    expect(page).toContain(`${shown.join(', ')}, all others 0`);
  });
});
