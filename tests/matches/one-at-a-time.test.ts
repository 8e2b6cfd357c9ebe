import { expect, it } from 'vitest';
import { oneAtATime } from '../../src/turns.ts';

it('does one task after another of a queue, also after a failure, and does not hold up other queues', async () => {
  const begun: string[] = [];
  let finish = () => {};
  const first = oneAtATime('a', () => {
    begun.push('first');
    return new Promise<void>((_, reject) => {
      finish = () => reject(new Error('failed'));
    });
  });
  const second = oneAtATime('a', async () => begun.push('second'));
  await oneAtATime('b', async () => begun.push('other'));
  expect(begun).toEqual(['first', 'other']);
  finish();
  await expect(first).rejects.toThrow('failed');
  expect(await second).toBe(3);
  expect(begun).toEqual(['first', 'other', 'second']);
});
