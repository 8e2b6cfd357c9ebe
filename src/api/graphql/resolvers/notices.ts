/** The GraphQL face of webhooks and mail. */
import type { Resolvers } from '../../../generated/graphql.ts';
import type { Notices } from '../../../notices/service.ts';
import { playerOf } from '../../http/callers/identity.ts';
import { connectionOf } from './connection.ts';

export function noticeResolvers({ webhooks, emails, pushKey }: Notices) {
  return {
    Query: {
      webhooks: (_root, _args, context) => webhooks.list(playerOf(context)),
      pushKey: () => pushKey,
      email: (_root, _args, context) => emails.get(playerOf(context)),
    },

    Mutation: {
      createWebhook: (_root, { input: { idempotencyKey, ...input } }, context) =>
        webhooks.create(playerOf(context), input, idempotencyKey),
      updateWebhook: (_root, { id, input }, context) => webhooks.update(playerOf(context), id, input),
      deleteWebhook: (_root, { id }, context) => webhooks.remove(playerOf(context), id),
      rotateWebhookSecret: (_root, { id, idempotencyKey }, context) =>
        webhooks.rotate(playerOf(context), id, idempotencyKey),
      testWebhook: (_root, { id }, context) => webhooks.test(playerOf(context), id),
      redeliver: (_root, { deliveryId }, context) => webhooks.redeliver(playerOf(context), deliveryId),
      setEmail: (_root, { address }, context) => emails.set(playerOf(context), address),
      confirmEmail: (_root, { code }, context) => emails.confirm(playerOf(context), code),
      removeEmail: (_root, _args, context) => emails.remove(playerOf(context)),
    },

    // A webhook is shown only to its owner, so its fields need no further check.
    Webhook: {
      events: ({ events }) => events.filter((type) => type !== 'PING'),
      enabled: ({ disabledAt }) => disabledAt === null,
      deliveries: (webhook, page) =>
        connectionOf(
          page,
          ({ id }) => id,
          async (wanted) => {
            const { deliveries, more } = await webhooks.deliveries(webhook, wanted);
            return { items: deliveries, more };
          },
        ),
    },
  } satisfies Pick<Resolvers, 'Query' | 'Mutation' | 'Webhook'>;
}
