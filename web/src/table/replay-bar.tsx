/** The controls of a replay, and what happened at the position that is shown. */
import { useEffect, useState } from 'preact/hooks';
import type { TableEvent, TableMatch } from './feed.ts';
import { textOf } from './log.tsx';
import type { Replay } from './replay.ts';
import { nameOfSeat } from './seats.tsx';
import { fits, toggleFit } from './width.ts';

interface ReplayBarProps {
  replay: Replay;
  match: TableMatch;
  events: readonly TableEvent[];
}

const SPEEDS = [0.5, 1, 2, 4];
const STEP_MS = 1200;

/** Steps forward at the chosen speed until the last position is reached. */
function usePlaying(replay: Replay, latest: number) {
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      const now = replay.at.peek() ?? latest;
      if (now >= latest) setPlaying(false);
      else replay.show(now + 1);
    }, STEP_MS / speed);
    return () => clearInterval(timer);
  }, [playing, speed, latest, replay]);
  return { playing, setPlaying, speed, setSpeed };
}

export function ReplayBar({ replay, match, events }: ReplayBarProps) {
  const { playing, setPlaying, speed, setSpeed } = usePlaying(replay, match.version);
  const first = events.find(({ type }) => type === 'STARTED')?.version ?? Math.min(1, match.version);
  const at = Math.max(first, replay.at.value ?? match.version);
  const event = events.find(({ version }) => version === at);

  const play = () => {
    if (!playing && at >= match.version) replay.show(first);
    setPlaying(!playing);
  };
  const jump = (to: number) => {
    setPlaying(false);
    replay.show(Math.min(match.version, Math.max(first, to)));
  };
  return (
    <section class="replay" aria-label="Replay">
      <div class="controls">
        <StepButton name="To the start" sign="«" disabled={at <= first} onClick={() => jump(first)} />
        <StepButton name="Step back" sign="‹" disabled={at <= first} onClick={() => jump(at - 1)} />
        <StepButton name={playing ? 'Pause' : 'Play'} sign={playing ? '❚❚' : '▶'} onClick={play} />
        <StepButton name="Step forward" sign="›" disabled={at >= match.version} onClick={() => jump(at + 1)} />
        <StepButton name="To the end" sign="»" disabled={at >= match.version} onClick={() => jump(match.version)} />
        <input
          type="range"
          data-scrubber
          aria-label="Position in the match"
          aria-valuetext={event ? `${at} of ${match.version}: ${textOf(event)}` : undefined}
          min={first}
          max={match.version}
          value={at}
          onInput={(input) => jump(Number(input.currentTarget.value))}
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
        <ZoomButton />
        {(match.status === 'FINISHED' || match.origin) && <Eyes replay={replay} match={match} />}
      </div>
      {replay.note.value && (
        <p class="notice" role="status" data-note>
          {replay.note.value}
        </p>
      )}
      {event && replay.at.value !== null && <Caption event={event} match={match} />}
    </section>
  );
}

interface StepButtonProps {
  name: string;
  sign: string;
  disabled?: boolean;
  onClick(): void;
}

function StepButton({ name, sign, disabled = false, onClick }: StepButtonProps) {
  return (
    <button type="button" class="icon" aria-label={name} disabled={disabled} onClick={onClick}>
      {sign}
    </button>
  );
}

function ZoomButton() {
  return (
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
  );
}

/** The event that led to the position, with everything that happened by itself. */
function Caption({ event, match }: { event: TableEvent; match: TableMatch }) {
  return (
    <p class="caption">
      {event.seat !== null && <b>{nameOfSeat(match, event.seat)}: </b>}
      {textOf(event)}
      {event.effects?.length ? <small> {event.effects.map(({ text }) => text).join(' ')}</small> : null}
    </p>
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
