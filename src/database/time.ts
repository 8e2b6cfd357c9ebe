/** The database's time, which all servers share: the clocks of machines differ. */
export interface DatabaseTime {
  now(): Date;
  /** How far this process's clock is behind the database's, in milliseconds. */
  setBehind(milliseconds: number): void;
}

export function databaseTime(): DatabaseTime {
  let behind = 0;
  return {
    now: () => new Date(Date.now() + behind),
    setBehind(milliseconds) {
      behind = milliseconds;
    },
  };
}
