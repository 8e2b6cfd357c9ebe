/** The thread's side of the prover: it reads a document, and proves it when told to. */
import { constants, platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { AtollError } from '../../errors.ts';
import { registry } from '../../games/registry.ts';
import { type Draft, prove, read } from './import.ts';
import type { Question, Reply } from './prover.ts';

// Requests take precedence. Linux has a priority for each thread; elsewhere this call would slow down the whole server.
if (platform() === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

let draft: Draft | undefined;

function answer(question: Question): Reply {
  try {
    if ('prove' in question) return { proven: prove(registry, draft as Draft) };
    draft = read(question.document, new Date(question.now));
    // The events stay in this thread: nobody else needs them before they are proven.
    return { draft: { ...draft, document: { ...draft.document, events: [] } } };
  } catch (error) {
    if (!(error instanceof AtollError)) throw error;
    return { error: { code: error.code, message: error.message, details: error.details } };
  }
}

parentPort?.on('message', (question: Question) => parentPort?.postMessage(answer(question)));
