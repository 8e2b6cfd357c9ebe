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

/** An action that an instance has accepted. */
export interface Act {
  instance: string;
  began: number;
  ended: number;
}

export class Record {
  readonly acknowledged: Acknowledged[] = [];
  readonly streams: Stream[] = [];
  /** Ordered by their end. */
  readonly acts: Act[] = [];
  /** How often each code was the answer. */
  readonly answers: globalThis.Record<string, number> = {};
  slowest = { milliseconds: 0, to: '', by: '', code: '' };
  readonly violations: string[] = [];

  violate(what: string): void {
    this.violations.push(what);
    console.error(`VIOLATION ${what}`);
  }

  /** Counts an answer. Only what is looked at later is kept, so that a campaign may last for hours. */
  answered(instance: string, request: string, code: string, began: number): void {
    const ended = performance.now();
    this.answers[code] = (this.answers[code] ?? 0) + 1;
    const milliseconds = Math.round(ended - began);
    if (code !== 'no answer' && milliseconds > this.slowest.milliseconds)
      this.slowest = { milliseconds, to: request, by: instance, code };
    if (code === 'ok' && /^POST .*(graphql|actions)/.test(request)) this.acts.push({ instance, began, ended });
  }

  /** The first action that this instance accepted of those that were sent after that moment. */
  firstActSince(instance: string, since: number): Act | undefined {
    let first: Act | undefined;
    for (let i = this.acts.length - 1; i >= 0; i--) {
      const act = this.acts[i] as Act;
      if (act.ended < since) break;
      if (act.instance === instance && act.began > since) first = act;
    }
    return first;
  }
}
