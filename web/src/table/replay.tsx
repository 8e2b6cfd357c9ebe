/** Looking back: any position, through any eyes that the viewer may use, at any speed. */
import { effect, type Signal, signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { go, route } from '../route.ts';
import type { TableEvent, TableMatch } from './feed.ts';
import { textOf } from './log.tsx';
import { openPositions, type Seen } from './positions.ts';
import { nameOfSeat } from './seats.tsx';
import type { Table } from './table.ts';
import { boardWidth, fits, toggleFit } from './width.ts';

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
export function positionOf(asked: string, latest: number): { version: number | null; why: string | null } {
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

interface ReplayBarProps {
  replay: Replay;
  match: TableMatch;
  events: readonly TableEvent[];
}

const SPEEDS = [0.5, 1, 2, 4];
const STEP_MS = 1200;

export function ReplayBar({ replay, match, events }: ReplayBarProps) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const first = events.find(({ type }) => type === 'STARTED')?.version ?? Math.min(1, match.version);
  const at = Math.max(first, replay.at.value ?? match.version);
  const event = events.find(({ version }) => version === at);

  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      const now = replay.at.peek() ?? match.version;
      if (now >= match.version) setPlaying(false);
      else replay.show(now + 1);
    }, STEP_MS / speed);
    return () => clearInterval(timer);
  }, [playing, speed, match.version, replay]);

  const play = () => {
    if (!playing && at >= match.version) replay.show(first);
    setPlaying(!playing);
  };
  const step = (by: number) => {
    setPlaying(false);
    replay.show(Math.min(match.version, Math.max(first, at + by)));
  };
  return (
    <section class="replay" aria-label="Replay">
      <div class="controls">
        <button type="button" class="icon" aria-label="To the start" disabled={at <= first} onClick={() => step(-1e6)}>
          «
        </button>
        <button type="button" class="icon" aria-label="Step back" disabled={at <= first} onClick={() => step(-1)}>
          ‹
        </button>
        <button type="button" class="icon" aria-label={playing ? 'Pause' : 'Play'} onClick={play}>
          {playing ? '❚❚' : '▶'}
        </button>
        <button
          type="button"
          class="icon"
          aria-label="Step forward"
          disabled={at >= match.version}
          onClick={() => step(1)}
        >
          ›
        </button>
        <button
          type="button"
          class="icon"
          aria-label="To the end"
          disabled={at >= match.version}
          onClick={() => step(1e6)}
        >
          »
        </button>
        <input
          type="range"
          data-scrubber
          aria-label="Position in the match"
          aria-valuetext={event ? `${at} of ${match.version}: ${textOf(event)}` : undefined}
          min={first}
          max={match.version}
          value={at}
          onInput={(input) => {
            setPlaying(false);
            replay.show(Number(input.currentTarget.value));
          }}
        />
        <output>
          {at}
          <span class="of"> / {match.version}</span>
        </output>
        <select aria-label="Speed" value={speed} onChange={(change) => setSpeed(Number(change.currentTarget.value))}>
          {SPEEDS.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
        <button
          type="button"
          class="icon zoom"
          aria-pressed={!fits.value}
          aria-label="Larger board"
          title={fits.value ? 'Show the board as wide as the page' : 'Fit the board into the window'}
          onClick={toggleFit}
        >
          {fits.value ? '⤢' : '⤡'}
        </button>
        {(match.status === 'FINISHED' || match.origin) && <Eyes replay={replay} match={match} />}
      </div>
      {replay.note.value && (
        <p class="notice" role="status" data-note>
          {replay.note.value}
        </p>
      )}
      {event && replay.at.value !== null && (
        <p class="caption">
          {event.seat !== null && <b>{nameOfSeat(match, event.seat)}: </b>}
          {textOf(event)}
          {event.effects?.length ? <small> {event.effects.map(({ text }) => text).join(' ')}</small> : null}
        </p>
      )}
    </section>
  );
}

/** After the end, everyone may look through every seat's eyes. */
function Eyes({ replay, match }: { replay: Replay; match: TableMatch }) {
  return (
    <select
      aria-label="Whose eyes"
      value={replay.eyes.value ?? ''}
      onChange={({ currentTarget: { value } }) => replay.lookAs(value === '' ? null : Number(value))}
    >
      <option value="">{match.mySeat === null ? 'As a spectator' : 'As I saw it'}</option>
      {match.seats
        .filter(({ index }) => index !== match.mySeat)
        .map(({ index }) => (
          <option key={index} value={index}>
            As {nameOfSeat(match, index)}
          </option>
        ))}
    </select>
  );
}
