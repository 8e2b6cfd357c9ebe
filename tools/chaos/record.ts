/** What happened, as the clients saw it. It is compared with the log at the end. */

/** An action that a server has acknowledged. */
export interface Acknowledged {
  match: string;
  actionId: string;
  version: number;
  hash: string;
}

export interface Stream {
  match: string;
  transport: string;
  /** The hashes of the events that were received, by version, in the order in which they came. */
  seen: [version: number, hash: string][];
}

export interface Answer {
  instance: string;
  began: number;
  milliseconds: number;
  code: string;
  /** Whether it answered an action. */
  acts: boolean;
}

export class Record {
  readonly acknowledged: Acknowledged[] = [];
  readonly streams: Stream[] = [];
  readonly answers: Answer[] = [];
  readonly violations: string[] = [];

  violate(what: string): void {
    this.violations.push(what);
    console.error(`VIOLATION ${what}`);
  }

  counts(): globalThis.Record<string, number> {
    const counts: globalThis.Record<string, number> = {};
    for (const { code } of this.answers) counts[code] = (counts[code] ?? 0) + 1;
    return counts;
  }
}
