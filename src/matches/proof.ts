/** What makes a match provable: the commitment to its seed and the chain over its log (design: fair by proof). */
import { createHash, createHmac } from 'node:crypto';
import { canonical } from '../games/play.ts';
import type { LoggedEvent, MatchRow } from './match.ts';

const sha256 = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Published when the match is created: the server cannot change its seed afterwards. */
export const commitment = (serverSeed: Uint8Array): string => sha256(serverSeed).toString('hex');

/** The seed in use, fixed at the start: neither the server nor any single seat can have chosen it. */
export function seedOf(serverSeed: Uint8Array, entropies: readonly (string | null)[]): Uint8Array {
  return createHmac('sha256', serverSeed).update('atoll/seed/').update(canonical(entropies)).digest();
}

/** The chain begins with what was agreed when the match was opened. */
export function genesis(row: MatchRow): Buffer {
  const { id, game, rules, options, seatCount, serverSeed, clock, origin, position } = row;
  const agreed = { id, game, rules, options, seats: seatCount, clock, commitment: commitment(serverSeed) };
  return sha256(canonical(position ? { ...agreed, origin, position } : agreed));
}

/**
 * The hash of an event covers the one before it and the state after it. It is published at once and gives nothing away:
 * the state's hash in it is keyed by the seed and itself secret until the end. Players are left out, because an account
 * can be deleted and the match must still verify; so is what can be derived (label, acting seats).
 */
export function chain(previous: Uint8Array, event: Omit<LoggedEvent, 'hash'>): Buffer {
  const { version, type, seat, action, entropy, at, stateHash } = event;
  return sha256(previous, canonical({ version, type, seat, action, entropy, at: at.toISOString(), stateHash }));
}
