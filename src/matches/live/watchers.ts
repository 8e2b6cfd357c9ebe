/** The watchers in this process: who waits to hear of a match, or of a player's turns. */

/** Says that a match has reached this version, and which players gained or lost a turn by it. */
export interface Hint {
  match: string;
  version: number;
  players: string[];
}

export interface Watcher {
  /** Resolves at the next hint, or at once if one came since the last wait. Hints that come together count as one. */
  wait(): Promise<void>;
  /**
   * The same without a promise, for what happens once for each subscriber: calls back at the next hint. Returns false,
   * and calls nobody, if a hint came since the last wait or the watcher is closed.
   */
  callWhenWoken(call: () => void): boolean;
  /** The highest version that a hint has named. */
  readonly version: number;
  /** Also wakes whoever is waiting. */
  close(): void;
}

export interface Watchers {
  wake(hint: Hint): void;
  /** Wakes everyone who waits for the turns of these players, or everyone who waits for turns. */
  wakeTurns(players?: Iterable<string>): void;
  /** The log has been cut back to this version: everyone who watches the match reads it again. */
  cutBack(match: string, version: number): void;
  watchMatch(id: string): Watcher;
  watchTurns(playerId: string): Watcher;
  /** The ids of the matches that are being watched. */
  matches(): string[];
  readonly size: number;
}

interface Listener {
  wake(version: number): void;
  /** Wakes the watcher, which counts from this version on. */
  restart(version: number): void;
}

/** How many watchers are woken in one turn of the event loop, so that their work does not hold up everyone else. */
const WOKEN_TOGETHER = 100;

/** Called when the first watcher of something arrives and when the last one leaves. */
export interface Audience {
  came(id: string): void;
  left(id: string): void;
}

export interface Audiences {
  matches?: Audience;
  turns?: Audience;
}

type Room = Map<string, Set<Listener>>;

export function openWatchers(...audiences: Audiences[]): Watchers {
  const matches: Room = new Map();
  const players: Room = new Map();
  const ofMatches = audiences.flatMap((one) => one.matches ?? []);
  const ofTurns = audiences.flatMap((one) => one.turns ?? []);
  const wakeTurns: Watchers['wakeTurns'] = (ids = players.keys()) => {
    for (const id of ids) for (const listener of players.get(id) ?? []) listener.wake(0);
  };
  return {
    wake({ match, version, players: changed }) {
      const listeners = matches.get(match);
      if (listeners) wakeAll(listeners, version);
      wakeTurns(changed);
    },
    wakeTurns,
    cutBack(match, version) {
      for (const listener of matches.get(match) ?? []) listener.restart(version);
    },
    watchMatch: (id) => watch(matches, id, ofMatches),
    watchTurns: (id) => watch(players, id, ofTurns),
    matches: () => [...matches.keys()],
    get size() {
      let n = 0;
      for (const set of [...matches.values(), ...players.values()]) n += set.size;
      return n;
    },
  };
}

function wakeAll(listeners: ReadonlySet<Listener>, version: number): void {
  if (listeners.size <= WOKEN_TOGETHER) for (const listener of listeners) listener.wake(version);
  else wakeFrom([...listeners], 0, version);
}

function wakeFrom(crowd: readonly Listener[], start: number, version: number): void {
  const end = start + WOKEN_TOGETHER;
  for (const listener of crowd.slice(start, end)) listener.wake(version);
  if (end < crowd.length) setImmediate(wakeFrom, crowd, end, version);
}

function watch(all: Room, id: string, audiences: readonly Audience[]): Watcher {
  let dirty = false;
  let closed = false;
  let version = 0;
  let waiting: (() => void) | undefined;
  const wake = () => {
    const call = waiting;
    waiting = undefined;
    dirty = call === undefined;
    call?.();
  };
  const listener: Listener = {
    wake(hinted) {
      if (hinted > 0 && hinted <= version) return; // not news
      version = Math.max(version, hinted);
      wake();
    },
    restart(from) {
      version = from;
      wake();
    },
  };
  function callWhenWoken(call: () => void): boolean {
    if (dirty || closed) {
      dirty = false;
      return false;
    }
    waiting = call;
    return true;
  }
  const set = all.get(id) ?? new Set();
  if (set.size === 0) for (const audience of audiences) audience.came(id);
  all.set(id, set.add(listener));
  return {
    wait: () =>
      new Promise((resolve) => {
        if (!callWhenWoken(resolve)) resolve();
      }),
    callWhenWoken,
    get version() {
      return version;
    },
    close() {
      closed = true;
      set.delete(listener);
      if (set.size === 0 && all.get(id) === set) {
        all.delete(id);
        for (const audience of audiences) audience.left(id);
      }
      wake();
    },
  };
}
