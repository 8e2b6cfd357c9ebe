/** The state of one table page: the match, its events, what is being chosen, and the action that is being sent. */
import { computed, type Signal, signal } from '@preact/signals';
import { ask, isPassing, sentence } from '../api.ts';
import type { Operation } from '../generated/operations.ts';
import { newActionId } from '../session.ts';
import { openChoosing } from './choosing.ts';
import { openFeed, type TableEvent, type TableMatch } from './feed.ts';
import type { Choice, narrow } from './narrow.ts';
import { openSending } from './sending.ts';
import { boardWidth } from './width.ts';

export interface Table {
  readonly id: string;
  readonly match: Signal<TableMatch | null>;
  readonly events: Signal<readonly TableEvent[]>;
  /** Why there is nothing to show. */
  readonly failure: Signal<unknown>;
  /** The sentence with which the last command was refused. */
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
  /** Runs a command whose answer contains the match. */
  run<T, V>(operation: Operation<T, V>, variables: V, matchOf: (answer: T) => TableMatch): Promise<void>;
  refresh(): Promise<void>;
  close(): void;
}

export function openTable(id: string, invite: string | undefined): Table {
  const notice = signal<string | null>(null);
  const feed = openFeed({
    id,
    invite,
    onVersion: () => choosing.keepWhatIsStillPossible(),
    onUnread(error) {
      notice.value = sentence(error);
    },
  });
  const { match, events, failure, refresh } = feed;
  const { pending, send, resume } = openSending(id, {
    onAnswer(next) {
      choosing.clear();
      feed.show(next);
      feed.readOn();
    },
    onRefusal(error) {
      if (feed.closed.aborted) return;
      notice.value = sentence(error);
      choosing.clear();
      void refresh();
    },
  });
  const choosing = openChoosing(match);
  const { pointed, picked, choices, narrowed } = choosing;
  const mayAct = computed(() => choices.value.length > 0 && pending.value === null);
  resume();

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
      choosing.pointAt(target);
    },
    pick(choice) {
      if (!mayAct.peek()) return;
      notice.value = null;
      choosing.pick(choice);
    },
    stepBack: choosing.stepBack,
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
        feed.show(matchOf(await ask(operation, { ...variables, width: boardWidth.peek() })));
        feed.readOn();
      } catch (error) {
        notice.value = sentence(error);
        if (!isPassing(error)) void refresh();
      }
    },
    close: feed.close,
  };
}
