/** The parts of a tool for agents: its name, its input, the scope that it needs, and what it does. */
import type { Static, TObject } from 'typebox';
import type { Scope, Viewer } from '../../players/player.ts';
import type { Services } from '../../services.ts';
import type { Cap } from '../http/limits/admission.ts';
import type { Work } from '../http/limits/work.ts';

/** One call of a tool. */
export interface Call {
  services: Services;
  player: Viewer;
  work: Work;
  /** A call that waits counts as an open stream of its player. */
  subscriptions: Cap;
  /** Aborted when the caller leaves or the server stops. */
  signal: AbortSignal;
}

/** The answer in two forms: text for a language model, and data for a program. */
export interface Told {
  text: string;
  data: Record<string, unknown>;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  input: TObject;
  scope: Scope;
  /** Whether the tool changes nothing. */
  isReadOnly: boolean;
  run(input: never, call: Call): Promise<Told>;
}

/** Gives a tool's function the type of its input. */
export const tool = <T extends TObject>(
  given: Omit<Tool, 'input' | 'run'> & { input: T; run(input: Static<T>, call: Call): Promise<Told> },
): Tool => given as Tool;
