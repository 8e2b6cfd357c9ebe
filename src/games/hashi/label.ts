import type { Action } from './actions.ts';
import type { View } from './view.ts';

export function label(action: Action, view: View): string {
  if (action.type === 'preset') return `write a first ${action.number} on island ${action.island}`;
  const { card, you } = view;
  if (action.type === 'write') return `write ${card ? `${card.number} ` : ''}on island ${action.island}`;
  if (action.type === 'bridge') {
    const { a, b } = view.board.links[action.link - 1]!;
    return `bridge ${a}–${b}`;
  }
  // Others are not told which of the two steps was skipped while the round lasts.
  const step = you === null ? 'acting' : view.seats[you]!.step;
  if (step === 'write') return `skip the number ${card!.number}`;
  if (step === 'build') return card!.bridges === 1 ? 'skip the bridge' : `skip the ${card!.bridges} bridges`;
  return 'skip';
}
