/** What the server sends about one match: the table and every event, read once and then followed live. */
import { effect, type Signal, signal } from '@preact/signals';
import { askUntilAnswered, Refusal } from '../api.ts';
import {
  type EventFieldsFragment,
  Events,
  History,
  type TableFieldsFragment,
  Table as TableQuestion,
} from '../generated/operations.ts';
import { connected, listen } from '../live.ts';
import { boardWidth } from './width.ts';

export type TableMatch = TableFieldsFragment;
export type TableEvent = EventFieldsFragment;

export interface Feed {
  readonly match: Signal<TableMatch | null>;
  readonly events: Signal<readonly TableEvent[]>;
  /** Why there is nothing to show. */
  readonly failure: Signal<unknown>;
  /** Reads the table. A burst of calls costs one or two requests. */
  refresh(): Promise<void>;
  /** Shows an answer, unless a newer one is already shown. */
  show(next: TableMatch): void;
  /** Reads what came after the last known event. */
  readOn(): void;
  readonly closed: AbortSignal;
  close(): void;
}

interface FeedOptions {
  id: string;
  invite: string | undefined;
  /** Called with every new version of the table. */
  onVersion(next: TableMatch): void;
  /** Called if the history could not be read. */
  onUnread(error: unknown): void;
}

export function openFeed({ id, invite, onVersion, onUnread }: FeedOptions): Feed {
  const closing = new AbortController();
  const variables = { id, ...(invite && { invite }) };
  const { match, failure, refresh, show } = openLatest(variables, closing.signal, onVersion);
  const history = openHistory(variables, closing.signal);
  const { events } = history;

  let stop = () => {};
  async function follow(): Promise<void> {
    await refresh();
    if (!match.peek() || closing.signal.aborted) return;
    await history.readAfter(0).catch((error) => {
      if (!closing.signal.aborted) onUnread(error);
    });
    if (closing.signal.aborted) return;
    const resume = {
      ...variables,
      get after() {
        return history.last();
      },
    };
    stop = listen(Events, resume, {
      next: ({ matchEvents: event }) => {
        history.add(event);
        if (event.type === 'UNDONE' || history.hasSecretBefore(event.version)) readEverythingAgain();
      },
      failed: (error) => {
        // The database has lost events after a failover: what is shown is no longer true, so everything is read again.
        if ((error as Refusal).code === 'HISTORY_CUT') {
          match.value = null;
          events.value = [];
          void follow();
        } else void refresh();
      },
      done: () => {
        void refresh();
        readEverythingAgain(); // what was secret is public now
      },
    });
  }

  /** Actions that are taken back or revealed change what earlier rows say. */
  function readEverythingAgain(): void {
    void history.readAfter(0).catch(() => {});
  }

  const unwatch = [
    // However an event arrived, the table after it is read.
    effect(() => {
      const heard = events.value.at(-1)?.version ?? 0;
      const shown = match.peek();
      if (shown && heard > shown.version) void refresh();
    }),
    effect(() => {
      if (boardWidth.value && match.peek()) void refresh();
    }),
    // After a lost connection, the table is read at once; the missed events follow by themselves.
    effect(() => {
      if (connected.value && match.peek()) void refresh();
    }),
  ];

  void follow();
  return {
    match,
    events,
    failure,
    refresh,
    show,
    readOn: () => void history.readAfter(history.last()).catch(() => {}),
    closed: closing.signal,
    close() {
      closing.abort();
      for (const end of unwatch) end();
      stop();
    },
  };
}

interface MatchVariables {
  id: string;
  invite?: string;
}

/** The newest known state of the table. */
function openLatest(variables: MatchVariables, closed: AbortSignal, onVersion: (next: TableMatch) => void) {
  const match = signal<TableMatch | null>(null);
  const failure = signal<unknown>(null);

  /** An answer that is older than what is shown is ignored: newer ones have overtaken it. */
  function show(next: TableMatch): void {
    const before = match.peek();
    if (before && before.version > next.version) return;
    match.value = next;
    if (before?.version !== next.version) onVersion(next);
  }

  let again = false;
  let asking: Promise<void> | undefined;
  /** May be called at any time, but sends one request at a time: a burst of events costs one or two requests. */
  function refresh(): Promise<void> {
    again = true;
    asking ??= catchUp().finally(() => {
      asking = undefined;
    });
    return asking;
  }

  async function catchUp(): Promise<void> {
    while (again && !closed.aborted) {
      again = false;
      try {
        const { match: next } = await askUntilAnswered(
          TableQuestion,
          { ...variables, width: boardWidth.peek() },
          closed,
        );
        if (!next) throw new Refusal('NOT_FOUND', 'There is no such match, or it is private.');
        failure.value = null;
        show(next);
      } catch (error) {
        if (!closed.aborted) failure.value = error;
      }
    }
  }

  return { match, failure, refresh, show };
}

/** How many events the query History asks for at once. */
const PAGE = 500;

/** All events that are known so far, in order. */
function openHistory(variables: MatchVariables, closed: AbortSignal) {
  const events = signal<readonly TableEvent[]>([]);
  const last = () => events.peek().at(-1)?.version ?? 0;

  return {
    events,
    last,
    add(event: TableEvent): void {
      if (event.version > last()) events.value = [...events.peek(), event];
    },
    /** Keeps the events up to this version and reads the rest. */
    async readAfter(after: number): Promise<void> {
      let list = events.peek().filter(({ version }) => version <= after);
      for (;;) {
        const from = list.at(-1)?.version ?? 0;
        const { match: page } = await askUntilAnswered(History, { ...variables, after: from }, closed);
        const more = page?.events ?? [];
        list = [...list, ...more];
        if (more.length < PAGE) break;
      }
      if (list.length >= events.peek().length) events.value = list;
    },
    /** Whether an action before this version was secret when it arrived, and may be public now. */
    hasSecretBefore: (before: number) =>
      events.peek().some(({ version, type, label }) => version < before && type === 'ACTED' && label === null),
  };
}
