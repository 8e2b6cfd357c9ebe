/** Opening tables and sitting down. */
import { ask } from '../api.ts';
import { CreateMatch, type CreateMatchInput } from '../generated/operations.ts';
import { go } from '../route.ts';
import { keepAgreed, newEntropy } from '../session.ts';

/** A new match with our part of the seed; what was agreed is kept, to be compared when it is proven. */
export async function createMatch(input: Omit<CreateMatchInput, 'entropy'>): Promise<void> {
  const entropy = newEntropy();
  const { createMatch } = await ask(CreateMatch, { input: { ...input, entropy } });
  keepAgreed(createMatch.id, { commitment: createMatch.commitment, entropy });
  go(`/matches/${createMatch.id}`);
}
