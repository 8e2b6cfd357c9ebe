import type { Match } from '../matches/log/records.ts';
import { numbered, playersOf } from '../matches/proof/document.ts';
import type { Players } from '../players/service.ts';

/** The names that an export shows: those of the players, or numbers in their place. */
export async function namesOf(players: Players, match: Match, own: boolean): Promise<string[]> {
  const ids = playersOf(match);
  if (!own) return numbered(ids);
  return (await players.byIds(ids)).map((player, i) => player?.name ?? `Player ${i + 1}`);
}
