/** What one table page knows: the match, its events, what is being chosen, what is on its way. */
import { computed, effect, type Signal, signal } from '@preact/signals';
import { ask, askUntilAnswered, isPassing, Refusal, sentence } from '../api.ts';
import {
  type EventFieldsFragment,
  Events,
  History,
  type Operation,
  Submit,
  type TableFieldsFragment,
  Table as TableQuestion,
} from '../generated/operations.ts';
import { connected, listen } from '../live.ts';
import { keep, newActionId, recall, session } from '../session.ts';
import { type Choice, narrow, point } from './narrow.ts';
import { boardWidth } from './width.ts';

export type TableMatch = TableFieldsFragment;
export type TableEvent = EventFieldsFragment;

/** An action that was confirmed and not answered yet: sent again with the same id until it is. */
interface Pending {
  matchId: string;
  actionId: string;
  action: unknown;
  label: string;
  expectedVersion: number;
}

export interface Table {
  readonly id: string;
  readonly match: Signal<TableMatch | null>;
  readonly events: Signal<readonly TableEvent[]>;
  /** Why there is nothing to show. */
  readonly failure: Signal<unknown>;
  /** What the last command was refused with, in a sentence. */
  readonly notice: Signal<string | null>;
  readonly pointed: Signal<readonly string[]>;
  readonly picked: Signal<Choice | null>;
  readonly pending: Signal<{ label: string } | null>;
  readonly choices: Signal<readonly Choice[]>;
  readonly narrowed: Signal<ReturnType<typeof narrow>>;
  readonly mayAct: Signal<boolean>;
  pointAt(target: string): void;
  pick(choice: Choice): void;
  stepBack(): void;
  confirm(): Promise<void>;
  /** A command whose answer holds the match. */
  run<T, V>(operation: Operation<T, V>, variables: V, matchOf: (answer: T) => TableMatch): Promise<void>;
  refresh(): Promise<void>;
  close(): void;
}

const pendingKey = (id: string) => `atoll.pending.${id}`;

export function openTable(id: string, invite: string | undefined): Table {
  const closing = new AbortController();
  const match = signal<TableMatch | null>(null);
  const events = signal<readonly TableEvent[]>([]);
  const failure = signal<unknown>(null);
  const notice = signal<string | null>(null);
  const pointed = signal<readonly string[]>([]);
  const picked = signal<Choice | null>(null);
  const pending = signal<Pending | null>(recall<Pending>(pendingKey(id)));
  const choices = computed<readonly Choice[]>(() => (match.value?.legalActions ?? []).map(toChoice));
  const narrowed = computed(() => narrow(choices.value, pointed.value, picked.value));
  const mayAct = computed(() => choices.value.length > 0 && pending.value === null);

  /** An answer that is older than what is shown is late: newer ones have overtaken it. */
  function show(next: TableMatch): void {
    const before = match.peek();
    if (before && before.version > next.version) return;
    match.value = next;
    if (before?.version === next.version) return;
    const list = next.legalActions.map(toChoice);
    const still = narrow(list, pointed.peek());
    if (still.remaining.length === 0) pointed.value = [];
    picked.value = null;
  }

  let again = false;
  let asking: Promise<void> | undefined;
  /** Asked for at any time, sent one at a time: a burst of events costs one question or two. */
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

  const variables = () => ({ id, ...(invite && { invite }) });

  const last = () => events.peek().at(-1)?.version ?? 0;

  function add(more: readonly TableEvent[]): void {
    const fresh = more.filter(({ version }) => version > last());
    if (fresh.length > 0) events.value = [...events.peek(), ...fresh];
  }

  /** Taken back and revealed actions change what earlier rows say. */
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
      if (!closing.signal.aborted) notice.value = sentence(error);
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
        // The database has lost events after a failover: what is shown never was, so everything is read anew.
        if ((error as Refusal).code === 'HISTORY_CUT') {
          match.value = null;
          events.value = [];
          void follow();
        } else void refresh();
      },
      done: () => {
        void refresh();
        void readHistory(0).catch(() => {}); // what was secret is open now
      },
    });
  }

  /** Whether an action before this one was secret when we heard of it, and may be known by now. */
  const hidden = (before: number) =>
    events.peek().some(({ version, type, label }) => version < before && type === 'ACTED' && label === null);

  // However we heard of an event: the table after it is asked for.
  const unwatchEvents = effect(() => {
    const heard = events.value.at(-1)?.version ?? 0;
    const shown = match.peek();
    if (shown && heard > shown.version) void refresh();
  });

  const unwatchWidth = effect(() => {
    if (boardWidth.value && match.peek()) void refresh();
  });

  // What was missed while the line was cut is asked for at once; the events follow by themselves.
  const unwatch = effect(() => {
    if (connected.value && match.peek()) void refresh();
  });

  async function send(sending: Pending): Promise<void> {
    pending.value = sending;
    keep(pendingKey(id), sending);
    const { matchId, expectedVersion, actionId, action } = sending;
    try {
      const { submitAction } = await askUntilAnswered(Submit, {
        input: { matchId, expectedVersion, actionId, action },
        width: boardWidth.peek(),
      });
      settle();
      pointed.value = [];
      picked.value = null;
      show(submitAction.match);
      void readHistory(last()).catch(() => {});
    } catch (error) {
      settle();
      if (closing.signal.aborted) return;
      notice.value = sentence(error);
      pointed.value = [];
      picked.value = null;
      void refresh();
    }
  }

  function settle(): void {
    pending.value = null;
    keep(pendingKey(id), null);
  }

  void follow();
  const left = pending.peek();
  if (left) session.peek() ? void send(left) : settle();

  return {
    id,
    match,
    events,
    failure,
    notice,
    pointed,
    picked,
    pending,
    choices,
    narrowed,
    mayAct,
    refresh,
    pointAt(target) {
      if (!mayAct.peek()) return;
      notice.value = null;
      if (picked.peek()?.targets.includes(target)) {
        picked.value = null;
        return;
      }
      picked.value = null;
      pointed.value = point(choices.peek(), pointed.peek(), target);
    },
    pick(choice) {
      if (!mayAct.peek()) return;
      notice.value = null;
      picked.value = picked.peek() === choice ? null : choice;
    },
    stepBack() {
      if (picked.peek()) picked.value = null;
      else pointed.value = pointed.peek().slice(0, -1);
    },
    async confirm() {
      const { action } = narrowed.peek();
      const now = match.peek();
      if (!action || !now || !mayAct.peek()) return;
      notice.value = null;
      await send({
        matchId: id,
        actionId: newActionId(),
        action: action.action,
        label: action.label,
        expectedVersion: now.version,
      });
    },
    async run(operation, variables, matchOf) {
      notice.value = null;
      try {
        show(matchOf(await ask(operation, { ...variables, width: boardWidth.peek() })));
        void readHistory(last()).catch(() => {});
      } catch (error) {
        notice.value = sentence(error);
        if (!isPassing(error)) void refresh();
      }
    },
    close() {
      closing.abort();
      unwatch();
      unwatchWidth();
      unwatchEvents();
      stop();
    },
  };
}

/** A server that is older than this page may know no targets: then everything is chosen by its label. */
const toChoice = ({ action, label, targets }: TableMatch['legalActions'][number]): Choice => ({
  action,
  label,
  targets: targets ?? [],
});
