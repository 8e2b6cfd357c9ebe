/** AsyncAPI 3: what the server sends unprompted, on sockets, in streams and to webhooks. */
import { type TSchema, Type } from 'typebox';
import { WIRE } from '../../../notices/message.ts';
import { TICKET_PURPOSES } from '../../../players/tokens/tickets.ts';
import { STREAM_FORMS } from '../../http/answers/event-stream.ts';
import * as events from '../schemas/events.ts';
import * as matches from '../schemas/matches.ts';
import * as players from '../schemas/players.ts';
import { Id, Instant, nullable } from '../schemas/shared.ts';
import * as streams from '../schemas/streams.ts';

const Notice = Type.Object(
  {
    type: Type.Enum(Object.values(WIRE)),
    timestamp: Instant,
    data: Type.Object({
      playerId: Id,
      matchId: Type.Optional(nullable(Id)),
      game: Type.Optional(nullable(Type.String())),
      version: Type.Optional(nullable(Type.Integer())),
      seat: Type.Optional(nullable(Type.Integer())),
      deadline: Type.Optional(Instant),
      url: Type.Optional(Type.String({ description: 'The URL of the match in the API.' })),
      page: Type.Optional(Type.String({ description: 'The page on which people see the match.' })),
    }),
  },
  {
    $id: 'Notice',
    description: 'What a webhook of the format STANDARD receives, signed as Standard Webhooks specify.',
  },
);
const SocketMessage = Type.Object(
  {
    type: Type.Enum(['connection_init', 'connection_ack', 'ping', 'pong', 'subscribe', 'next', 'error', 'complete']),
    id: Type.Optional(Type.String({ description: 'Of the operation.' })),
    payload: Type.Optional(
      Type.Unknown({
        description:
          'connection_init: `{ "token": … }`; subscribe: a GraphQL request; next: its result; error: its errors.',
      }),
    ),
  },
  { $id: 'SocketMessage', description: 'A message of the protocol graphql-transport-ws.' },
);

const SHAPES: readonly TSchema[] = [
  players.Player,
  matches.Seat,
  matches.Result,
  matches.Match,
  events.Effect,
  events.MatchEvent,
  streams.MatchState,
  streams.Turn,
  streams.LobbyChange,
  Notice,
  SocketMessage,
];

/** Turns references by name into references within this document. */
function local(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(local);
  if (typeof value !== 'object' || value === null) return value;
  const { $id: _name, ...rest } = value as Record<string, unknown>;
  const inside = Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, local(inner)]));
  return typeof inside.$ref === 'string' ? { ...inside, $ref: `#/components/schemas/${inside.$ref}` } : inside;
}

interface Stream {
  address: string;
  title: string;
  description: string;
  message: string;
  /** Whether clients send it too. */
  both?: boolean;
  host: 'http' | 'socket' | 'webhook';
}

/** How callers authenticate. Streams of public matches and the lobby are open to anyone. */
const SECURITY = {
  token: { type: 'http', scheme: 'bearer', description: 'A token in the header `Authorization`.' },
  ticket: {
    type: 'httpApiKey',
    name: 'ticket',
    in: 'query',
    description: `For EventSource, which cannot send headers: a ticket of \`POST /v1/tickets\` for ${TICKET_PURPOSES.join(', ')}.`,
  },
  init: { type: 'userPassword', description: 'A token in the payload of `connection_init`; nothing in the URL.' },
};

const forms = `As ${STREAM_FORMS.map((form) => `\`${form}\``).join(' or ')}, whichever \`Accept\` names.`;
const STREAMS: Record<string, Stream> = {
  matchEvents: {
    address: '/v1/matches/{id}/events',
    title: 'Events of a match',
    description: `Every event after a version, then live. ${forms}`,
    message: 'MatchEvent',
    host: 'http',
  },
  lobby: {
    address: '/v1/matches',
    title: 'The lobby',
    description: `Public tables that are open, then each change. ${forms}`,
    message: 'LobbyChange',
    host: 'http',
  },
  turns: {
    address: '/v1/turns',
    title: "The caller's turns",
    description: `All turns of the caller, then each turn gained or lost. ${forms}`,
    message: 'Turn',
    host: 'http',
  },
  graphql: {
    address: '/graphql',
    title: 'Subscriptions of GraphQL',
    description: 'Every operation of `/schema.graphql`, by the protocol graphql-transport-ws.',
    message: 'SocketMessage',
    both: true,
    host: 'socket',
  },
  webhooks: {
    address: '/',
    title: 'Webhooks',
    description:
      'Posted to the URL of a webhook, with the headers webhook-id, webhook-timestamp and webhook-signature.',
    message: 'Notice',
    host: 'webhook',
  },
};

const servers = (publicUrl: string | undefined) => {
  const url = new URL(publicUrl ?? 'http://localhost:4000');
  const isSecure = url.protocol === 'https:';
  return {
    http: { host: url.host, protocol: isSecure ? 'https' : 'http', description: 'This server' },
    socket: { host: url.host, protocol: isSecure ? 'wss' : 'ws', description: 'This server' },
    webhook: { host: 'bot.example.com', protocol: 'https', description: 'The server of whoever made the webhook' },
  };
};

function channelOf({ address, title, description, message, host }: Stream) {
  return {
    address,
    title,
    description,
    servers: [{ $ref: `#/servers/${host}` }],
    messages: { [message]: { $ref: `#/components/messages/${message}` } },
    ...(address.includes('{id}') && { parameters: { id: { description: 'The id of the match.' } } }),
  };
}

const SECURED_BY = { http: ['token', 'ticket'], socket: ['init'] } as const;

function operationsOf([name, { title, description, message, both, host }]: [string, Stream]) {
  const about = {
    channel: { $ref: `#/channels/${name}` },
    summary: title,
    description,
    messages: [{ $ref: `#/channels/${name}/messages/${message}` }],
    ...(host !== 'webhook' && {
      security: SECURED_BY[host].map((by) => ({ $ref: `#/components/securitySchemes/${by}` })),
    }),
  };
  const capital = name.charAt(0).toUpperCase() + name.slice(1);
  return [
    [`send${capital}`, { action: 'send', ...about }],
    ...(both ? [[`receive${capital}`, { action: 'receive', ...about }]] : []),
  ];
}

/** The same constants that validate and document the REST face describe these messages. */
export function asyncApi(info: { version: string; description: string }, publicUrl: string | undefined): object {
  const named = SHAPES.map((schema) => [(schema as { $id?: string }).$id as string, local(schema)]);
  const messages = Object.values(STREAMS).map(({ message, title }) => [
    message,
    { name: message, title, contentType: 'application/json', payload: { $ref: `#/components/schemas/${message}` } },
  ]);
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Atoll',
      ...info,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'Who runs this server' },
      tags: [{ name: 'streams', description: 'What happens, as it happens.' }],
    },
    defaultContentType: 'application/json',
    servers: servers(publicUrl),
    channels: Object.fromEntries(Object.entries(STREAMS).map(([name, stream]) => [name, channelOf(stream)])),
    operations: Object.fromEntries(Object.entries(STREAMS).flatMap(operationsOf)),
    components: {
      messages: Object.fromEntries(messages),
      schemas: Object.fromEntries(named),
      securitySchemes: SECURITY,
    },
  };
}
