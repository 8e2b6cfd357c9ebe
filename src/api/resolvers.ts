/** GraphQL's face of the services: arguments in, presented data out, nothing decided here. */
import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';
import { AtollError } from '../errors.ts';
import type { Registry } from '../games/registry.ts';
import type { Resolvers } from '../generated/graphql.ts';
import type { Caller } from '../matches/commands.ts';
import { numbered, playersOf } from '../matches/document.ts';
import type { Match, Receipt, Summary } from '../matches/match.ts';
import type { Matches } from '../matches/service.ts';
import type { Turn } from '../matches/streams.ts';
import type { Notices } from '../notices/service.ts';
import type { Player, Players, Viewer } from '../players/service.ts';
import type { Context } from './context.ts';
import type { RateLimits } from './identity.ts';
import * as present from './present.ts';
import { noticeResolvers } from './resolvers-notices.ts';

export interface Services {
  registry: Registry;
  matches: Matches;
  players: Players;
  notices: Notices;
  limits: RateLimits;
}

const callerOf = ({ viewer }: Context): Caller => viewer ?? null;

/** Commands are for players. */
export function playerOf({ viewer }: { viewer: Viewer | undefined }): Viewer {
  if (viewer) return viewer;
  throw new AtollError(
    'UNAUTHENTICATED',
    'This needs a token: register first, then send Authorization: Bearer <token>',
  );
}

const isWhole = (match: Summary | Match): match is Match => 'events' in match;

/** Null instead of an error for what does not exist or may not be seen, as a GraphQL query by id has it. */
async function orNull<T>(found: Promise<T> | (() => T)): Promise<T | null> {
  try {
    return await (typeof found === 'function' ? found() : found);
  } catch (error) {
    if (error instanceof AtollError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}

export function resolversOf({ registry, matches, players, notices, limits }: Services): Resolvers {
  const { Query, Mutation, Webhook } = noticeResolvers(notices);
  /** Lists hold summaries: the log is read only for the fields that need it. */
  const whole = (match: Summary, context: Context): Match | Promise<Match> =>
    isWhole(match) ? match : matches.see(callerOf(context), match.id, match.invite);

  return {
    JSON: json,
    DateTime: dateTime,

    Query: {
      ...Query,
      me: (_root, _args, { viewer }) => viewer ?? null,
      games: () => [...registry.games],
      game: (_root, { id }) => orNull(() => registry.game(id)),
      match: (_root, { id, invite }, context) => orNull(matches.see(callerOf(context), id, invite)),
      async matches(_root, args, context) {
        const { matches: found, more } = await matches.list(callerOf(context), args);
        const edges = found.map((node) => ({ cursor: node.id, node }));
        return { edges, pageInfo: { hasNextPage: more, endCursor: edges.at(-1)?.cursor ?? null } };
      },
    },

    Mutation: {
      ...Mutation,
      register(_root, { name }, { request }) {
        limits.registration(request);
        return players.register(name);
      },
      createToken: (_root, { name }, context) => players.createToken(playerOf(context), name),
      revokeToken: (_root, { id }, context) => players.revokeToken(playerOf(context), id),
      deletePlayer: (_root, _args, context) => players.remove(playerOf(context)),
      createMatch: (_root, { input }, context) => matches.create(playerOf(context), input),
      joinMatch: (_root, { matchId, ...input }, context) => matches.join(playerOf(context), matchId, input),
      leaveMatch: (_root, { matchId }, context) => matches.leave(playerOf(context), matchId),
      async submitAction(_root, { input }, context) {
        return present.receipt(await matches.submit(playerOf(context), input), callerOf(context));
      },
      async undo(_root, { matchId, expectedVersion }, context) {
        return present.receipt(await matches.undo(playerOf(context), matchId, expectedVersion), callerOf(context));
      },
      addBot: (_root, { matchId, level }, context) => matches.addBot(playerOf(context), matchId, level ?? 'EASY'),
      cancelMatch: (_root, { matchId }, context) => matches.cancel(playerOf(context), matchId),
      rematch: (_root, { matchId }, context) => matches.rematch(playerOf(context), matchId),
      async setOrder(_root, { matchId, order }, context) {
        return present.receipt(await matches.order(playerOf(context), matchId, order), callerOf(context));
      },
      async resign(_root, { matchId }, context) {
        return present.receipt(await matches.resign(playerOf(context), matchId), callerOf(context));
      },
      forkMatch: (_root, { matchId, at, invite }, context) => matches.fork(playerOf(context), matchId, at, invite),
      importMatch: (_root, { document }, context) => matches.import(playerOf(context), document),
    },

    Subscription: {
      matchEvents: {
        subscribe: (_root, { matchId, after, invite }, context) =>
          matches.events(callerOf(context), matchId, after ?? 0, invite),
        resolve: ({ event, match }: Receipt, _args: unknown, context: Context) =>
          present.seenEvent(match, event, callerOf(context)),
      },
      turns: {
        subscribe: (_root, _args, context) => matches.turns(playerOf(context)),
        resolve: (turn: Turn) => turn,
      },
    },

    Game: {
      minSeats: ({ seats }) => seats.min,
      maxSeats: ({ seats }) => seats.max,
      optionsSchema: ({ schema }) => schema.options,
      actionSchema: ({ schema }) => schema.action,
      viewSchema: ({ schema }) => schema.view,
      ordersSchema: ({ orders }) => orders?.schema ?? null,
    },

    Match: {
      game: ({ game, rules }) => registry.game(game, rules),
      async seats(match, _args, context) {
        return present.seats(await whole(match, context));
      },
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
        return present.exported(full, callerOf(context), await namesOf(players, full, names ?? false));
      },
      origin: ({ origin }) => origin && { matchId: origin.match, at: origin.at, seat: origin.seat },
      commitment: present.commitmentOf,
      seed: present.seed,
      async view(match, args, context) {
        return present.view(await whole(match, context), callerOf(context), args);
      },
      async board(match, args, context) {
        return present.board(await whole(match, context), callerOf(context), args);
      },
      async legalActions(match, _args, context) {
        return present.legalActions(await whole(match, context), callerOf(context));
      },
      async events(match, { after, first }, context) {
        return present.history(await whole(match, context), callerOf(context), after ?? 0, first ?? undefined);
      },
    },

    MatchEvent: { acting: ({ acting }) => [...acting], undone: present.isUndone },

    Webhook,

    Player: {
      tokens: (player, _args, { viewer }) => (viewer?.id === player.id ? players.tokens(player) : []),
    },
  };
}

/** The names that an export shows: the players' own, or numbers in their place. */
export async function namesOf(players: Players, match: Match, own: boolean): Promise<string[]> {
  const ids = playersOf(match);
  if (!own) return numbered(ids);
  return (await players.byIds(ids)).map((player, i) => player?.name ?? `Player ${i + 1}`);
}

/** Fetched for all seats of an answer at once. */
export function loadersOf({ players }: Services) {
  return {
    Seat: {
      async player(queries: { obj: present.PresentSeat }[]): Promise<(Player | null)[]> {
        const ids = queries.map(({ obj }) => obj.playerId ?? '');
        const found = await players.byIds(ids.filter((id) => id !== ''));
        const byId = new Map(found.map((player) => [player?.id, player]));
        return ids.map((id) => byId.get(id) ?? null);
      },
    },
  };
}

function literal(node: ValueNode, variables: Record<string, unknown> | null | undefined): unknown {
  switch (node.kind) {
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, literal(value, variables)]));
    case Kind.LIST:
      return node.values.map((value) => literal(value, variables));
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.NULL:
      return null;
    case Kind.VARIABLE:
      return variables?.[node.name.value] ?? null;
    default:
      return node.value;
  }
}

const json = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value.',
  parseValue: (value) => value,
  parseLiteral: literal,
});

const dateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  description: 'An instant, as ISO 8601 text in UTC with milliseconds.',
  serialize: (value) => (value as Date).toISOString(),
  parseValue() {
    throw new GraphQLError('DateTime is never an input');
  },
});
