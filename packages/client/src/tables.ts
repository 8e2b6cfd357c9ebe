/** Reading matches and taking seats, and the records that are needed to verify a match later. */
import type { Caller } from './caller.ts';
import type { Atoll, Match } from './client.ts';
import { AtollError } from './errors.ts';
import {
  AddBot,
  CreateMatch,
  Games,
  JoinMatch,
  LeaveMatch,
  MatchById,
  MatchList,
  PositionOf,
  Rematch,
} from './generated/operations.ts';
import { type Line, refusalOf, send } from './http.ts';
import { type Records, randomText } from './storage.ts';
import { untilDone } from './unkeyed.ts';

const lookup = (id: string, invite: string | undefined) => ({ id, ...(invite !== undefined && { invite }) });

function orNotFound<T>(found: T | null | undefined): T {
  if (found) return found;
  throw new AtollError('NOT_FOUND', 'There is no such match, or you may not see it.');
}

type Looking = Pick<Atoll, 'games' | 'match' | 'matches' | 'position'>;

export function openLooking({ query }: Caller): Looking {
  return {
    games: async () => (await query(Games, {})).games,
    match: async (id, { invite, signal } = {}) =>
      orNotFound((await query(MatchById, lookup(id, invite), { signal })).match),
    matches: async (filter = {}) => (await query(MatchList, filter)).matches,
    position: async (id, { invite, signal } = {}) =>
      orNotFound((await query(PositionOf, lookup(id, invite), { signal })).match),
  };
}

type Seating = Pick<Atoll, 'createMatch' | 'joinMatch' | 'leaveMatch' | 'addBot' | 'rematch'>;

export function openSeating(caller: Caller, records: Records, { match }: Looking): Seating {
  const { query, surely } = caller;
  /** Our entropy is stored before it is sent, so that it stays the same however often a seat is requested. */
  async function sitDown(id: string, invite: string | undefined, sit: (entropy: string) => Promise<Match>) {
    const record = records.agreed(id);
    let kept = await record.get();
    if (!kept) {
      const { mySeat } = await match(id, invite === undefined ? {} : { invite });
      // A player who is already seated has added entropy elsewhere, or none.
      kept = mySeat == null ? { entropy: randomText() } : {};
      await record.set(kept);
    }
    const found = await sit(kept.entropy ?? randomText());
    await record.set({ commitment: found.commitment, ...kept });
    return found;
  }

  async function newMatch(make: (entropy: string, idempotencyKey: string) => Promise<Match>): Promise<Match> {
    const entropy = randomText();
    const made = await make(entropy, randomText());
    const record = records.agreed(made.id);
    // A rematch that was requested before is the same one.
    if (!(await record.get())) await record.set({ commitment: made.commitment, entropy });
    return made;
  }

  return {
    createMatch: (input) =>
      newMatch(async (entropy, idempotencyKey) => {
        return (await surely(CreateMatch, { input: { ...input, entropy, idempotencyKey } })).createMatch;
      }),
    joinMatch: (matchId, options = {}) =>
      sitDown(matchId, options.invite, async (entropy) => {
        return (await surely(JoinMatch, { matchId, entropy, ...options })).joinMatch;
      }),
    leaveMatch: (matchId) =>
      untilDone(
        caller,
        async () => (await query(LeaveMatch, { matchId })).leaveMatch,
        async () => {
          const now = await match(matchId);
          return now.mySeat == null ? now : undefined;
        },
      ),
    addBot: async (matchId, level = 'EASY') =>
      (await surely(AddBot, { matchId, level, idempotencyKey: randomText() })).addBot,
    rematch: (matchId) =>
      newMatch(async (entropy, idempotencyKey) => {
        return (await surely(Rematch, { matchId, entropy, idempotencyKey })).rematch;
      }),
  };
}

type Proving = Pick<Atoll, 'agreed' | 'export' | 'prove'>;

/** Exports come by REST, where they may have any length. */
export function openProving({ persist }: Caller, line: Line, records: Records): Proving {
  const document: Atoll['export'] = (id, { invite, signal } = {}) => {
    const query = invite === undefined ? '' : `?invite=${encodeURIComponent(invite)}`;
    return persist(async () => {
      const path = `/v1/matches/${encodeURIComponent(id)}/export${query}`;
      const response = await send(line, path, { accept: 'application/json', signal });
      if (!response.ok) throw await refusalOf(response);
      return response.json().catch(() => Promise.reject(new AtollError('OFFLINE', 'The answer was cut off.')));
    }, signal);
  };
  const agreed: Atoll['agreed'] = (id) => records.agreed(id).get();
  return {
    agreed,
    export: document,
    prove: async (id, verify, options) => verify(await document(id, options), (await agreed(id)) ?? {}),
  };
}
