import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { COLD_STORAGE_PATTERN } from './database/cold-storage.ts';
import { KEYS_PATTERN } from './database/secrets/seal.ts';

const integer = (byDefault: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: byDefault, minimum, maximum, description });

/** `accepts` describes in words what the pattern allows. */
const text = (pattern: string, accepts: string, description: string, byDefault?: string) =>
  Type.String({ pattern, accepts, description, ...(byDefault !== undefined && { default: byDefault }) });

const PROXY = '(loopback|linklocal|uniquelocal|[0-9a-fA-F:]*[.:][0-9a-fA-F.:]*(/\\d+)?)';
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** Every environment variable that the server reads. */
export const Environment = Type.Object({
  HOST: text(
    '^\\S+$',
    'a host name or an address',
    'Address to listen on. The default listens on every interface, so that guests can reach the server; `127.0.0.1` keeps it to this machine.',
    '0.0.0.0',
  ),
  PORT: integer(4000, 0, 65_535, 'Port to listen on; 0 chooses any free port.'),
  DATABASE_URL: Type.Optional(
    text(
      '^postgres(ql)?://',
      'a URL that begins with postgresql://',
      'The PostgreSQL to use (14 or newer). It may name several hosts, as in `postgresql://a:5432,b:5432/db`: the one that accepts changes is used. If unset, an embedded PostgreSQL is used, with its files under `DATA_DIR`.',
    ),
  ),
  DATABASE_DIRECT_URL: Type.Optional(
    text(
      '^postgres(ql)?://',
      'a URL that begins with postgresql://',
      'A direct connection to the same database, if `DATABASE_URL` leads to a pooler in transaction mode (PgBouncer). It is used for migrations, notifications and the job queue. If it is set, no session state is kept on connections of `DATABASE_URL`.',
    ),
  ),
  DATABASE_REPLICA_URL: Type.Optional(
    text(
      '^postgres(ql)?://',
      'a URL that begins with postgresql://',
      'A read-only copy of the database. It serves lists of ended matches, which may be some seconds old, and the logs of ended matches (histories, replays, exports), which are checked against the primary. It is not used while it is more than 30 seconds behind.',
    ),
  ),
  BUS_URL: Type.Optional(
    text(
      '^(redis|valkey)s?://[^\\s/?#]+(/\\d*)?$',
      'a URL such as redis://user:password@host:6379, or rediss:// for TLS',
      'A message bus (Redis 6 or newer, or Valkey) that all instances share. With it each instance hears only of matches that somebody watches there, and rate limits and open sockets are counted for all instances together. While it is away the database carries hints, and limits are counted per process. Unset: always so. See [scaling.md](scaling.md).',
    ),
  ),
  BUS_PREFIX: text(
    '^[\\w.-]{1,64}$',
    'up to 64 letters, digits, dots, dashes and underscores',
    'What all names on the bus begin with. Give each database its own where several share a bus.',
    'atoll',
  ),
  DATABASE_POOL_SIZE: integer(
    16,
    2,
    500,
    'The most connections that one process opens to the database, not counting one that listens and up to four for notices.',
  ),
  DATA_DIR: text(
    '\\S',
    'a path',
    'Where the embedded PostgreSQL keeps its files. Not used if `DATABASE_URL` is set.',
    '.data',
  ),
  COLD_STORAGE: Type.Optional(
    text(
      COLD_STORAGE_PATTERN,
      'a URL that begins with file:///',
      'A directory, such as `file:///mnt/atoll`, to which `atoll archive` moves the logs of ended matches, and from which they are read when somebody looks at them. All instances need the same one. See [operations.md](operations.md).',
    ),
  ),
  ENCRYPTION_KEYS: Type.Optional(
    text(
      KEYS_PATTERN,
      'keys such as k1:<32 bytes in base64>, separated by commas',
      'Keys with which the seeds of matches and the secrets of webhooks are encrypted in the database (AES-256-GCM). The first key encrypts, and all of them decrypt. If unset, they are stored unencrypted. See [operations.md](operations.md).',
    ),
  ),
  LOG_LEVEL: Type.Enum([...LOG_LEVELS], {
    default: 'info',
    description: 'How much is logged; `debug` logs every request.',
  }),
  CORS_ORIGINS: Type.Array(Type.String({ pattern: '^(\\*|none|https?://[^/\\s]+)$' }), {
    default: ['*'],
    accepts: 'origins such as https://example.org, separated by commas, or *, or none',
    description:
      'Origins whose pages may call the API from a browser with a token: `*` for any, `none` for only our own. Cookies are never accepted from other origins.',
  }),
  TRUST_PROXY: text(
    `^(true|false|${PROXY}(\\s*,\\s*${PROXY})*)$`,
    'true, false, or addresses of proxies, separated by commas',
    'Which proxies may state the address of the caller (X-Forwarded-For): `true` for any, or addresses and networks, including the names `loopback`, `linklocal` and `uniquelocal`.',
    'false',
  ),
  BODY_LIMIT_BYTES: integer(
    262_144,
    1024,
    16_777_216,
    'The longest body of a request and the longest message on a socket.',
  ),
  GRAPHQL_MAX_DEPTH: integer(12, 3, 100, 'The deepest nesting of a GraphQL operation.'),
  GRAPHQL_MAX_ALIASES: integer(30, 0, 1000, 'The most aliases in a GraphQL operation.'),
  GRAPHQL_MAX_COST: integer(
    20_000,
    100,
    10_000_000,
    'The highest cost of a GraphQL operation: the sum of its fields, each counted as often as the lists around it may repeat it. A field counts 1, but `export` 1000, `board` 100, `description` and `legalActions` 50 each, `view` 20, `seats`, `events`, `myOrder`, `canUndo` and a JSON Schema 10 each, and an argument `at` 100 more; `states` 110, `matchThen`, `node` and `nodes` 10. A list whose length is a variable counts with its greatest possible length.',
  ),
  GRAPHQL_MAX_TOKENS: integer(2000, 100, 100_000, 'The most tokens in a GraphQL document.'),
  MAX_CONNECTIONS_PER_ADDRESS: integer(
    1000,
    10,
    1_000_000,
    'The most connections that one address may hold open to one process; not counted if `TRUST_PROXY` is set.',
  ),
  UNREAD_LIMIT_BYTES: integer(
    8_388_608,
    1_048_576,
    1_073_741_824,
    'The most bytes of unread answers that may wait on one connection. One address may have eight times as much. Above the limit, the connection is cut.',
  ),
  ANSWER_TIMEOUT_SECONDS: integer(
    60,
    5,
    3600,
    'How long a caller may take to read an answer, and how long a connection may be silent within one.',
  ),
  MAX_SOCKETS_PER_PLAYER: integer(
    20,
    1,
    10_000,
    'The most WebSockets that one player may hold open in one process; with `BUS_URL`, in all of them together.',
  ),
  MAX_SOCKETS_PER_ADDRESS: integer(
    50,
    1,
    100_000,
    'The most WebSockets without a player that one address may hold open in one process; with `BUS_URL`, in all of them together.',
  ),
  MAX_SUBSCRIPTIONS_PER_PLAYER: integer(
    100,
    1,
    10_000,
    'The most subscriptions and event streams that one player, or one address without a player, may hold open in one process; with `BUS_URL`, in all of them together.',
  ),
  RATE_LIMIT_PER_PLAYER: integer(
    6000,
    1,
    10_000_000,
    'The most requests of one player in a minute. Like the next two it is counted per process or, with `BUS_URL`, for all together.',
  ),
  RATE_LIMIT_PER_ADDRESS: integer(
    3000,
    1,
    10_000_000,
    'The most requests without a player (or with a wrong token) of one address in a minute.',
  ),
  RATE_LIMIT_REGISTRATIONS: integer(300, 1, 1_000_000, 'The most registrations of one address in a minute.'),
  WORK_LIMIT_PER_PLAYER: integer(
    600_000,
    1000,
    1_000_000_000,
    'The most work that is done for one player in a minute, in units of about 20 microseconds: the cost of operations, and of every event that subscriptions deliver. The budget refills steadily. Once it is used up, requests are answered with `RATE_LIMITED`, and subscriptions deliver more slowly.',
  ),
  WORK_LIMIT_PER_ADDRESS: integer(
    1_200_000,
    1000,
    1_000_000_000,
    'The same for requests and subscriptions without a player, counted by address.',
  ),
  ANSWER_LIMIT_BYTES: integer(
    4_194_304,
    65_536,
    67_108_864,
    'The longest answer to a GraphQL operation. The export of a long match is longer; REST has no such limit for it.',
  ),
  QUOTAS: Type.Enum(['on', 'off'], {
    default: 'on',
    description:
      'Whether the quotas below apply. They are counted in the database, for all processes together, and answered with `QUOTA_EXCEEDED`. `off` suits private servers and benchmarks.',
  }),
  QUOTA_MATCHES: integer(200, 1, 1_000_000, 'The most matches opened by one player that may be open or running.'),
  QUOTA_MATCHES_PER_HOUR: integer(120, 1, 1_000_000, 'The most matches that one player may open in an hour.'),
  QUOTA_FORKS_PER_DAY: integer(200, 1, 1_000_000, 'The most analysis matches that one player may open in a day.'),
  QUOTA_IMPORTS_PER_DAY: integer(100, 1, 1_000_000, 'The most matches that one player may import in a day.'),
  QUOTA_BOTS: integer(60, 1, 1_000_000, 'The most bots in open and running matches that one player has opened.'),
  QUOTA_BOT_MATCHES: integer(
    4,
    0,
    1_000_000,
    'The most running matches with only bots that one player has opened. They end by themselves.',
  ),
  QUOTA_REPORTS_PER_DAY: integer(
    20,
    1,
    1_000_000,
    'The most reports that one player may send to the operator in a day.',
  ),
  QUOTA_ACCOUNT_EXPORTS_PER_DAY: integer(
    20,
    1,
    1_000_000,
    'How often one player may export everything that is stored about them in a day.',
  ),
  QUOTA_REGISTRATIONS_PER_DAY: integer(
    1000,
    500,
    10_000_000,
    'The most registrations from one address in a day; a whole school may share one address.',
  ),
  MAX_MATCH_EVENTS: integer(
    20_000,
    2000,
    1_000_000,
    'The most events of one match. Once the limit is reached, the only possible action is to give up; bots then give up by themselves.',
  ),
  MAX_ORDERS_PER_SEAT: integer(200, 1, 1_000_000, 'The most standing orders of one seat in one match.'),
  MAX_UNDOS_PER_SEAT: integer(1000, 1, 1_000_000, 'How often one seat may take an action back in one match.'),
  MAX_EVENT_LOOP_DELAY_MS: integer(
    1000,
    0,
    60_000,
    'If the event loop is delayed by more than this, requests are answered with 503; 0 disables this.',
  ),
  WORKERS: integer(
    1,
    1,
    64,
    'How many processes serve requests on one port: about one for each core that PostgreSQL leaves free. They tell each other of events directly, and on Linux hand over the connections of players to the one that is the home of their match. Limits and caches that are kept per process exist in each of them.',
  ),
  MEMO_MATCHES: integer(
    1000,
    1,
    1_000_000,
    'How many matches of about 100 events one process keeps rebuilt in memory; longer matches count for more.',
  ),
  BOT_THREADS: integer(
    0,
    0,
    64,
    'How many threads think for bots; 0 means one less than the number of cores, but at least two.',
  ),
  SHUTDOWN_SECONDS: integer(10, 1, 600, 'How long a stop waits for requests that are under way.'),
  PUBLIC_URL: Type.Optional(
    text(
      '^https?://[^\\s?#]+$',
      'a URL that begins with http:// or https://',
      'The address at which players reach this server, used for links in notices and mails, and for sessions and passkeys, which belong to its host. See [accounts.md](accounts.md).',
    ),
  ),
  MATCH_URL: Type.Optional(
    text(
      '^https?://\\S*\\{id\\}\\S*$',
      'a URL with {id} in it',
      'The address at which a client shows a match, with `{id}` in place of its id, used for links in notices. If unset, the table under `PUBLIC_URL`.',
    ),
  ),
  WEBHOOK_ALLOW_PRIVATE: Type.Boolean({
    default: false,
    description:
      'Whether webhooks may lead to private, loopback and other special addresses. Leave this off if strangers can register, because they could reach what only this machine can.',
  }),
  NOTICE_CONCURRENCY: integer(8, 1, 100, 'The most notices that one process sends at a time.'),
  NOTICE_DELAY_SECONDS: integer(
    1,
    0,
    3600,
    'How long a turn must last before webhooks are notified of it, so that quick play stays quiet.',
  ),
  MAIL_DELAY_SECONDS: integer(60, 0, 86_400, 'How long a turn must last before a mail is sent about it.'),
  VAPID_PUBLIC_KEY: Type.Optional(
    text(
      '^[A-Za-z0-9_-]{87}=?$',
      'a P-256 public key in base64url',
      'Together with `VAPID_PRIVATE_KEY`, identifies this server to the push services of browsers. If unset, a pair is made once and kept in the database. A new pair ends every subscription.',
    ),
  ),
  VAPID_PRIVATE_KEY: Type.Optional(
    text('^[A-Za-z0-9_-]{43}=?$', 'a P-256 private key in base64url', 'See `VAPID_PUBLIC_KEY`.'),
  ),
  SMTP_URL: Type.Optional(
    text(
      '^smtps?://\\S+$',
      'a URL that begins with smtp:// or smtps://',
      'The server that sends our mail, such as `smtps://user:password@mail.example.org`. If unset, no mail is sent. Needs `MAIL_FROM` and `PUBLIC_URL`.',
    ),
  ),
  MAIL_FROM: Type.Optional(
    text('^[^\\r\\n]*@[^\\r\\n]+$', 'an address, such as Atoll <atoll@example.org>', 'The sender of our mails.'),
  ),
  OPERATOR_EMAIL: Type.Optional(
    text(
      '^[^\\s@<>,;]+@[^\\s@<>,;]+$',
      'an e-mail address',
      'The address that is mailed when a player reports another, if `SMTP_URL` is set. Reports are also listed by `npx atoll admin reports`.',
    ),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: Type.Optional(
    text(
      '^https?://\\S+$',
      'a URL that begins with http:// or https://',
      'Where OpenTelemetry traces are sent by OTLP over HTTP, such as `http://localhost:4318`. Unset: there are none. The exporter also reads `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_EXPORTER_OTLP_TIMEOUT` and their kin. See [operations.md](operations.md).',
    ),
  ),
  OTEL_SERVICE_NAME: text('^\\S+$', 'a name', 'The name of this service in traces.', 'atoll'),
  OTEL_TRACES_SAMPLER_ARG: text(
    '^(0(\\.\\d+)?|1(\\.0+)?)$',
    'a number from 0 to 1',
    'The share of traces that is recorded.',
    '1',
  ),
  METRICS: Type.Boolean({ default: true, description: 'Whether `/metrics` is served.' }),
  METRICS_PORT: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 65_535,
      description: 'Serves `/metrics` on this port instead of on `PORT`, so that it need not be public.',
    }),
  ),
  METRICS_TOKEN: Type.Optional(
    text(
      '^\\S{16,}$',
      'at least 16 characters',
      'The token that readers of `/metrics` must send: `Authorization: Bearer <token>`.',
    ),
  ),
});

export type Config = Static<typeof Environment>;

/** Lists each wrong variable in one sentence, with its value and what is accepted. */
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

/** The configuration from these variables. An empty variable counts as unset. */
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
    problems.push('DATABASE_DIRECT_URL needs DATABASE_URL: it bypasses the pooler to which DATABASE_URL leads.');
  }
  if (config.BUS_URL && !URL.canParse(String(config.BUS_URL))) {
    problems.push('BUS_URL (not shown here) is no URL: letters such as @, / and : in its password must be escaped.');
  }
  if (config.SMTP_URL && !(config.MAIL_FROM && config.PUBLIC_URL)) {
    problems.push('SMTP_URL needs MAIL_FROM and PUBLIC_URL: every mail has a sender and a link to unsubscribe.');
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

/** Variables that hold secrets or URLs with passwords. */
const SECRET = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_REPLICA_URL',
  'BUS_URL',
  'SMTP_URL',
  'METRICS_TOKEN',
  'ENCRYPTION_KEYS',
  'VAPID_PRIVATE_KEY',
];

const shown = (name: string, given: string | undefined) =>
  SECRET.includes(name) ? `${name} (not shown here)` : `${name} is ${JSON.stringify(given)}, but`;

/** The setting in the form that Fastify takes. */
export function trustProxy({ TRUST_PROXY }: Config): boolean | string {
  return TRUST_PROXY === 'true' || (TRUST_PROXY !== 'false' && TRUST_PROXY);
}
