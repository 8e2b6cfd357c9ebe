/** The database's time, which all servers share: the clocks of machines differ, and are sometimes set. */
export interface DatabaseTime {
  now(): Date;
  /** The database said that it was `at`, between these two readings of this process's steady clock. */
  heard(at: Date, asked: number, answered: number): void;
}

/** Milliseconds that pass evenly, even if the machine's clock is set. */
export const steady = (): number => performance.now();

/** Uses the machine's clock until the database has answered. The first heartbeat comes before the first request. */
export function databaseTime(): DatabaseTime {
  let atZero = Date.now() - steady();
  let known = false;
  return {
    now: () => new Date(Math.floor(atZero + steady())),
    heard(at, asked, answered) {
      // The answer was true at some moment between the two readings, so the estimate is moved only as far as necessary.
      const [least, most] = [at.getTime() - answered, at.getTime() - asked];
      atZero = known ? Math.min(most, Math.max(least, atZero)) : least;
      known = true;
    },
  };
}
