/** Profiles in GraphQL: other players, what they show, and reports to the operator. */
import type { Resolvers } from '../../../generated/graphql.ts';
import type { Services } from '../../../services.ts';
import { oneAtATime } from '../../../turns.ts';
import { callerOf, playerOf } from '../../http/callers/identity.ts';
import * as present from '../../present.ts';
import { unusedBy } from '../documents/cost.ts';
import { connectionOf } from './connection.ts';

const idOf = ({ id }: { id: string }): string => id;

export const profileResolvers = ({ profiles, matches, reports, exportAccount }: Services) =>
  ({
    Query: {
      player: (_root, args, context) => profiles.find(callerOf(context), args),
      async players(_root, { search, ...page }, context, info) {
        const found = await connectionOf(page, idOf, async (wanted) => {
          const { players: items, more } = await profiles.search({ search, ...wanted });
          return { items, more };
        });
        context.work.giveBack(unusedBy(info.fieldNodes, found.edges.length));
        return found;
      },
      privacy: (_root, _args, context) => profiles.privacy(playerOf(context).id),
      async exportAccount(_root, _args, context) {
        const document = await exportAccount(playerOf(context));
        for (const row of Object.values(document.data).flat()) {
          context.work.answer(JSON.stringify(row).length);
          await context.work.turn();
        }
        return document;
      },
    },
    Mutation: {
      setPrivacy: (_root, { input }, context) => profiles.setPrivacy(playerOf(context), input),
      report: (_root, { input: { idempotencyKey, ...input } }, context) =>
        reports.create(playerOf(context), input, idempotencyKey),
    },
    Player: {
      // A page of players, each with their matches, would put hundreds of queries ahead of everybody else's.
      matches: ({ id }, page, context) =>
        oneAtATime(`matches of players ${context.work.who}`, async () => {
          const caller = callerOf(context);
          const hidden = !(await profiles.showsMatches(id, caller));
          return connectionOf(page, idOf, async (wanted) => {
            const { matches: items, more } = await matches.list(caller, { ...wanted, player: id, hidden });
            return { items, more };
          });
        }),
    },
  }) satisfies Partial<Resolvers> & {
    Query: Partial<Resolvers['Query']>;
    Mutation: Partial<Resolvers['Mutation']>;
    Player: Partial<Resolvers['Player']>;
  };

/** Who is online, for all seats of an answer at once. Bots always are. */
export const onlineLoader =
  ({ presence }: Pick<Services, 'presence'>) =>
  async (queries: { obj: present.PresentSeat }[]): Promise<boolean[]> =>
    present.whoIsHere(
      queries.map(({ obj }) => obj.playerId),
      presence,
    );
