import type { Result, Rng, Seat } from '../games/game.ts';
import { type Habits, habits, keyOf, type Path } from './habits.ts';
import { nextTurn, type Policy, playOut, type Turn } from './play-out.ts';
import type { Question } from './question.ts';
import type { Reward } from './reward.ts';

/** How eagerly the tree tries what it knows little of; rewards lie between 0 and 1. */
const EXPLORATION = 0.4;
/** A node that was visited n times knows about WIDTH * sqrt(n) of its actions: long lists would leave no depth. */
const WIDTH = 1.5;

interface Node {
  visits: number;
  /** Of rewards of the seat whose action leads here. */
  sum: number;
  /** How often this action was possible when its list was seen: which ones are depends on the guess. */
  offered: number;
  children: Map<string, Node>;
}

const leaf = (): Node => ({ visits: 0, sum: 0, offered: 0, children: new Map() });

interface Step {
  seat: Seat;
  node: Node;
}

export interface Tree {
  /** One play-out after this action of the root's list; what it was worth to the root's seat. */
  sample(arm: number, rng: Rng): number;
}

/**
 * Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012) with a single tree: its branches are what
 * the seat at the root can see, and each descent plays in a guess of its own. Chance is not a branch: an action's node
 * is the mean over what it draws.
 */
export function tree({ game, state: root, seats, seat: me }: Question, list: readonly object[], reward: Reward): Tree {
  const arms = list.map(leaf);
  const memory: Habits = habits(seats);

  function descend(state: object, top: Node, steps: Step[], path: Path, rng: Rng, policy: Policy): Result {
    let node = top;
    let seat = me;
    for (;;) {
      const turn = nextTurn(game, state, seats, seat);
      if (!turn) return game.result(state) as Result;
      seat = turn.seat;
      // What others do in secret is no branch: the seat at the root could not tell which one it is on.
      if (seat !== me && game.isSecret(turn.list[0] as object)) {
        game.apply(state, seat, policy(turn, rng), rng);
        continue;
      }
      const { action, key, child } = choose(node, turn, rng, policy, path);
      game.apply(state, seat, action, rng);
      path.push({ seat, key });
      steps.push({ seat, node: child });
      if (child.visits === 0) return playOut(game, state, seats, seat, rng, policy);
      node = child;
    }
  }

  return {
    sample(arm, rng) {
      const state = game.guess(root, me, rng);
      const action = list[arm] as object;
      const path: Path = [{ seat: me, key: keyOf(action) }];
      const steps: Step[] = [{ seat: me, node: arms[arm] as Node }];
      game.apply(state, me, action, rng);
      const result = descend(state, arms[arm] as Node, steps, path, rng, memory.policy(path));
      const rewards = Array.from({ length: seats }, (_, seat) => reward(result, seat));
      for (const { seat, node } of steps) {
        node.visits++;
        node.sum += rewards[seat] as number;
      }
      memory.learn(path, (seat) => rewards[seat] as number);
      return rewards[me] as number;
    },
  };
}

/** The next action of a descent: a new one while the node may still grow, else the most promising of those it knows. */
function choose(node: Node, turn: Turn, rng: Rng, policy: Policy, path: Path) {
  const known: { action: object; key: string; child: Node }[] = [];
  const fresh: object[] = [];
  for (const action of turn.list) {
    const key = keyOf(action);
    const child = node.children.get(key);
    if (child) known.push({ action, key, child });
    else fresh.push(action);
  }
  for (const { child } of known) child.offered++;
  const room = known.length === 0 || known.length < WIDTH * Math.sqrt(node.visits);
  if (fresh.length > 0 && room) {
    const action = policy({ seat: turn.seat, list: fresh }, rng);
    path.pop();
    const key = keyOf(action);
    const child = { ...leaf(), offered: 1 };
    node.children.set(key, child);
    return { action, key, child };
  }
  return known.reduce((top, next) => (promise(next.child) > promise(top.child) ? next : top));
}

/** UCB1 with the count of offers in place of the parent's visits. */
const promise = ({ visits, sum, offered }: Node): number =>
  visits === 0 ? Number.POSITIVE_INFINITY : sum / visits + EXPLORATION * Math.sqrt(Math.log(offered) / visits);
