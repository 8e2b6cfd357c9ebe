/** Matches in GraphQL: converts arguments and presents data, but decides nothing. */
import type { Resolvers } from '../../../generated/graphql.ts';
import type { LobbyChange } from '../../../matches/live/lobby.ts';
import type { Turn } from '../../../matches/live/streams.ts';
import type { Match, Receipt, Summary } from '../../../matches/log/records.ts';
import type { Matches } from '../../../matches/matches.ts';
import type { Player } from '../../../players/player.ts';
import type { Players } from '../../../players/service.ts';
import type { Services } from '../../../services.ts';
import { callerOf, playerOf } from '../../http/callers/identity.ts';
import { namesOf } from '../../names.ts';
import * as present from '../../present.ts';
import * as states from '../../states.ts';
import { stateAt, statesOf } from '../../states.ts';
import { unusedBy } from '../documents/cost.ts';
import { connectionOf } from './connection.ts';
import type { Context } from './context.ts';
import { type FromLog, type SeatOfMatch, seatsOf } from './node.ts';
import { orNull } from './or-null.ts';

const idOf = ({ id }: { id: string }): string => id;

const isWhole = (match: Summary | Match): match is Match => 'events' in match;

export const matchResolvers = (services: Services) =>
  ({
    Query: queries(services),
    Mutation: mutations(services),
    Subscription: subscriptions(services),
    Match: matchFields(services),
    MatchState: stateFields(services),
    Seat: seatFields(services),
    MatchEvent: {
      id: ({ match, version }) => `${match.id}:${version}`,
      matchThen: ({ match, version }) => stateAt(match, version),
      acting: ({ acting }) => [...acting],
      targets: ({ targets }) => targets && [...targets],
      effects: present.effects,
      undone: present.isUndone,
    },
  }) satisfies Partial<Resolvers>;

const queries = ({ matches }: Services) =>
  ({
    match: (_root, { id, invite }, context) => orNull(matches.see(callerOf(context), id, invite)),
    async matches(_root, { game, status, mine, myTurn, ...page }, context, info) {
      const found = await connectionOf(page, idOf, async (wanted) => {
        const { matches: items, more } = await matches.list(callerOf(context), {
          game,
          status,
          mine,
          myTurn,
          ...wanted,
        });
        return { items, more };
      });
      context.work.giveBack(unusedBy(info.fieldNodes, found.edges.length));
      return found;
    },
  }) satisfies Partial<Resolvers['Query']>;

const mutations = ({ matches }: Services) =>
  ({
    createMatch: (_root, { input: { idempotencyKey, ...input } }, context) =>
      matches.create(playerOf(context), input, idempotencyKey),
    joinMatch: (_root, { matchId, ...input }, context) => matches.join(playerOf(context), matchId, input),
    leaveMatch: (_root, { matchId }, context) => matches.leave(playerOf(context), matchId),
    async submitAction(_root, { input }, context) {
      const receipt = await matches.submit(playerOf(context), input);
      context.request.movedOn = input.matchId;
      return present.receipt(receipt, callerOf(context));
    },
    async undo(_root, { matchId, expectedVersion }, context) {
      return present.receipt(await matches.undo(playerOf(context), matchId, expectedVersion), callerOf(context));
    },
    addBot: (_root, { matchId, level, idempotencyKey }, context) =>
      matches.addBot(playerOf(context), matchId, level ?? 'EASY', idempotencyKey),
    cancelMatch: (_root, { matchId }, context) => matches.cancel(playerOf(context), matchId),
    rematch: (_root, { matchId, entropy, idempotencyKey: key }, context) =>
      matches.rematch(playerOf(context), matchId, { entropy, key }),
    async setOrder(_root, { matchId, order }, context) {
      return present.receipt(await matches.order(playerOf(context), matchId, order), callerOf(context));
    },
    async resign(_root, { matchId }, context) {
      return present.receipt(await matches.resign(playerOf(context), matchId), callerOf(context));
    },
    forkMatch: (_root, { matchId, at, invite, idempotencyKey }, context) =>
      matches.fork(playerOf(context), matchId, at, invite, idempotencyKey),
    importMatch: (_root, { document, idempotencyKey }, context) =>
      matches.import(playerOf(context), document, idempotencyKey),
  }) satisfies Partial<Resolvers['Mutation']>;

const subscriptions = ({ matches }: Services) =>
  ({
    matchEvents: {
      async subscribe(_root, { matchId, after, invite }, context) {
        const events = await matches.events(callerOf(context), matchId, after ?? 0, invite);
        if (events.isPlayed) context.playedMatch = matchId;
        return events;
      },
      resolve: ({ event, match }: Receipt, _args: unknown, context: Context) =>
        present.seenEvent(match, event, callerOf(context)),
    },
    turns: {
      subscribe: (_root, _args, context) => matches.turns(playerOf(context)),
      resolve: (turn: Turn) => turn,
    },
    lobby: {
      subscribe: (_root, { game }) => matches.lobby(game),
      resolve: (change: LobbyChange) =>
        'gone' in change
          ? { type: 'GONE' as const, matchId: change.gone, match: null }
          : { type: 'OPEN' as const, matchId: change.match.id, match: change.match },
    },
  }) satisfies Resolvers['Subscription'];

/** Lists hold summaries. The log is read only for fields that need it. */
const wholeOf =
  (matches: Matches) =>
  (match: Summary, context: Context): Match | Promise<Match> =>
    isWhole(match) ? match : matches.see(callerOf(context), match.id, match.invite);

/** About how many characters one event takes in an export. */
const EXPORTED_LENGTH = 350;

/** A list of ended matches shows who sat where without reading their logs, which may be in cold storage. */
function seatFields({ matches }: Services): Resolvers['Seat'] {
  const whole = wholeOf(matches);
  const fromLog = async ({ match, index }: SeatOfMatch, context: Context): Promise<FromLog> =>
    present.seats(await whole(match(), context))[index] as FromLog;
  return {
    id: ({ matchId, index }) => `${matchId}:seat:${index}`,
    async deadline(seat, _args, context) {
      if (seat.deadline !== undefined) return seat.deadline;
      const { clock, endedAt } = seat.match();
      return clock && !endedAt ? (await fromLog(seat, context)).deadline : null;
    },
    async bankSeconds(seat, _args, context) {
      if (seat.bankSeconds !== undefined) return seat.bankSeconds;
      return seat.match().clock ? (await fromLog(seat, context)).bankSeconds : null;
    },
    vacant: async (seat, _args, context) => seat.vacant ?? (await fromLog(seat, context)).vacant,
  };
}

function matchFields({ registry, matches, players }: Services): Resolvers['Match'] {
  const whole = wholeOf(matches);
  const drawing = ({ work }: Context): present.Drawing => ({ namesOf: players.namesOf, work });
  return {
    game: ({ game, rules }) => registry.game(game, rules),
    seats: (match) => seatsOf(match),
    acting: ({ acting }) => [...acting],
    mySeat: (match, _args, context) => present.mySeat(match, callerOf(context)),
    invite: (match, _args, context) => present.invite(match, callerOf(context)),
    async myOrder(match, _args, context) {
      return present.myOrder(await whole(match, context), callerOf(context));
    },
    async canUndo(match, _args, context) {
      return present.canUndo(await whole(match, context), callerOf(context));
    },
    async export(match, { names }, context) {
      const full = await whole(match, context);
      context.work.answer(full.version * EXPORTED_LENGTH);
      return present.exported(full, callerOf(context), await namesOf(players, full, names ?? false), context.work);
    },
    origin: ({ origin }) => origin && { matchId: origin.match, at: origin.at, seat: origin.seat },
    commitment: present.commitmentOf,
    seed: present.seed,
    async view(match, args, context) {
      return present.view(await whole(match, context), callerOf(context), args, context.work);
    },
    async board(match, args, context) {
      return present.board(await whole(match, context), callerOf(context), args, drawing(context));
    },
    async description(match, args, context) {
      return present.description(await whole(match, context), callerOf(context), args, drawing(context));
    },
    async legalActions(match, _args, context) {
      return present.legalActions(await whole(match, context), callerOf(context), context.work);
    },
    async events(match, { after, first }, context, info) {
      const full = await whole(match, context);
      const events = present.history(full, callerOf(context), context.work, after ?? 0, first ?? undefined);
      context.work.giveBack(unusedBy(info.fieldNodes, events.length));
      return events;
    },
    async eventConnection(match, page, context, info) {
      const full = await whole(match, context);
      const found = await connectionOf(
        page,
        ({ version }: present.SeenEvent) => String(version),
        async (wanted) => present.page(full, callerOf(context), context.work, wanted),
      );
      context.work.giveBack(unusedBy(info.fieldNodes, found.edges.length));
      return found;
    },
    async states(match, { from, to }, context, info) {
      const found = statesOf(await whole(match, context), from, to);
      context.work.giveBack(unusedBy(info.fieldNodes, found.length));
      return found;
    },
  };
}

const stateFields = ({ players }: Services): Resolvers['MatchState'] => ({
  id: ({ match, version }) => `${match.id}@${version}`,
  event: (state, _args, context) => states.eventOf(state, callerOf(context)),
  acting: (state, _args, { work }) => states.acting(state, work),
  view: (state, { seat }, context) => states.view(state, callerOf(context), seat, context.work),
  board: (state, args, context) =>
    states.board(state, callerOf(context), args, { namesOf: players.namesOf, work: context.work }),
  description: (state, { seat }, context) =>
    states.description(state, callerOf(context), seat, { namesOf: players.namesOf, work: context.work }),
  legalActions: (state, _args, context) => states.legalActions(state, callerOf(context), context.work),
});

/** Fetches the players of all seats of an answer at once. */
export const seatLoader =
  (players: Players) =>
  async (queries: { obj: present.PresentSeat }[]): Promise<(Player | null)[]> => {
    const ids = queries.map(({ obj }) => obj.playerId ?? '');
    const found = await players.byIds(ids.filter((id) => id !== ''));
    const byId = new Map(found.map((player) => [player?.id, player]));
    return ids.map((id) => byId.get(id) ?? null);
  };
