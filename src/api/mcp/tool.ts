/** What a tool for agents is: a name, what it takes, what a token must allow for it, and what it does. */
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
  /** What waits counts as an open stream of its player. */
  subscriptions: Cap;
  /** Aborted when the caller has left, or the server stops. */
  signal: AbortSignal;
}

/** The same twice: as text for a language model, as data for a program. */
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
  /** Whether it changes nothing. */
  isReadOnly: boolean;
  run(input: never, call: Call): Promise<Told>;
}

/** Lets a tool's function know the type of its input. */
export const tool = <T extends TObject>(
  given: Omit<Tool, 'input' | 'run'> & { input: T; run(input: Static<T>, call: Call): Promise<Told> },
): Tool => given as Tool;
