/** The position of a match that is shown, and through whose eyes, both of which are part of the address. */
import { effect, type Signal, signal } from '@preact/signals';
import { go, route } from '../route.ts';
import { openPositions, type Seen } from './positions.ts';
import type { Table } from './table.ts';
import { boardWidth } from './width.ts';

export interface Replay {
  /** The version that is shown; null for the current one. */
  readonly at: Signal<number | null>;
  /** The seat whose eyes to use; null for the viewer's own. */
  readonly eyes: Signal<number | null>;
  /** What is shown there; undefined while it is being read. */
  readonly seen: Signal<Seen | undefined>;
  /** Why a different position is shown than the address asked for. */
  readonly note: Signal<string | null>;
  show(at: number | null): void;
  lookAs(seat: number | null): void;
  link(at: number): string;
  close(): void;
}

const numberIn = (query: URLSearchParams, key: string): number | null => {
  const text = query.get(key);
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
};

/** The position that an address means. An address may be mistyped, or come from a match that has lost events. */
function positionOf(asked: string, latest: number): { version: number | null; why: string | null } {
  if (!/^-?\d+$/.test(asked))
    return { version: null, why: `“${asked.slice(0, 20)}” is not a position: this is the table now.` };
  const number = Number(asked);
  if (number > latest) return { version: null, why: `This match has ${latest} positions: this is the last one.` };
  if (number < 1) return { version: 1, why: 'Positions are counted from 1: this is the first one.' };
  return { version: number, why: null };
}

export function openReplay(table: Table, invite: string | undefined): Replay {
  const asked = route.peek().query.get('at');
  const at = signal<number | null>(numberIn(route.peek().query, 'at'));
  const note = signal<string | null>(null);
  const eyes = signal<number | null>(numberIn(route.peek().query, 'eyes'));
  const seen = signal<Seen | undefined>(undefined);
  const arrivals = signal(0);
  const positions = openPositions({
    id: table.id,
    invite,
    onArrival: () => {
      arrivals.value++;
    },
    // The viewer may not use these eyes or see this version, so what is allowed is shown instead.
    onFailure: () => show(null, null),
  });

  let checked = asked === null;
  const unwatch = effect(() => {
    const latest = table.match.value?.version;
    if (latest === undefined) return;
    if (!checked) {
      checked = true;
      const { version, why } = positionOf(asked as string, latest);
      if (why) queueMicrotask(() => correct(version, why));
    }
    if (at.value === null && eyes.value === null) return;
    void arrivals.value;
    const version = Math.min(at.value ?? latest, latest);
    const found = positions.look({ version, seat: eyes.value, width: boardWidth.value, latest });
    if (found) seen.value = found;
  });

  function address(version: number | null, seat: number | null): string {
    const query = new URLSearchParams();
    if (invite) query.set('invite', invite);
    if (version !== null) query.set('at', String(version));
    if (seat !== null) query.set('eyes', String(seat));
    const text = query.toString();
    return `/matches/${table.id}${text && `?${text}`}`;
  }

  function correct(version: number | null, why: string): void {
    show(version, eyes.peek());
    note.value = why;
  }

  function show(version: number | null, seat: number | null): void {
    note.value = null;
    const latest = table.match.peek()?.version ?? 0;
    at.value = version !== null && version >= latest ? null : version;
    eyes.value = seat;
    go(address(at.value, seat), { replace: true });
  }

  return {
    at,
    eyes,
    seen,
    note,
    show: (version) => show(version, eyes.peek()),
    lookAs: (seat) => show(at.peek(), seat),
    link: (version) => address(version, eyes.value),
    close() {
      positions.close();
      unwatch();
    },
  };
}
