/** A match in words: what a language model needs in order to play. */
import { seatOf } from '../../matches/commands/access.ts';
import type { Match } from '../../matches/log/records.ts';
import * as present from '../present.ts';
import * as states from '../states.ts';
import type { Call, Told } from './tool.ts';

/** The approximate cost of a description and a list of legal actions. */
const LOOK_COST = 100;
const REPLAY_COST = 100;

/** Numbered from 1, as people count. */
const numbered = (lines: readonly string[]): string => lines.map((line, i) => `${i + 1}. ${line}`).join('\n');

export const isMyTurn = (match: Match, { player }: Pick<Call, 'player'>): boolean =>
  match.acting.some((seat) => match.seats[seat] === player.id);

function standing(match: Match, call: Call, who: readonly string[]): string {
  if (match.result) {
    const ranks = match.result.ranks.map(
      (rank, seat) => `${who[seat]}: rank ${rank}, ${match.result?.scores[seat]} points`,
    );
    return `The match is over. ${ranks.join('; ')}.`;
  }
  if (match.status === 'OPEN') return 'The match starts by itself when every seat is taken.';
  if (match.status === 'CANCELLED') return 'The match was cancelled before its start.';
  if (isMyTurn(match, call)) return 'It is your turn.';
  return `It is not your turn: ${match.acting.map((seat) => who[seat]).join(' and ')} must act. Use wait_for_turn.`;
}

/** The table as it is now, or as it was at an earlier version. */
export async function tableOf(match: Match, call: Call, at?: number): Promise<Told> {
  const { services, player, work } = call;
  const version = at ?? match.version;
  work.pay(LOOK_COST + (version === match.version ? 0 : REPLAY_COST));
  const drawing = { namesOf: services.players.namesOf, work };
  const mySeat = seatOf(match, player);
  const names = await services.players.namesOf(match.seats);
  const who = names.map((name, seat) => `seat ${seat} (${seat === mySeat ? 'you' : (name ?? 'free')})`);
  const description = (await present.description(match, player, { at: version }, drawing)) ?? [];
  const legal = (await states.legalActions(states.stateAt(match, version), player, work)).map(({ label }) => label);
  const isNow = version === match.version;
  const head = [
    `Match ${match.id}: ${match.engine.name}, rules ${match.rules}, ${match.status}, version ${version}${isNow ? '' : ` of ${match.version}`}.`,
    `Seats: ${who.join(', ')}.`,
    ...(isNow ? [standing(match, call, who)] : []),
  ];
  const actions = legal.length > 0 ? `\nLegal actions at version ${version}:\n${numbered(legal)}` : '';
  return {
    text: `${[...head, '', ...description].join('\n')}\n${actions}`.trimEnd(),
    data: {
      match: match.id,
      game: match.game,
      status: match.status,
      version,
      mySeat,
      myTurn: isNow && isMyTurn(match, call),
      acting: [...match.acting],
      result: match.result,
      legalActions: legal.map((label, i) => ({ number: i + 1, label })),
    },
  };
}

/** The history from one version to another, a line for each event. */
export async function replayOf(match: Match, call: Call, from: number, to: number): Promise<Told> {
  const { services, player, work } = call;
  work.pay(to - from + 1);
  const names = await services.players.namesOf(match.seats);
  const events = present.history(match, player, work, from - 1, to - from + 1);
  const lines = events.map((event) => {
    const { version, type, seat, label } = event;
    const by = seat === null ? '' : ` seat ${seat} (${names[seat] ?? 'nobody now'})`;
    const effects = present.effects(event)?.map(({ text }) => text) ?? [];
    const undone = present.isUndone(event) ? ', taken back later' : '';
    return `${version}. ${type}${by}${label ? `: ${label}` : ''}${undone}${effects.length > 0 ? ` [${effects.join(' ')}]` : ''}`;
  });
  const { id, version } = match;
  return {
    text: [`Match ${id}: versions ${from} to ${to} of ${version}.`, ...lines].join('\n'),
    data: {
      match: id,
      version,
      from,
      to,
      events: events.map(({ version, type, seat, label }) => ({ version, type, seat, label })),
    },
  };
}
