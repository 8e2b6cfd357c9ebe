/** The schemas of webhooks and mail in the REST face. */
import { Type } from 'typebox';
import { closed, Id, Instant, nullable, PageInfo, page } from './shared.ts';

const Format = Type.Enum(['STANDARD', 'DISCORD', 'SLACK', 'WEB_PUSH']);
const Events = Type.Array(Type.Enum(['TURN_GAINED', 'TURN_REMINDER', 'MATCH_STARTED', 'MATCH_FINISHED']), {
  maxItems: 10,
});

export const Webhook = Type.Object(
  {
    id: Id,
    url: Type.String(),
    format: Format,
    events: Events,
    matchId: nullable(Id, 'The match it is for; null for all matches of its owner.'),
    enabled: Type.Boolean(),
    disabledReason: nullable(Type.String()),
    createdAt: Instant,
  },
  { $id: 'Webhook', description: 'Where a player wants to be notified.' },
);
export const WebhookSecret = Type.Object(
  {
    webhook: Type.Ref('Webhook'),
    secret: Type.String({ description: 'Shown only once, in the form that the Standard Webhooks libraries take.' }),
  },
  { $id: 'WebhookSecret' },
);
export const Delivery = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Also the header webhook-id.' }),
    type: Type.Enum(['TURN_GAINED', 'TURN_REMINDER', 'MATCH_STARTED', 'MATCH_FINISHED', 'PING']),
    matchId: nullable(Id),
    version: nullable(Type.Integer()),
    playerId: Id,
    seat: nullable(Type.Integer()),
    status: Type.Enum(['PENDING', 'SENDING', 'DELIVERED', 'FAILED', 'DROPPED']),
    attempts: Type.Integer(),
    responseCode: nullable(Type.Integer(), 'The status that answered the last attempt; null if there was no answer.'),
    lastError: nullable(Type.String()),
    createdAt: Instant,
    attemptedAt: nullable(Instant),
    nextAttemptAt: nullable(Instant),
  },
  { $id: 'Delivery', description: 'One notice on its way to one webhook.' },
);
export const DeliveryPage = Type.Object(
  {
    deliveries: Type.Array(Type.Ref('Delivery')),
    pageInfo: PageInfo,
  },
  { $id: 'DeliveryPage' },
);
export const EmailAddress = Type.Object(
  { address: Type.String(), confirmedAt: nullable(Instant, 'Null until the address is confirmed by its code.') },
  { $id: 'EmailAddress' },
);

export const components = [Webhook, WebhookSecret, Delivery, DeliveryPage, EmailAddress];

const Url = Type.String({ maxLength: 10_000, description: 'http or https.' });

const PushKeys = Type.Object(
  { p256dh: Type.String({ maxLength: 200 }), auth: Type.String({ maxLength: 100 }) },
  {
    ...closed,
    description: "The keys of a browser's push subscription, whose endpoint is the url. For WEB_PUSH only.",
  },
);

export const CreateWebhookBody = Type.Object(
  {
    url: Url,
    format: Type.Optional(Format),
    keys: Type.Optional(PushKeys),
    events: Type.Optional(Events),
    matchId: Type.Optional(
      nullable(
        Type.String({ maxLength: 100 }),
        "Reports the turns of every seat in this match; if left out, the caller's turns in all their matches.",
      ),
    ),
  },
  closed,
);
export const UpdateWebhookBody = Type.Object(
  {
    url: Type.Optional(Url),
    format: Type.Optional(Format),
    events: Type.Optional(Events),
    enabled: Type.Optional(Type.Boolean()),
  },
  closed,
);
export const EmailBody = Type.Object({ address: Type.String({ maxLength: 1000 }) }, closed);
export const CodeBody = Type.Object({ code: Type.String({ maxLength: 100 }) }, closed);
export const TokenQuery = Type.Object({ token: Type.String({ maxLength: 100 }) }, closed);
export const DeliveriesQuery = Type.Object(page, closed);
export const WebhookParams = Type.Object({ id: Type.String({ description: 'The id of the webhook.' }) });
export const DeliveryParams = Type.Object({ id: Type.String({ description: 'The id of the delivery.' }) });
