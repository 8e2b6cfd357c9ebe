/** What a link to a match says where it is shared. */
import { isId } from '../id.ts';
import type { Services } from '../services.ts';

export interface Preview {
  title: string;
  description: string;
  /** Whether there is a board to show. */
  picture: boolean;
}

/** For public matches only, because the reader of a link is a stranger. */
export async function previewOf({ registry, matches, players }: Services, id: string): Promise<Preview | null> {
  if (!isId(id)) return null;
  const match = await matches.see(null, id).catch(() => null);
  if (!match) return null;
  const game = registry.games.find((one) => one.id === match.game)?.name ?? match.game;
  const names = (await players.byIds(match.seats.filter((seat) => seat !== null))).map((player) => player?.name);
  const who = names.filter(Boolean).join(', ');
  const free = match.seats.length - names.length;
  return {
    title: who ? `${game}: ${who}` : game,
    description: sentence(match.status, free),
    picture: match.state !== null,
  };
}

function sentence(status: string, free: number): string {
  if (status === 'OPEN')
    return free === 1 ? 'One seat is free. Sit down and play.' : `${free} seats are free. Sit down and play.`;
  if (status === 'ACTIVE') return 'Being played now. Watch it live.';
  return status === 'FINISHED' ? 'The match is over. Watch the replay.' : 'The match was called off.';
}
