/** The words for seats and options that a person reads. */
import { expect, it } from 'vitest';
import { registry } from '../../src/games/registry.ts';
import { type Property, valuesOf } from '../../web/src/parts/option-values.ts';
import { seatName } from '../../web/src/parts/seat-names.ts';

it('a seat is called by its player, by its letter as well where several have one name, and by its letter alone if empty', () => {
  const seats = ['Moana', 'Easy bot', 'Easy bot', null].map((name) => ({ player: name === null ? null : { name } }));
  expect(seats.map((_, index) => seatName(seats, index))).toEqual(['Moana', 'Easy bot (B)', 'Easy bot (C)', 'Seat D']);
});

it('no option of a game counts seats as programs do, and each is explained in a sentence', () => {
  for (const { id, schema } of registry.games) {
    for (const [name, option] of Object.entries(
      (schema.options as unknown as { properties: Record<string, Property> }).properties,
    )) {
      const texts = valuesOf(option)?.map(({ text }) => text) ?? [];
      expect(
        texts.filter((text) => /seat ?0/i.test(text)),
        `${id}, ${name}`,
      ).toEqual([]);
      expect(option.description, `${id}, ${name}`).toMatch(/^[A-Z].*\.$/);
      expect(option.description, `${id}, ${name}`).not.toMatch(/seat ?0/i);
    }
  }
});
