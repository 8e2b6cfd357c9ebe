/**
 * The GraphQL face of the services, with one file per noun. It converts arguments and presents data, but decides
 * nothing.
 */
import { errorCodes, refusals } from '../../../errors.ts';
import { schemasOf } from '../../../games/schemas.ts';
import type { Resolvers } from '../../../generated/graphql.ts';
import type { Services } from '../../../services.ts';
import { playerOf } from '../../http/callers/identity.ts';
import { addressKey } from '../../http/limits/admission.ts';
import { dateTime, json } from '../documents/scalars.ts';
import { accountResolvers } from './account.ts';
import type { Context } from './context.ts';
import { matchResolvers, seatLoader } from './matches.ts';
import { MAX_NODES, nodeOf } from './node.ts';
import { noticeResolvers } from './notices.ts';
import { orNull } from './or-null.ts';
import { onlineLoader, profileResolvers } from './profiles.ts';

export function resolversOf(services: Services): Resolvers {
  const [games, matches, players, profiles, accounts, notices] = [
    gameResolvers(services),
    matchResolvers(services),
    playerResolvers(services),
    profileResolvers(services),
    accountResolvers(services),
    noticeResolvers(services.notices),
  ];
  return {
    ...games,
    ...matches,
    ...players,
    ...notices,
    Player: { ...players.Player, ...profiles.Player },
    JSON: json,
    DateTime: dateTime,
    Query: {
      ...nodeQueries(services),
      ...games.Query,
      ...matches.Query,
      ...players.Query,
      ...profiles.Query,
      ...accounts.Query,
      ...notices.Query,
    },
    Mutation: {
      ...matches.Mutation,
      ...players.Mutation,
      ...profiles.Mutation,
      ...accounts.Mutation,
      ...notices.Mutation,
    },
  };
}

const nodeQueries = (services: Services) =>
  ({
    errorCodes: () => errorCodes,
    node: (_root, { id }, context) => nodeOf(services, id, context),
    nodes: (_root, { ids }, context) => {
      if (ids.length > MAX_NODES) throw refusals.tooManyNodes(MAX_NODES);
      return Promise.all(ids.map((id) => nodeOf(services, id, context)));
    },
  }) satisfies Partial<Resolvers['Query']>;

const gameResolvers = ({ registry }: Services) =>
  ({
    Query: {
      games: () => [...registry.games],
      game: (_root, { id }) => orNull(() => registry.game(id)),
    },
    Game: {
      minSeats: ({ seats }) => seats.min,
      maxSeats: ({ seats }) => seats.max,
      minutes: ({ minutes }) => minutes ?? null,
      optionsSchema: ({ schema }, _args, context) => counted(schema.options, context),
      actionSchema: ({ schema }, _args, context) => counted(schema.action, context),
      viewSchema: ({ schema }, _args, context) => counted(schema.view, context),
      ordersSchema: ({ orders }) => orders?.schema ?? null,
      effectSchema: ({ schema }) => schema.effect ?? null,
      rulesVersions: ({ id }) => registry.versions.filter((game) => game.id === id).map(({ rules }) => rules),
      schemas: async ({ id, rules }, args, context) => {
        const game = await orNull(() => registry.game(id, args.rules ?? rules));
        return game && counted(schemasOf(game), context);
      },
    },
  }) satisfies Pick<Resolvers, 'Game'> & { Query: Partial<Resolvers['Query']> };

const lengths = new WeakMap<object, number>();

/** Counts the length of a schema, because an operation may ask for many. */
function counted<T extends object>(schema: T, { work }: Context): T {
  const length = lengths.get(schema) ?? JSON.stringify(schema).length;
  lengths.set(schema, length);
  work.answer(length);
  return schema;
}

const playerResolvers = ({ players, profiles, apps, tickets, limits, quotas }: Services) =>
  ({
    Query: { me: (_root, _args, { viewer }) => viewer ?? null },
    Mutation: {
      async register(_root, { name, idempotencyKey }, { request }) {
        limits.registration(request);
        await quotas.registering(addressKey(request.ip));
        return players.register(name, idempotencyKey);
      },
      createToken: (_root, { idempotencyKey, ...wish }, context) =>
        players.createToken(playerOf(context), wish, idempotencyKey),
      createTicket: (_root, use, context) => tickets.create(playerOf(context), use),
      revokeToken: (_root, { id }, context) => players.revokeToken(playerOf(context), id),
      revokeApp: (_root, { id }, context) => apps.revoke(playerOf(context), id),
      deletePlayer(_root, { confirm }, context) {
        const player = playerOf(context);
        if (confirm != null) profiles.confirm(player, confirm);
        return players.remove(player);
      },
    },
    Player: {
      tokens: (player, _args, { viewer }) => (viewer?.id === player.id ? players.tokens(player) : []),
      apps: (player, _args, { viewer }) => (viewer?.id === player.id ? apps.list(player) : []),
    },
  }) satisfies {
    Player: Partial<Resolvers['Player']>;
    Query: Partial<Resolvers['Query']>;
    Mutation: Partial<Resolvers['Mutation']>;
  };

/** Fetches related objects for all objects of an answer at once. */
export const loadersOf = (services: Services) => ({
  Seat: { player: seatLoader(services.players), online: onlineLoader(services) },
});
