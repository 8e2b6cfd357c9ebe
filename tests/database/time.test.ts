import { afterEach, expect, test, vi } from 'vitest';
import { rateLimit } from '../../src/api/http/limits/admission.ts';
import { budget } from '../../src/api/http/limits/work.ts';
import { databaseTime, steady } from '../../src/database/time.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** An instant of the database that differs from every clock here. */
const THEIRS = Date.parse('2031-05-06T07:08:09Z');

test("is taken from the database from the first heartbeat on, even while the machine's clock is being set", () => {
  const time = databaseTime();
  const heard = steady();
  time.heard(new Date(THEIRS), heard, heard);
  const wall = Date.now;
  for (const jump of [3_600_000, -3_600_000]) {
    vi.spyOn(Date, 'now').mockImplementation(() => wall() + jump);
    const passed = steady() - heard;
    expect(Math.abs(time.now().getTime() - THEIRS - passed)).toBeLessThan(100);
  }
});

test('is corrected by answers that contradict it, but not by answers that took long', () => {
  const time = databaseTime();
  const start = steady();
  const saidAt = () => time.now().getTime() - steady() + start;
  time.heard(new Date(THEIRS), start, start);
  time.heard(new Date(THEIRS + 2000), start, start + 5000); // true at some moment within five seconds: nothing new
  expect(Math.abs(saidAt() - THEIRS)).toBeLessThan(2);
  time.heard(new Date(THEIRS + 9000), start, start + 5000);
  expect(Math.abs(saidAt() - THEIRS - 4000)).toBeLessThan(2);
  time.heard(new Date(THEIRS - 60_000), start, start); // a failover to a machine with another clock
  expect(Math.abs(saidAt() - THEIRS + 60_000)).toBeLessThan(2);
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
