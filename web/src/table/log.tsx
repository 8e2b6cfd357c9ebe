/** The list of events, each with a link to the position after it. */
import { useEffect, useRef } from 'preact/hooks';
import type { TableEvent, TableMatch } from './feed.ts';
import type { Replay } from './replay.ts';
import { Mark, nameOfSeat } from './seats.tsx';

interface LogProps {
  events: readonly TableEvent[];
  match: TableMatch;
  replay: Replay;
}

const WORDS: Record<TableEvent['type'], string> = {
  JOINED: 'sat down',
  LEFT: 'left',
  STARTED: 'The match started',
  ACTED: 'acted in secret',
  UNDONE: 'took an action back',
  RESIGNED: 'resigned',
  TIMED_OUT: 'ran out of time',
  ORDERED: 'left a standing order',
};

export const textOf = ({ type, label }: TableEvent): string => (type === 'ACTED' && label) || WORDS[type];

export function Log({ events, match, replay }: LogProps) {
  const list = useRef<HTMLOListElement>(null);
  const at = replay.at.value;
  const shown = at ?? events.at(-1)?.version;
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    // Only the list scrolls, never the page.
    if (current && list.current) list.current.scrollTop = current.offsetTop - list.current.clientHeight / 2;
  }, [shown, events.length]);
  return (
    <section class="log">
      <h2>What happened</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reached by keyboard */}
      <ol ref={list} tabIndex={0} aria-label="Events">
        {events.map((event) => (
          <li key={event.version} class={event.undone ? 'undone' : undefined}>
            <a
              href={replay.link(event.version)}
              aria-current={event.version === shown ? 'step' : undefined}
              onClick={(click) => {
                if (click.metaKey || click.ctrlKey || click.shiftKey) return;
                click.preventDefault();
                replay.show(event.version);
              }}
            >
              {event.seat !== null && <Mark seat={event.seat} />}
              <span>
                {/* The mark beside it says which seat it is. */}
                {event.seat !== null && (
                  <b>{match.seats[event.seat]?.player?.name ?? nameOfSeat(match, event.seat)} </b>
                )}
                {textOf(event)}
                {event.effects?.map(({ text }, i) => (
                  <small key={i}>{text}</small>
                ))}
              </span>
            </a>
          </li>
        ))}
      </ol>
      <p class="hidden" aria-live="polite">
        {latest(events, match)}
      </p>
    </section>
  );
}

/** Screen readers announce what others did; players know what they did themselves. */
function latest(events: readonly TableEvent[], match: TableMatch): string {
  const event = events.at(-1);
  if (!event || event.seat === match.mySeat) return '';
  return `${event.seat === null ? '' : `${nameOfSeat(match, event.seat)}: `}${textOf(event)}`;
}
