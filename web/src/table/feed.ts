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
  const match = signal<TableMatch | null>(null);
  const events = signal<readonly TableEvent[]>([]);
  const failure = signal<unknown>(null);
  const variables = () => ({ id, ...(invite && { invite }) });

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
    while (again && !closing.signal.aborted) {
      again = false;
      try {
        const { match: next } = await askUntilAnswered(
          TableQuestion,
          { ...variables(), width: boardWidth.peek() },
          closing.signal,
        );
        if (!next) throw new Refusal('NOT_FOUND', 'There is no such match, or it is private.');
        failure.value = null;
        show(next);
      } catch (error) {
        if (!closing.signal.aborted) failure.value = error;
      }
    }
  }

  const last = () => events.peek().at(-1)?.version ?? 0;

  function add(more: readonly TableEvent[]): void {
    const fresh = more.filter(({ version }) => version > last());
    if (fresh.length > 0) events.value = [...events.peek(), ...fresh];
  }

  /** Actions that are taken back or revealed change what earlier rows say. */
  async function readHistory(after: number): Promise<void> {
    let list = events.peek().filter(({ version }) => version <= after);
    for (;;) {
      const from = list.at(-1)?.version ?? 0;
      const { match: page } = await askUntilAnswered(History, { ...variables(), after: from }, closing.signal);
      const more = page?.events ?? [];
      list = [...list, ...more];
      if (more.length < 500) break;
    }
    if (list.length >= events.peek().length) events.value = list;
  }

  let stop = () => {};
  async function follow(): Promise<void> {
    await refresh();
    if (!match.peek() || closing.signal.aborted) return;
    await readHistory(0).catch((error) => {
      if (!closing.signal.aborted) onUnread(error);
    });
    if (closing.signal.aborted) return;
    const resume = {
      ...variables(),
      get after() {
        return last();
      },
    };
    stop = listen(Events, resume, {
      next: ({ matchEvents: event }) => {
        add([event]);
        if (event.type === 'UNDONE' || hidden(event.version)) void readHistory(0).catch(() => {});
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
        void readHistory(0).catch(() => {}); // what was secret is public now
      },
    });
  }

  /** Whether an action before this one was secret when it arrived, and may be public now. */
  const hidden = (before: number) =>
    events.peek().some(({ version, type, label }) => version < before && type === 'ACTED' && label === null);

  // However an event arrived, the table after it is read.
  const unwatchEvents = effect(() => {
    const heard = events.value.at(-1)?.version ?? 0;
    const shown = match.peek();
    if (shown && heard > shown.version) void refresh();
  });

  const unwatchWidth = effect(() => {
    if (boardWidth.value && match.peek()) void refresh();
  });

  // After a cut, the table is read at once; the missed events follow by themselves.
  const unwatch = effect(() => {
    if (connected.value && match.peek()) void refresh();
  });

  void follow();
  return {
    match,
    events,
    failure,
    refresh,
    show,
    readOn: () => void readHistory(last()).catch(() => {}),
    closed: closing.signal,
    close() {
      closing.abort();
      unwatch();
      unwatchWidth();
      unwatchEvents();
      stop();
    },
  };
}
