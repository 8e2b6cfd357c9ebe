import { afterEach, expect, test, vi } from 'vitest';
import { rateLimit } from '../../src/api/http/limits/admission.ts';
import { budget } from '../../src/api/http/limits/work.ts';
import { type DatabaseTime, databaseTime, steady } from '../../src/database/time.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** An instant of the database that differs from every clock here. */
const THEIRS = Date.parse('2031-05-06T07:08:09Z');

/** It is ahead of the steady clock by this much, however long the machine takes between two looks at the clock. */
function expectSays(time: DatabaseTime, ahead: number): void {
  const before = steady();
  const said = time.now().getTime() - ahead;
  expect(said).toBeGreaterThan(before - 2);
  expect(said).toBeLessThan(steady() + 2);
}

test("is taken from the database from the first heartbeat on, even while the machine's clock is being set", () => {
  const time = databaseTime();
  const heard = steady();
  time.heard(new Date(THEIRS), heard, heard);
  const wall = Date.now;
  for (const jump of [3_600_000, -3_600_000]) {
    vi.spyOn(Date, 'now').mockImplementation(() => wall() + jump);
    expectSays(time, THEIRS - heard);
  }
});

test('is corrected by answers that contradict it, but not by answers that took long', () => {
  const time = databaseTime();
  const start = steady();
  time.heard(new Date(THEIRS), start, start);
  time.heard(new Date(THEIRS + 2000), start, start + 5000); // true at some moment within five seconds: nothing new
  expectSays(time, THEIRS - start);
  time.heard(new Date(THEIRS + 9000), start, start + 5000);
  expectSays(time, THEIRS + 4000 - start);
  time.heard(new Date(THEIRS - 60_000), start, start); // a failover to a machine with another clock
  expectSays(time, THEIRS - 60_000 - start);
});

test("limits of callers do not depend on the machine's clock, which may be set back", () => {
  const wall = Date.now;
  const setTo = (jump: number) => vi.spyOn(Date, 'now').mockImplementation(() => wall() + jump);
  setTo(3_600_000);
  const purse = budget(60_000_000);
  purse.owe('ann', 60_000_000);
  const limit = rateLimit(1);
  limit('ann');
  setTo(0);
  expect(purse.debtMs('ann')).toBeLessThan(1000);
  expect(limit.left('ann').seconds).toBeLessThanOrEqual(60);
});
