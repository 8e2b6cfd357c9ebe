import { expect, it } from 'vitest';
import { answerWhenTurnEnds, askWhenTurnEnds, sendWhenTurnEnds } from '../../src/turn-end.ts';

const endOfTurn = () => new Promise<void>((done) => setImmediate(done));

it('sockets are sent their messages before requests are answered and the database is asked, whatever came first', async () => {
  const left: string[] = [];
  askWhenTurnEnds(() => left.push('statement'));
  answerWhenTurnEnds(() => left.push('answer'));
  sendWhenTurnEnds(() => left.push('one message'));
  sendWhenTurnEnds(() => left.push('another'));
  expect(left).toEqual([]);
  await endOfTurn();
  expect(left).toEqual(['one message', 'another', 'answer', 'statement']);
});

it('what is asked for at the end of a turn is done at the end of the next', async () => {
  const left: string[] = [];
  const later = () => left.push('later');
  askWhenTurnEnds(() => {
    sendWhenTurnEnds(later);
    left.push('now');
  });
  await endOfTurn();
  expect(left).toEqual(['now']);
  await endOfTurn();
  expect(left).toEqual(['now', 'later']);
});
