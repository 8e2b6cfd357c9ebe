/** What a player points at and picks before confirming it: nothing here is sent to the server. */
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { TableMatch } from './feed.ts';
import { type Choice, narrow, point } from './narrow.ts';

export interface Choosing {
  /** The targets on the board that the player has pointed at. */
  readonly pointed: Signal<readonly string[]>;
  /** The choice that the player has picked from the list. */
  readonly picked: Signal<Choice | null>;
  readonly choices: ReadonlySignal<readonly Choice[]>;
  readonly narrowed: ReadonlySignal<ReturnType<typeof narrow>>;
  pointAt(target: string): void;
  pick(choice: Choice): void;
  stepBack(): void;
  clear(): void;
  /** If all act at once, actions of others do not discard what is being chosen. */
  keepWhatIsStillPossible(): void;
}

export function openChoosing(match: Signal<TableMatch | null>): Choosing {
  const pointed = signal<readonly string[]>([]);
  const picked = signal<Choice | null>(null);
  const choices = computed<readonly Choice[]>(() => (match.value?.legalActions ?? []).map(toChoice));
  /** Every answer has its own list, so what was picked from an earlier one is found again by its label. */
  const stillPicked = (choice: Choice | null) => choices.value.find(({ label }) => label === choice?.label) ?? null;
  const narrowed = computed(() => narrow(choices.value, pointed.value, stillPicked(picked.value)));

  return {
    pointed,
    picked,
    choices,
    narrowed,
    pointAt(target) {
      const isOfPicked = picked.peek()?.targets.includes(target);
      picked.value = null;
      if (!isOfPicked) pointed.value = point(choices.peek(), pointed.peek(), target);
    },
    pick(choice) {
      picked.value = picked.peek()?.label === choice.label ? null : choice;
    },
    stepBack() {
      if (picked.peek()) picked.value = null;
      else pointed.value = pointed.peek().slice(0, -1);
    },
    clear() {
      pointed.value = [];
      picked.value = null;
    },
    keepWhatIsStillPossible() {
      const still = narrow(choices.peek(), pointed.peek());
      if (still.remaining.length === 0) pointed.value = [];
      if (!stillPicked(picked.peek())) picked.value = null;
    },
  };
}

/** A server that is older than this page may not know targets; then everything is chosen by its label. */
const toChoice = ({ action, label, targets }: TableMatch['legalActions'][number]): Choice => ({
  action,
  label,
  targets: targets ?? [],
});
