/** A match as it stood at each of its versions. They are read in pages by REST, which has no limit of cost. */
import type { Caller } from './caller.ts';
import type { Atoll, LegalAction, LookOptions } from './client.ts';
import { AtollError } from './errors.ts';
import { type Line, refusalOf, send } from './http.ts';

export interface StatesOptions extends LookOptions {
  /** The first version; 0 if left out. */
  from?: number;
  /** The last version; if left out, the current one. */
  to?: number;
  /** What each state includes; if left out, the view. */
  include?: readonly ('view' | 'board' | 'description' | 'legalActions')[];
  /** The seat through whose eyes to look: any seat after the end. */
  seat?: number;
  /** The layout of the board. */
  width?: 'narrow' | 'wide';
}

/** The match after one of its events, as this player could know it then. */
export interface State {
  version: number;
  acting: number[];
  view?: unknown;
  board?: string | null;
  description?: string[] | null;
  legalActions?: LegalAction[];
}

/** How many states are requested at once. With boards, no more than 35 fit into an answer. */
const PAGE = 50;
const PAGE_OF_BOARDS = 25;

export function openReplay({ persist }: Caller, line: Line, match: Atoll['match']): Pick<Atoll, 'states'> {
  async function page(path: string, signal: AbortSignal | undefined): Promise<State[]> {
    const response = await send(line, path, { accept: 'application/json', signal });
    if (!response.ok) throw await refusalOf(response);
    const answer = response.json() as Promise<{ states: State[] }>;
    return (await answer.catch(() => Promise.reject(new AtollError('OFFLINE', 'The answer was cut off.')))).states;
  }

  return {
    async *states(id, { from = 0, to, include = ['view'], seat, width, invite, signal } = {}) {
      const last = to ?? (await match(id, { invite, signal })).version;
      const size = include.includes('board') ? PAGE_OF_BOARDS : PAGE;
      for (let first = from; first <= last; first += size) {
        const query = new URLSearchParams({ from: String(first), to: String(Math.min(last, first + size - 1)) });
        query.set('include', include.join(','));
        for (const [name, value] of Object.entries({ seat, width, invite })) {
          if (value !== undefined) query.set(name, String(value));
        }
        yield* await persist(() => page(`/v1/matches/${encodeURIComponent(id)}/states?${query}`, signal), signal);
      }
    },
  };
}
