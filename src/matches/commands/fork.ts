/** Analysis matches: they continue from a version of another match, and one player acts for every seat. */
import { randomBytes } from '../../crypto.ts';
import { refusals } from '../../errors.ts';
import { clone } from '../../games/play.ts';
import { rngFor } from '../../games/rng.ts';
import type { Player } from '../../players/player.ts';
import { compose, emptyMatch } from '../log/match.ts';
import type { Match } from '../log/records.ts';
import { seatOf } from './access.ts';
import { newRow } from './seating.ts';

/** The version to continue from, if the match has it. */
export function versionToFork(match: Match, at: number): number {
  if (!Number.isInteger(at) || at < 0 || at > match.version) {
    throw refusals.badVersion(match.version, {
      version: match.version,
    });
  }
  return at;
}

/**
 * Continues from the match as it stood `then`. From an ended match everything is known; from a running match the hidden
 * parts are redrawn as the player's seat could imagine them, so that nothing leaks.
 */
export function forked(match: Match, then: Match, player: Player, now: Date): Match {
  const { state, version: at } = then;
  if (!state) throw refusals.notStartedThen();
  if (match.engine.result(state)) throw refusals.overThen();
  const serverSeed = randomBytes(32);
  const known = match.endedAt !== null || match.origin !== null;
  const seat = known ? null : seatOf(match, player);
  if (!known && seat === null) throw refusals.forkNeedsSeat();
  const position = known ? clone(state) : match.engine.guess(state, seat, rngFor(serverSeed, 0));
  const { game, rules, options, seatCount } = match;
  let fork = emptyMatch(
    match.engine,
    newRow(player.id, now, {
      game,
      rules,
      options,
      seatCount,
      visibility: 'PRIVATE',
      serverSeed,
      origin: { match: match.id, at, seat },
      position,
    }),
  );
  for (let i = 0; i < fork.seatCount; i++)
    fork = compose(fork, { type: 'JOINED', seat: i, playerId: player.id }, null, now);
  return compose(fork, { type: 'STARTED', seat: null }, clone(position), now);
}
