/**
 * Earlier positions of a match, read several at a time: neighbouring pictures are nearly the same and compress well
 * together.
 */
import { askUntilAnswered } from '../api.ts';
import { type BoardWidth, Positions as PositionsQuery } from '../generated/operations.ts';

export interface Seen {
  board: string | null;
  description: readonly string[] | null;
}

/** The position to look at. */
export interface Look {
  version: number;
  /** The seat whose eyes to use; null for the viewer's own. */
  seat: number | null;
  width: BoardWidth;
  /** The newest version of the match. */
  latest: number;
}

export interface Positions {
  /** What is known of this position; undefined if it is being requested, together with its neighbours. */
  look(look: Look): Seen | undefined;
  close(): void;
}

interface Options {
  id: string;
  invite: string | undefined;
  /** Called when more positions are known. */
  onArrival(): void;
  /** Called if the position cannot be shown. */
  onFailure(error: unknown): void;
}

/** How many positions are requested at once, most of them in the direction of travel. */
const AHEAD = 18;
const BEHIND = 6;
/** If fewer than this are known in the direction of travel, the next ones are requested. */
const MARGIN = 5;
/** While a slider is dragged, it passes positions that nobody looks at. */
const REST_MS = 40;
const KEPT = 200;

interface Asked {
  eyes: string;
  from: number;
  to: number;
  stop: AbortController;
}

const eyesOf = ({ seat, width }: Look) => `${seat}:${width}`;
/** The picture of the newest position also shows the possible choices, so it differs once a newer position exists. */
const keyOf = (look: Look, version: number) => `${eyesOf(look)}:${version}${version === look.latest ? ':newest' : ''}`;

export function openPositions({ id, invite, onArrival, onFailure }: Options): Positions {
  const kept = new Map<string, Seen>();
  let asked: Asked | undefined;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let last = 0;
  let isBackward = false;

  const isKnown = (look: Look, version: number) => kept.has(keyOf(look, version));

  function keep(look: Look, states: readonly (Seen & { version: number })[]): void {
    for (const { version, board, description } of states) kept.set(keyOf(look, version), { board, description });
    for (const oldest of kept.keys()) {
      if (kept.size <= KEPT) return;
      kept.delete(oldest);
    }
  }

  /** The unknown positions around this one. The newest is requested only if it is looked at. */
  function windowAround(look: Look): { from: number; to: number } {
    const { version, latest } = look;
    if (version >= latest) return { from: latest, to: latest };
    let from = Math.max(0, version - (isBackward ? AHEAD : BEHIND));
    let to = Math.min(latest - 1, version + (isBackward ? BEHIND : AHEAD));
    while (from < version && isKnown(look, from)) from++;
    while (to > version && isKnown(look, to)) to--;
    return { from, to };
  }

  /** Replaces the previous request, which is no longer needed. */
  async function ask(look: Look): Promise<void> {
    asked?.stop.abort();
    const mine: Asked = { eyes: eyesOf(look), ...windowAround(look), stop: new AbortController() };
    asked = mine;
    const { from, to, stop } = mine;
    const { seat, width } = look;
    const variables = { id, from, to, width, ...(seat !== null && { seat }), ...(invite && { invite }) };
    try {
      const { match } = await askUntilAnswered(PositionsQuery, variables, stop.signal);
      if (!match) throw new Error('The match cannot be seen any more.');
      keep(look, match.states);
    } finally {
      if (asked === mine) asked = undefined;
    }
    onArrival();
  }

  /** The next unknown position in the direction of travel, if it is near. */
  function soonWanted(look: Look): number | undefined {
    for (let n = 1; n <= MARGIN; n++) {
      const version = look.version + (isBackward ? -n : n);
      if (version < 0 || version >= look.latest) return undefined;
      if (!isKnown(look, version)) return version;
    }
    return undefined;
  }

  function want(look: Look, missing: number, isUrgent: boolean): void {
    const isComing = asked?.eyes === eyesOf(look) && asked.from <= missing && missing <= asked.to;
    if (isComing) return;
    const wanted = { ...look, version: missing };
    const failed = (error: unknown) => {
      if (isUrgent && (error as Error).name !== 'AbortError') onFailure(error);
    };
    resting = setTimeout(() => void ask(wanted).catch(failed), isUrgent ? REST_MS : 0);
  }

  return {
    look(look) {
      clearTimeout(resting);
      if (look.version !== last) isBackward = look.version < last;
      last = look.version;
      const seen = kept.get(keyOf(look, look.version));
      const missing = seen ? soonWanted(look) : look.version;
      if (missing !== undefined) want(look, missing, !seen);
      return seen;
    },
    close() {
      clearTimeout(resting);
      asked?.stop.abort();
    },
  };
}
