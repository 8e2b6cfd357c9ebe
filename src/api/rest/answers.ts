import type { Caller } from '../../matches/commands/access.ts';
import type { Match, Receipt, Summary } from '../../matches/log/records.ts';
import type { Players } from '../../players/service.ts';
import * as present from '../present.ts';

export function eventJson(event: present.SeenEvent) {
  const { match: _match, ...rest } = event;
  return { ...rest, effects: present.effects(event), undone: present.isUndone(event) };
}

/** Names of players are looked up once for all matches of an answer. */
export function answersOf(players: Players) {
  async function matchesJson(found: readonly Summary[], caller: Caller) {
    const ids = [...new Set(found.flatMap(({ seats }) => seats.filter((id) => id !== null)))];
    const byId = new Map((await players.byIds(ids)).map((player) => [player?.id, player]));
    return found.map((match) => present.matchJson(match, caller, (id) => byId.get(id) ?? null));
  }
  const matchJson = async (match: Match, caller: Caller) => (await matchesJson([match], caller))[0];

  async function receiptJson(receipt: Receipt, caller: Caller) {
    const { version, event, match } = present.receipt(receipt, caller);
    return { version, event: eventJson(event), match: await matchJson(match, caller) };
  }

  return { matchesJson, matchJson, receiptJson };
}
