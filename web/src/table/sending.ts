/** Actions on their way. Each is stored until it is answered, and sent again with the same id until then. */
import { type Signal, signal } from '@preact/signals';
import { askUntilAnswered } from '../api.ts';
import { Submit } from '../generated/operations.ts';
import { keep, recall, session } from '../session.ts';
import type { TableMatch } from './feed.ts';
import { boardWidth } from './width.ts';

/** An action that was confirmed by the player and has not been answered yet. */
export interface Pending {
  matchId: string;
  actionId: string;
  action: unknown;
  label: string;
  expectedVersion: number;
}

export interface Sending {
  readonly pending: Signal<Pending | null>;
  send(action: Pending): Promise<void>;
  /** Sends what a page that was closed has left unsent, if somebody is signed in. */
  resume(): void;
}

interface SendingOptions {
  onAnswer(match: TableMatch): void;
  onRefusal(error: unknown): void;
}

const pendingKey = (id: string) => `atoll.pending.${id}`;

export function openSending(id: string, { onAnswer, onRefusal }: SendingOptions): Sending {
  const pending = signal<Pending | null>(recall<Pending>(pendingKey(id)));

  function put(action: Pending | null): void {
    pending.value = action;
    keep(pendingKey(id), action);
  }

  async function send(sending: Pending): Promise<void> {
    put(sending);
    const { matchId, expectedVersion, actionId, action } = sending;
    try {
      const { submitAction } = await askUntilAnswered(Submit, {
        input: { matchId, expectedVersion, actionId, action },
        width: boardWidth.peek(),
      });
      put(null);
      onAnswer(submitAction.match);
    } catch (error) {
      put(null);
      onRefusal(error);
    }
  }

  return {
    pending,
    send,
    resume() {
      const left = pending.peek();
      if (left) session.peek() ? void send(left) : put(null);
    },
  };
}
