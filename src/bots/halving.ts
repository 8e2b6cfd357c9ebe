import type { Meter } from './question.ts';

interface Arm {
  index: number;
  visits: number;
  sum: number;
}

const mean = ({ visits, sum }: Arm): number => (visits > 0 ? sum / visits : -1);

/**
 * Sequential halving (Karnin, Koren and Somekh 2013): the budget is divided into equal rounds, and after each round the
 * worse half of the candidates is dropped. On a long list it uses a small budget better than UCB1, whose first visits
 * alone would use it up. `sample` receives the number of the sweep, so that all candidates of one sweep can get the
 * same random numbers.
 */
export function halving(candidates: readonly number[], meter: Meter, sample: (arm: number, sweep: number) => number) {
  const arms: Arm[] = candidates.map((index) => ({ index, visits: 0, sum: 0 }));
  const rounds = Math.max(1, Math.ceil(Math.log2(arms.length)));
  const start = meter.spent();
  let sweep = 0;
  for (let round = 1; round <= rounds; round++) {
    const end = start + ((1 - start) * round) / rounds;
    do {
      for (const arm of arms) {
        if (arm.visits > 0 && meter.spent() >= 1) return best(arms);
        arm.sum += sample(arm.index, sweep);
        arm.visits++;
      }
      sweep++;
    } while (meter.spent() < end);
    arms.sort((a, b) => mean(b) - mean(a) || a.index - b.index);
    arms.length = Math.ceil(arms.length / 2);
  }
  return best(arms);
}

const best = (arms: readonly Arm[]): number =>
  arms.reduce((top, arm) => (mean(arm) > mean(top) ? arm : top), arms[0] as Arm).index;
