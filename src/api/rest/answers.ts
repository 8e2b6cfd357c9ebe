/** The answers that many routes give: matches, and receipts of what was done to them. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../matches/commands/access.ts';
import type { Match, Receipt, Summary } from '../../matches/log/records.ts';
import type { Players } from '../../players/service.ts';
import { callerOf } from '../http/callers/identity.ts';
import * as present from '../present.ts';
import { created } from './route.ts';

export function eventJson(event: present.SeenEvent) {
  const { match: _match, ...rest } = event;
  return { ...rest, effects: present.effects(event), undone: present.isUndone(event) };
}

export type Answers = ReturnType<typeof answersOf>;

/** Each takes the result of a service and presents it to the caller. */
export function answersOf(players: Players) {
  /** The names of players are looked up once for all matches of an answer. */
  async function shown(found: readonly Summary[], caller: Caller) {
    const ids = [...new Set(found.flatMap(({ seats }) => seats.filter((id) => id !== null)))];
    const byId = new Map((await players.byIds(ids)).map((player) => [player?.id, player]));
    return found.map((match) => present.matchJson(match, caller, (id) => byId.get(id) ?? null));
  }
  const one = async (match: Match, caller: Caller) => (await shown([match], caller))[0];

  return {
    matches: (request: FastifyRequest, found: readonly Summary[]) => shown(found, callerOf(request)),

    match: async (request: FastifyRequest, match: Promise<Match>) => one(await match, callerOf(request)),

    /** Answers 201 with a new match and its location. */
    async newMatch(request: FastifyRequest, reply: FastifyReply, made: Promise<Match>) {
      const match = await made;
      return created(reply, `/v1/matches/${match.id}`, await one(match, callerOf(request)));
    },

    async receipt(request: FastifyRequest, done: Promise<Receipt>) {
      const caller = callerOf(request);
      const { version, event, match } = present.receipt(await done, caller);
      return { version, event: eventJson(event), match: await one(match, caller) };
    },
  };
}
