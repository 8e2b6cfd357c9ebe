import type { Result, Rng, Seat } from '../games/game.ts';
import { type Habits, habits, keyOf, type Named, type Path } from './habits.ts';
import { nextTurn, type Policy, playOut, type Turn } from './play-out.ts';
import type { Question } from './question.ts';
import type { Reward } from './reward.ts';

/** How eagerly the tree tries actions about which it knows little. Rewards lie between 0 and 1. */
const EXPLORATION = 0.4;
/**
 * A node that was visited n times considers about WIDTH * sqrt(n) of its actions, because long lists would leave no
 * depth.
 */
const WIDTH = 1.5;

interface Node {
  visits: number;
  /** The sum of the rewards of the seat whose action leads here. */
  sum: number;
  /** How often this action was possible when its list was seen, which depends on the guess. */
  offered: number;
  children: Map<string, Node>;
}

const leaf = (): Node => ({ visits: 0, sum: 0, offered: 0, children: new Map() });

/** One descent: the nodes it passed, and all actions taken in it. */
interface Descent {
  state: object;
  rng: Rng;
  nodes: { seat: Seat; node: Node }[];
  path: Path;
}

/**
 * Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012) with a single tree: its branches are
 * what the seat at the root can see, and each descent plays in a guess of its own. Chance is not a branch: the node of
 * an action is the mean over what it draws. Every seat plays for its own reward. `sample` makes one descent after an
 * action of the root's list, and returns its reward for the root's seat.
 */
export function tree({ game, state: root, seats, seat: me }: Question, list: readonly object[], reward: Reward) {
  const arms = list.map(leaf);
  const memory = habits(seats);

  function descend({ state, rng, nodes, path }: Descent): Result {
    const policy = recorded(memory, path);
    for (let seat = me; ; ) {
      const turn = nextTurn(game, state, seats, seat);
      if (!turn) return game.result(state) as Result;
      seat = turn.seat;
      // Secret actions of others are not branches: the seat at the root could not tell which branch it is on.
      if (seat !== me && game.isSecret(turn.list[0] as object)) {
        game.apply(state, seat, policy(turn, rng), rng);
        continue;
      }
      const { action, key, node } = branch(nodes.at(-1)?.node as Node, turn, rng, memory);
      game.apply(state, seat, action, rng);
      path.push({ seat, key });
      nodes.push({ seat, node });
      if (node.visits === 0) return playOut(game, state, seats, seat, rng, policy);
    }
  }

  return {
    sample(arm: number, rng: Rng): number {
      const action = list[arm] as object;
      const descent: Descent = {
        state: game.guess(root, me, rng),
        rng,
        nodes: [{ seat: me, node: arms[arm] as Node }],
        path: [{ seat: me, key: keyOf(action) }],
      };
      game.apply(descent.state, me, action, rng);
      const result = descend(descent);
      const rewards = Array.from({ length: seats }, (_, seat) => reward(result, seat));
      for (const { seat, node } of descent.nodes) {
        node.visits++;
        node.sum += rewards[seat] as number;
      }
      memory.learn(descent.path, rewards);
      return rewards[me] as number;
    },
  };
}

/** Habits that also record their choices. */
const recorded =
  (memory: Habits, path: Path): Policy =>
  ({ seat, list }, rng) => {
    const { action, key } = memory.pick(seat, list, rng);
    path.push({ seat, key });
    return action;
  };

/** The next action of a descent: a new one while the node may still grow, else the most promising known one. */
function branch({ visits, children }: Node, { seat, list }: Turn, rng: Rng, memory: Habits): Named & { node: Node } {
  const known: (Named & { node: Node })[] = [];
  const fresh: object[] = [];
  for (const action of list) {
    const key = keyOf(action);
    const node = children.get(key);
    if (!node) fresh.push(action);
    else {
      node.offered++;
      known.push({ action, key, node });
    }
  }
  if (fresh.length > 0 && (known.length === 0 || known.length < WIDTH * Math.sqrt(visits))) {
    const named = memory.pick(seat, fresh, rng);
    const node = { ...leaf(), offered: 1 };
    children.set(named.key, node);
    return { ...named, node };
  }
  return known.reduce((top, next) => (promise(next.node) > promise(top.node) ? next : top));
}

/** UCB1 with the count of offers in place of the parent's visits. */
const promise = ({ visits, sum, offered }: Node): number =>
  sum / visits + EXPLORATION * Math.sqrt(Math.log(offered) / visits);
