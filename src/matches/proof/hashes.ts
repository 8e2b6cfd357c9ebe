/** What makes a match provable: the commitment to its seed and the hash chain over its log (docs/fairness.md). */
import { fromHex, hmacSha256, sha256Hex } from '../../crypto.ts';
import { canonicalBytes } from '../../games/canonical.ts';
import { isoTime } from '../../iso-time.ts';
import type { LoggedEvent, MatchRow } from '../log/records.ts';

/** Published when the match is created: the server cannot change its seed afterwards. */
export const commitment = (serverSeed: Uint8Array): string => sha256Hex(serverSeed);

/** The seed in use, fixed at the start. Neither the server nor any single seat can have chosen it. */
export function seedOf(serverSeed: Uint8Array, entropies: readonly (string | null)[]): Uint8Array {
  return hmacSha256(serverSeed, 'atoll/seed/', canonicalBytes(entropies));
}

/** The start of the chain: a hash of what was agreed when the match was opened. */
export function genesis(row: MatchRow): string {
  const { id, game, rules, options, seatCount, serverSeed, draws, clock, origin, position } = row;
  const agreed = { id, game, rules, options, seats: seatCount, clock, commitment: commitment(serverSeed) };
  return sha256Hex(canonicalBytes({ ...agreed, ...(position && { origin, position }), ...(draws > 1 && { draws }) }));
}

/** What the hash of an event covers. */
type Chained = Pick<LoggedEvent, 'version' | 'type' | 'seat' | 'action' | 'entropy' | 'at' | 'stateHash'>;

/**
 * The hash of an event covers the one before it and the state after it. It is published at once and gives nothing away:
 * the state's hash in it is keyed by the seed and itself secret until the end. Players are left out, because an account
 * can be deleted and the match must still verify; so is what can be derived (label, acting seats).
 */
export function chain(previous: string, event: Chained): string {
  const { version, type, seat, action, entropy, at, stateHash } = event;
  const told = { version, type, seat, action, entropy, at: isoTime(at), stateHash };
  return sha256Hex(fromHex(previous), canonicalBytes(told));
}
