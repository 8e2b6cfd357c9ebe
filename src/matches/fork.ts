/** Analysis matches: they continue from a version of another match, and one player acts for every seat. */
import { randomBytes } from 'node:crypto';
import { AtollError } from '../errors.ts';
import { clone } from '../games/play.ts';
import { rngFor } from '../games/rng.ts';
import { newId } from '../id.ts';
import type { Player } from '../players/service.ts';
import { seatOf } from './commands.ts';
import { compose, emptyMatch, type Match, matchAt } from './match.ts';

/** From an ended match with everything known; from a running one as the player's seat could imagine it, so nothing leaks. */
export function forked(match: Match, player: Player, at: number, now: Date): Match {
  if (!Number.isInteger(at) || at < 0 || at > match.version) {
    throw new AtollError('BAD_INPUT', `at is a version of this match, 0 to ${match.version}`, {
      version: match.version,
    });
  }
  const { state } = matchAt(match, at);
  if (!state) throw new AtollError('MATCH_NOT_ACTIVE', 'This match had not started at that version');
  const serverSeed = randomBytes(32);
  const known = match.endedAt !== null || match.origin !== null;
  const seat = known ? null : seatOf(match, player);
  if (!known && seat === null)
    throw new AtollError('NOT_SEATED', 'Only its seats can fork a match that is still played');
  const position = known ? clone(state) : match.rulesOf.guess(state, seat, rngFor(serverSeed, 0));
  let fork = emptyMatch(match.rulesOf, {
    id: newId(now.getTime()),
    game: match.game,
    rules: match.rules,
    options: match.options,
    seatCount: match.seatCount,
    visibility: 'PRIVATE',
    invite: randomBytes(12).toString('base64url'),
    creatorId: player.id,
    serverSeed,
    createdAt: now,
    origin: { match: match.id, at, seat },
    position,
    importedAt: null,
    clock: null,
    takeover: false,
    rematchOf: null,
    reserved: null,
    outages: [],
  });
  for (let i = 0; i < fork.seatCount; i++)
    fork = compose(fork, { type: 'JOINED', seat: i, playerId: player.id }, null, now);
  return compose(fork, { type: 'STARTED', seat: null }, clone(position), now);
}
