/**
 * Proves an exported match outside the page's own thread, with the verifier that the server and the command line use.
 */
import { registry } from '../../../src/games/registry.ts';
import { type MatchDocument, shapeFault } from '../../../src/matches/proof/document.ts';
import { verify } from '../../../src/matches/proof/verify.ts';
import type { Agreed } from '../session.ts';

export interface Question {
  document: unknown;
  /** What this browser stored when it took a seat; null if it did not. */
  agreed: Agreed | null;
}

export interface Verdict {
  proven: boolean;
  sentences: string[];
}

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;

function judge({ document, agreed }: Question): Verdict {
  const fault = shapeFault(document);
  if (fault) return { proven: false, sentences: [`This is not a match document: ${fault}.`] };
  const { actions, draws, undone, match } = verify(registry, document);
  const sentences = [
    `Every one of ${count(actions, 'action', 'actions')} was legal, and leads to exactly the recorded position.`,
    `${count(draws, 'draw', 'draws')} of chance come out the same when they are made again from the published seed.`,
    'The seed is the one that was committed to before the first draw, and the chain of hashes is unbroken.',
  ];
  if (undone > 0) sentences.push(`${count(undone, 'action was', 'actions were')} taken back by the rules.`);
  if (match.result) sentences.push(`The result follows: ${match.result.scores.join(' to ')}.`);
  return withAgreed(document as MatchDocument, agreed, sentences);
}

function withAgreed(document: MatchDocument, agreed: Agreed | null, sentences: string[]): Verdict {
  if (!agreed) {
    return {
      proven: true,
      sentences: [...sentences, 'This browser did not sit at the table, so it kept nothing to compare.'],
    };
  }
  if (agreed.commitment !== document.commitment) {
    return {
      proven: false,
      sentences: [
        'The commitment is not the one that this browser was given when it sat down: the seed was exchanged.',
      ],
    };
  }
  const ours = agreed.entropy && document.events.some(({ entropy }) => entropy === agreed.entropy);
  if (agreed.entropy && !ours) {
    return { proven: false, sentences: ['The part of the seed that this browser added when it sat down is missing.'] };
  }
  return {
    proven: true,
    sentences: [
      ...sentences,
      ours
        ? 'The commitment is the one that this browser kept, and its own part of the seed is in it: nobody else can have chosen the shuffle.'
        : 'The commitment is the one that this browser kept.',
    ],
  };
}

addEventListener('message', ({ data }: MessageEvent<Question>) => {
  let verdict: Verdict;
  try {
    verdict = judge(data);
  } catch (error) {
    verdict = { proven: false, sentences: [`Not proven. ${(error as Error).message}.`] };
  }
  postMessage(verdict);
});
