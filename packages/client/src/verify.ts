/**
 * Proves an exported match without a server, with the verifier that the server itself uses. Vite bundles it into one
 * file.
 */
import { registry } from '../../../src/games/registry.ts';
import { verify as prove } from '../../../src/matches/proof/verify.ts';
import type { Verify } from './proof.ts';

export { Unproven } from '../../../src/matches/proof/verify.ts';

export const verify: Verify = (document, saved = {}) => {
  const { match, actions, undone, draws } = prove(registry, document, { saved });
  const { id: matchId, game, rules, status, result } = match;
  return { matchId, game, rules, status, result, actions, undone, draws };
};
