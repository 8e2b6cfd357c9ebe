/** Analysis matches: they continue from a version of another match, and one player acts for every seat. */
import { randomBytes } from 'node:crypto';
import { AtollError } from '../errors.ts';
import { clone } from '../games/play.ts';
import { rngFor } from '../games/rng.ts';
import type { Player } from '../players/service.ts';
import { seatOf } from './commands.ts';
import { compose, emptyMatch, type Match, matchAt } from './match.ts';
import { newRow } from './seating.ts';

/** From an ended match with everything known; from a running one as the player's seat could imagine it, so nothing leaks. */
export function forked(match: Match, player: Player, at: number, now: Date): Match {
  if (!Number.isInteger(at) || at < 0 || at > match.version) {
    throw new AtollError('BAD_INPUT', `at is a version of this match, 0 to ${match.version}`, {
      version: match.version,
    });
  }
  const { state } = matchAt(match, at);
  if (!state) throw new AtollError('MATCH_NOT_ACTIVE', 'This match had not started at that version');
  if (match.rulesOf.result(state)) throw new AtollError('MATCH_OVER', 'Nothing is left to play at that version');
  const serverSeed = randomBytes(32);
  const known = match.endedAt !== null || match.origin !== null;
  const seat = known ? null : seatOf(match, player);
  if (!known && seat === null)
    throw new AtollError('NOT_SEATED', 'Only its seats can fork a match that is still played');
  const position = known ? clone(state) : match.rulesOf.guess(state, seat, rngFor(serverSeed, 0));
  const { game, rules, options, seatCount } = match;
  let fork = emptyMatch(
    match.rulesOf,
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
