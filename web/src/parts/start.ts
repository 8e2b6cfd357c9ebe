/** Opening tables and taking seats. */
import { ask } from '../api.ts';
import { CreateMatch, type CreateMatchInput } from '../generated/operations.ts';
import { once } from '../once.ts';
import { go } from '../route.ts';
import { keepAgreed } from '../session.ts';

/** Opens a match with our part of the seed. What was agreed is stored, to be compared when the match is proven. */
export async function createMatch(input: Omit<CreateMatchInput, 'entropy' | 'idempotencyKey'>): Promise<void> {
  await once(['match', input], async (attempt) => {
    const { createMatch } = await ask(CreateMatch, { input: { ...input, ...attempt } });
    keepAgreed(createMatch.id, { commitment: createMatch.commitment, entropy: attempt.entropy });
    go(`/matches/${createMatch.id}`);
  });
}
