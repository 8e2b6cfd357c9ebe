/** Choosing an action: what has been clicked so far, the button that submits it, and the list of all actions. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TableEvent, TableMatch } from './feed.ts';
import { textOf } from './log.tsx';
import type { Choice } from './narrow.ts';
import type { Replay } from './replay.ts';
import { nameOfSeat } from './seats.tsx';
import type { Table } from './table.ts';

interface ActionBarProps {
  table: Table;
  match: TableMatch;
  replay: Replay;
}

export function ActionBar({ table, match, replay }: ActionBarProps) {
  const { action, ask, remaining, open } = table.narrowed.value;
  const pending = table.pending.value;
  const past = replay.at.value !== null || replay.eyes.value !== null;
  const begun = table.pointed.value.length > 0 || table.picked.value !== null;
  const focus = useKeptFocus();
  return (
    <section class="action-bar" aria-label="Your action" ref={focus}>
      {table.notice.value && (
        <p class="notice" role="alert">
          {table.notice.value}
        </p>
      )}
      {!begun && !past && !pending && <News match={match} events={table.events.value} mayAct={table.mayAct.value} />}
      <p class="prompt" role="status" aria-live="polite" tabIndex={-1}>
        {past && table.mayAct.value
          ? 'You are looking at an earlier position.'
          : pending
            ? `Sending: ${pending.label}`
            : prompt(table, match, action, remaining, open)}
      </p>
      {table.mayAct.value && !past && ask.length > 1 && !action && (
        <ul class="ask" aria-label="Which of these">
          {ask.map((choice) => (
            <li key={choice.label}>
              <button type="button" onClick={() => table.pick(choice)}>
                {choice.label}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="buttons">
        {past ? (
          <button type="button" class="primary" onClick={() => replay.show(null)}>
            Back to now
          </button>
        ) : (
          <>
            {begun && !pending && (
              <button type="button" data-back onClick={table.stepBack}>
                Step back
              </button>
            )}
            {action && !pending && table.mayAct.value && (
              <button type="button" class="primary" data-confirm onClick={() => void table.confirm()}>
                Play this
              </button>
            )}
          </>
        )}
      </div>
    </section>
  );
}

/** When a button that is pressed disappears, the focus would be lost, so the question above it gets the focus. */
function useKeptFocus() {
  const bar = useRef<HTMLElement>(null);
  const inside = useRef(false);
  useLayoutEffect(() => {
    const element = bar.current as HTMLElement;
    const enter = () => {
      inside.current = true;
    };
    // After the drawing, because browsers differ in whether a removed element loses the focus first.
    const leave = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        if ((target as Node).isConnected) inside.current = false;
      });
    element.addEventListener('focusin', enter);
    element.addEventListener('focusout', leave);
    return () => {
      element.removeEventListener('focusin', enter);
      element.removeEventListener('focusout', leave);
    };
  }, []);
  useLayoutEffect(() => {
    if (!inside.current || document.activeElement !== document.body) return;
    bar.current?.querySelector<HTMLElement>('.prompt')?.focus({ preventScroll: true });
  });
  return bar;
}

function prompt(
  table: Table,
  match: TableMatch,
  action: Choice | null,
  remaining: readonly Choice[],
  open: ReadonlySet<string>,
): string {
  if (!table.mayAct.value) return waitingFor(match);
  if (action) return action.label;
  const pointed = table.pointed.value;
  if (pointed.length > 0 && open.size > 0) {
    return `Chosen: ${pointed.map(titleOf).join(', ')}. Now choose what goes with it: ${remaining.length} actions are left.`;
  }
  if (open.size === 0) return 'Your turn: choose one of these actions.';
  return 'Your turn: choose something highlighted on the board.';
}

/** What the picture calls a thing. */
const titleOf = (target: string): string =>
  document.querySelector(`[data-board] [data-target="${CSS.escape(target)}"] > title`)?.textContent ?? target;

/** As many lines as fit above the question on a phone. */
const MOST_NEWS = 3;

const SEATING: ReadonlySet<TableEvent['type']> = new Set(['JOINED', 'LEFT', 'STARTED']);

/** Several secret actions in a row are summed up in one line. */
const isRepeated = (event: TableEvent, before: TableEvent | undefined): boolean =>
  before?.seat === event.seat && textOf(before) === textOf(event);

/**
 * What the others did since the viewer's last action, with its effects; while others act, the last thing that happened.
 */
function News({ match, events, mayAct }: { match: TableMatch; events: readonly TableEvent[]; mayAct: boolean }) {
  const happened = events.filter(
    (event, i) => !event.undone && !SEATING.has(event.type) && !isRepeated(event, events[i - 1]),
  );
  const own = mayAct ? happened.findLastIndex(({ seat }) => seat === match.mySeat) : happened.length - 2;
  const news = happened.slice(own + 1).slice(-MOST_NEWS);
  if (news.length === 0) return null;
  return (
    <ul class="news" aria-label="What happened last">
      {news.map((event) => (
        <li key={event.version}>
          {event.seat !== null && <b>{nameOfSeat(match, event.seat)}: </b>}
          {textOf(event)}
          {event.effects?.length ? <small> {event.effects.map(({ text }) => text).join(' ')}</small> : null}
        </li>
      ))}
    </ul>
  );
}

function waitingFor(match: TableMatch): string {
  if (match.acting.length === 0) return 'Please wait.';
  const names = match.acting.map((index) => nameOfSeat(match, index));
  return `Waiting for ${names.join(', ')}.`;
}

/** A list of this length is quicker to search than to read. */
const LONG = 12;

export function ActionList({ table }: { table: Table }) {
  const [search, setSearch] = useState('');
  const { remaining, action } = table.narrowed.value;
  const all = table.choices.value;
  if (!table.mayAct.value) return null;
  const found = search
    ? remaining.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
    : remaining;
  return (
    <section class="action-list">
      <h2>
        Actions <small>{remaining.length === all.length ? all.length : `${remaining.length} of ${all.length}`}</small>
      </h2>
      {all.length > LONG && (
        <input
          type="search"
          aria-label="Search the actions"
          placeholder="Search"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <ul data-actions>
        {found.map((choice) => (
          <li key={choice.label}>
            <button type="button" aria-pressed={action === choice} onClick={() => table.pick(choice)}>
              {choice.label}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
