import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { KEYS_PATTERN } from './database/secrets/seal.ts';

const integer = (byDefault: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: byDefault, minimum, maximum, description });

/** `accepts` says in words what the pattern allows. */
const text = (pattern: string, accepts: string, description: string, byDefault?: string) =>
  Type.String({ pattern, accepts, description, ...(byDefault !== undefined && { default: byDefault }) });

const PROXY = '(loopback|linklocal|uniquelocal|[0-9a-fA-F:]*[.:][0-9a-fA-F.:]*(/\\d+)?)';
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every variable of the environment that the server reads. */
export const Environment = Type.Object({
  HOST: text(
    '^\\S+$',
    'a host name or an address',
    'Address to listen on. The default reaches every interface, because a table needs guests; `127.0.0.1` keeps it to this machine.',
    '0.0.0.0',
  ),
  PORT: integer(4000, 0, 65_535, 'Port to listen on; 0 takes any free one.'),
  DATABASE_URL: Type.Optional(
    text(
      '^postgres(ql)?://',
      'a URL that begins with postgresql://',
      'The PostgreSQL to use (14 or newer). It may name several hosts, `postgresql://a:5432,b:5432/db`: the one that takes changes is used. Unset: an embedded one, with its files under `DATA_DIR`.',
    ),
  ),
  DATABASE_DIRECT_URL: Type.Optional(
    text(
      '^postgres(ql)?://',
      'a URL that begins with postgresql://',
      'The same database past the pooler that `DATABASE_URL` leads to, where that one pools by transaction (PgBouncer): for migrations, notifications and the job queue. With it nothing is kept in the sessions of `DATABASE_URL`.',
    ),
  ),
  DATABASE_REPLICA_URL: Type.Optional(
    text(
      '^postgres(ql)?://',
      'a URL that begins with postgresql://',
      'A copy of the database that may only be read. It serves lists of ended matches, which may be some seconds old, and the logs of ended matches (histories, replays, exports), which are checked against the primary. Not used while it is more than 30 seconds behind.',
    ),
  ),
  DATABASE_POOL_SIZE: integer(
    16,
    2,
    500,
    'Most connections that one process opens to the database, apart from one that listens and up to four for notices.',
  ),
  DATA_DIR: text(
    '\\S',
    'a path',
    'Where the embedded PostgreSQL keeps its files. Not used with `DATABASE_URL`.',
    '.data',
  ),
  ENCRYPTION_KEYS: Type.Optional(
    text(
      KEYS_PATTERN,
      'keys such as k1:<32 bytes in base64>, separated by commas',
      'Keys by which the seeds of matches and the secrets of webhooks are encrypted in the database (AES-256-GCM). The first encrypts, all of them decrypt. Unset: they are stored as they are. See [operations.md](operations.md).',
    ),
  ),
  LOG_LEVEL: Type.Enum([...LOG_LEVELS], {
    default: 'info',
    description: 'How much is logged; at `debug` every request is.',
  }),
  CORS_ORIGINS: Type.Array(Type.String({ pattern: '^(\\*|none|https?://[^/\\s]+)$' }), {
    default: ['*'],
    accepts: 'origins such as https://example.org, separated by commas, or *, or none',
    description:
      'Origins whose pages may call the API from a browser, with a token: `*` for any, `none` for no other than our own. Cookies are never accepted from other origins.',
  }),
  TRUST_PROXY: text(
    `^(true|false|${PROXY}(\\s*,\\s*${PROXY})*)$`,
    'true, false, or addresses of proxies, separated by commas',
    'Which proxies may say who the caller is (X-Forwarded-For): `true` for any, or addresses and networks, among them the names `loopback`, `linklocal` and `uniquelocal`.',
    'false',
  ),
  BODY_LIMIT_BYTES: integer(262_144, 1024, 16_777_216, 'Longest body of a request and longest message on a socket.'),
  GRAPHQL_MAX_DEPTH: integer(12, 3, 100, 'Deepest nesting of a GraphQL operation.'),
  GRAPHQL_MAX_ALIASES: integer(30, 0, 1000, 'Most aliases in a GraphQL operation.'),
  GRAPHQL_MAX_COST: integer(
    20_000,
    100,
    10_000_000,
    'Highest cost of a GraphQL operation: its fields, counted as often as the lists around them may repeat them. A field counts 1, but `export` 1000, `board` 100, `description` and `legalActions` 50 each, `view` 20, `seats`, `events`, `myOrder`, `canUndo` and a JSON Schema 10 each, and an argument `at` 100 more; `states` 110, `matchThen`, `node` and `nodes` 10. A list whose length is a variable counts as the longest that it can be.',
  ),
  GRAPHQL_MAX_TOKENS: integer(2000, 100, 100_000, 'Most tokens in a GraphQL document.'),
  MAX_CONNECTIONS_PER_ADDRESS: integer(
    1000,
    10,
    1_000_000,
    'Most connections that one address may hold open to one process; not counted where `TRUST_PROXY` is set.',
  ),
  UNREAD_LIMIT_BYTES: integer(
    8_388_608,
    1_048_576,
    1_073_741_824,
    'Most bytes of answers that may wait on one connection for a caller who does not read them, and an eighth of what may wait for one address. Above it the connection is cut.',
  ),
  ANSWER_TIMEOUT_SECONDS: integer(
    60,
    5,
    3600,
    'How long a caller may take to read an answer, and be silent within one.',
  ),
  MAX_SOCKETS_PER_PLAYER: integer(20, 1, 10_000, 'Most WebSockets that one player may hold open in one process.'),
  MAX_SOCKETS_PER_ADDRESS: integer(
    50,
    1,
    100_000,
    'Most WebSockets without a player that one address may hold open in one process.',
  ),
  MAX_SUBSCRIPTIONS_PER_PLAYER: integer(
    100,
    1,
    10_000,
    'Most subscriptions and event streams that one player, or one address without a player, may hold open in one process.',
  ),
  RATE_LIMIT_PER_PLAYER: integer(6000, 1, 10_000_000, 'Most requests of one player in a minute.'),
  RATE_LIMIT_PER_ADDRESS: integer(
    3000,
    1,
    10_000_000,
    'Most requests without a player (or with a wrong token) of one address in a minute.',
  ),
  RATE_LIMIT_REGISTRATIONS: integer(300, 1, 1_000_000, 'Most registrations of one address in a minute.'),
  WORK_LIMIT_PER_PLAYER: integer(
    600_000,
    1000,
    1_000_000_000,
    'Most work that is done for one player in a minute, in units of about 20 microseconds: the cost of its operations, and of every event that its subscriptions deliver. It fills up by and by. Above it requests are answered with `RATE_LIMITED`, and subscriptions deliver more slowly.',
  ),
  WORK_LIMIT_PER_ADDRESS: integer(
    1_200_000,
    1000,
    1_000_000_000,
    'The same for requests and subscriptions without a player, by their address.',
  ),
  ANSWER_LIMIT_BYTES: integer(
    4_194_304,
    65_536,
    67_108_864,
    'Longest answer to a GraphQL operation. The export of a long match is longer: REST has no such limit for it.',
  ),
  QUOTAS: Type.Enum(['on', 'off'], {
    default: 'on',
    description:
      'Whether the quotas below hold. They are counted in the database, for all processes together, and answered with `QUOTA_EXCEEDED`. `off` suits private servers and benchmarks.',
  }),
  QUOTA_MATCHES: integer(200, 1, 1_000_000, 'Most matches that one player has opened and that are open or running.'),
  QUOTA_MATCHES_PER_HOUR: integer(120, 1, 1_000_000, 'Most matches that one player opens in an hour.'),
  QUOTA_FORKS_PER_DAY: integer(200, 1, 1_000_000, 'Most analysis matches that one player opens in a day.'),
  QUOTA_IMPORTS_PER_DAY: integer(100, 1, 1_000_000, 'Most matches that one player imports in a day.'),
  QUOTA_BOTS: integer(60, 1, 1_000_000, 'Most bots in open and running matches that one player has opened.'),
  QUOTA_BOT_MATCHES: integer(
    4,
    0,
    1_000_000,
    'Most running matches of bots alone that one player has opened. They end by themselves.',
  ),
  QUOTA_REPORTS_PER_DAY: integer(20, 1, 1_000_000, 'Most reports that one player sends to the operator in a day.'),
  QUOTA_ACCOUNT_EXPORTS_PER_DAY: integer(
    20,
    1,
    1_000_000,
    'How often one player may have everything that is stored about it in a day.',
  ),
  QUOTA_REGISTRATIONS_PER_DAY: integer(
    1000,
    500,
    10_000_000,
    'Most registrations from one address in a day; a whole school may share one.',
  ),
  MAX_MATCH_EVENTS: integer(
    20_000,
    2000,
    1_000_000,
    'Most events of one match. Where it is reached nothing but giving up is possible; bots then give up by themselves.',
  ),
  MAX_ORDERS_PER_SEAT: integer(200, 1, 1_000_000, 'Most standing orders of one seat in one match.'),
  MAX_UNDOS_PER_SEAT: integer(1000, 1, 1_000_000, 'How often one seat may take an action back in one match.'),
  MAX_EVENT_LOOP_DELAY_MS: integer(
    1000,
    0,
    60_000,
    'Above this delay of the event loop requests are answered with 503; 0 never.',
  ),
  WORKERS: integer(
    1,
    1,
    64,
    'How many processes serve, on one port; about one for each core that PostgreSQL leaves free. Limits and caches that are kept per process are kept by each.',
  ),
  MEMO_MATCHES: integer(
    1000,
    1,
    1_000_000,
    'How many matches of about 100 events one process keeps rebuilt in memory; longer ones count for more.',
  ),
  BOT_THREADS: integer(0, 0, 64, 'How many threads think for bots; 0 takes one less than the cores, at least two.'),
  SHUTDOWN_SECONDS: integer(10, 1, 600, 'How long a stop waits for requests in flight.'),
  PUBLIC_URL: Type.Optional(
    text(
      '^https?://[^\\s?#]+$',
      'a URL that begins with http:// or https://',
      'Where players reach this server: for the links in notices and mails, and for sessions and passkeys, which belong to its host. See [accounts.md](accounts.md).',
    ),
  ),
  MATCH_URL: Type.Optional(
    text(
      '^https?://\\S*\\{id\\}\\S*$',
      'a URL with {id} in it',
      'Where a client shows a match, with `{id}` in place of its id: for the links in notices. Unset: the table under `PUBLIC_URL`.',
    ),
  ),
  WEBHOOK_ALLOW_PRIVATE: Type.Boolean({
    default: false,
    description:
      'Whether webhooks may lead to private, loopback and other special addresses. Leave it off where strangers can register: they could reach what only this machine can.',
  }),
  NOTICE_CONCURRENCY: integer(8, 1, 100, 'Most notices that one process sends at a time.'),
  NOTICE_DELAY_SECONDS: integer(
    1,
    0,
    3600,
    'How long a turn must last before webhooks are told of it, so that quick play stays quiet.',
  ),
  MAIL_DELAY_SECONDS: integer(60, 0, 86_400, 'How long a turn must last before a mail tells of it.'),
  VAPID_PUBLIC_KEY: Type.Optional(
    text(
      '^[A-Za-z0-9_-]{87}=?$',
      'a P-256 public key in base64url',
      "Together with `VAPID_PRIVATE_KEY`, by which the browsers' push services know this server. Unset: a pair is made once and kept in the database. A new pair ends every subscription.",
    ),
  ),
  VAPID_PRIVATE_KEY: Type.Optional(
    text('^[A-Za-z0-9_-]{43}=?$', 'a P-256 private key in base64url', 'See `VAPID_PUBLIC_KEY`.'),
  ),
  SMTP_URL: Type.Optional(
    text(
      '^smtps?://\\S+$',
      'a URL that begins with smtp:// or smtps://',
      'The server that sends our mail, such as `smtps://user:password@mail.example.org`. Unset: no mail is sent. Needs `MAIL_FROM` and `PUBLIC_URL`.',
    ),
  ),
  MAIL_FROM: Type.Optional(
    text('^[^\\r\\n]*@[^\\r\\n]+$', 'an address, such as Atoll <atoll@example.org>', 'The sender of our mails.'),
  ),
  OPERATOR_EMAIL: Type.Optional(
    text(
      '^[^\\s@<>,;]+@[^\\s@<>,;]+$',
      'an e-mail address',
      'Who is mailed when a player reports another, where `SMTP_URL` is set. Reports are also listed by `npx atoll admin reports`.',
    ),
  ),
  METRICS: Type.Boolean({ default: true, description: 'Whether `/metrics` is served.' }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'Serves `/metrics` on this port, which the public need not reach, and not on `PORT`.',
    }),
  ),
  METRICS_TOKEN: Type.Optional(
    text(
      '^\\S{16,}$',
      'at least 16 characters',
      'Whoever reads `/metrics` must send it: `Authorization: Bearer <token>`.',
    ),
  ),
});

export type Config = Static<typeof Environment>;

/** Says in one sentence for each wrong variable what it was and what is accepted. */
export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
  }
}

type Variable = TSchema & {
  type?: string;
  default?: unknown;
  description?: string;
  accepts?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
};

export const variables: [string, Variable][] = Object.entries(Environment.properties);

export function accepted({ accepts, enum: values, type, minimum, maximum }: Variable): string {
  if (accepts) return accepts;
  if (values) return `one of ${values.join(', ')}`;
  return type === 'integer' ? `a whole number from ${minimum} to ${maximum}` : 'true or false';
}

/** The configuration that these variables ask for; one that is empty counts as unset. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const config: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, schema] of variables) {
    const given = env[name]?.trim();
    const value = given ? fromText(given, schema) : structuredClone(schema.default);
    if (value === undefined) continue;
    if (!Value.Check(schema, value)) problems.push(`${shown(name, given)} must be ${accepted(schema)}.`);
    config[name] = value;
  }
  if (config.DATABASE_DIRECT_URL && !config.DATABASE_URL) {
    problems.push('DATABASE_DIRECT_URL needs DATABASE_URL: it leads past the pooler that the other leads to.');
  }
  if (config.SMTP_URL && !(config.MAIL_FROM && config.PUBLIC_URL)) {
    problems.push('SMTP_URL needs MAIL_FROM and PUBLIC_URL: a mail has a sender and a link that ends it.');
  }
  if (!config.VAPID_PUBLIC_KEY !== !config.VAPID_PRIVATE_KEY) {
    problems.push('VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY are a pair: set both or neither.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config;
}

/** A text that does not fit its type stays a text, which the schema then refuses. */
function fromText(given: string, { type }: Variable): unknown {
  if (type === 'integer') return /^[+-]?\d+$/.test(given) ? Number(given) : given;
  if (type === 'boolean') return { true: true, false: false, '1': true, '0': false }[given.toLowerCase()] ?? given;
  if (type === 'array')
    return given
      .split(',')
      .map((s) => s.trim())
      .filter((s) => s !== '');
  return given;
}

/** URLs with passwords in them. */
const SECRET = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'SMTP_URL',
  'METRICS_TOKEN',
  'ENCRYPTION_KEYS',
  'VAPID_PRIVATE_KEY',
];

const shown = (name: string, given: string | undefined) =>
  SECRET.includes(name) ? `${name} (not shown here)` : `${name} is ${JSON.stringify(given)}, but`;

/** As Fastify takes it. */
export function trustProxy({ TRUST_PROXY }: Config): boolean | string {
  return TRUST_PROXY === 'true' || (TRUST_PROXY !== 'false' && TRUST_PROXY);
}
