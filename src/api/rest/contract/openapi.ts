/** Adds what all operations of the OpenAPI document have in common, once all routes are known. */
import { STATUS_CODES } from 'node:http';
import { type ErrorCode, STATUS } from '../../../errors.ts';
import { scopeWords } from '../../../players/apps/words.ts';
import { scopeOfRoute } from '../../scopes.ts';
import { PROBLEM_TYPE, problemOf } from '../schemas/problem.ts';
import { examples } from './examples.ts';

type Json = Record<string, unknown>;

interface Response extends Json {
  description?: string;
  headers?: Json;
  content?: Record<string, Json>;
}

interface Operation extends Json {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: object[];
  parameters?: Json[];
  requestBody?: { content: Record<string, Json> };
  responses: Record<string, Response>;
}

export interface Document extends Json {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Json>;
  tags?: Json[];
}

export const TAGS = [
  { name: 'players', description: 'Players, and the tokens with which they identify themselves.' },
  { name: 'account', description: 'Keeping an account: passkeys, mail, recovery codes and sessions of browsers.' },
  { name: 'profiles', description: 'Other players, what each of them shows, and reports to the operator.' },
  { name: 'apps', description: 'Third-party apps that a player has allowed to act for them.' },
  { name: 'games', description: 'The games that can be played here, and what their actions and views look like.' },
  { name: 'matches', description: 'Opening, joining, playing, watching and replaying matches.' },
  { name: 'streams', description: 'Live events, as event streams and lines of JSON.' },
  { name: 'notices', description: 'Webhooks, push messages and mail for players who are away.' },
  { name: 'health', description: 'Whether the server is up.' },
] as const;

export type Tag = (typeof TAGS)[number]['name'];

const HEADERS: Record<string, [description: string, schema: Json, example: unknown]> = {
  RateLimit: [
    'How many requests are left in this minute (draft-ietf-httpapi-ratelimit-headers).',
    { type: 'string' },
    '"player";r=5990;t=42',
  ],
  'RateLimit-Policy': ['The limit of requests per minute.', { type: 'string' }, '"player";q=6000;w=60'],
  'Retry-After': ['How many seconds to wait before asking again.', { type: 'integer', minimum: 0 }, 7],
  'WWW-Authenticate': ['How to authenticate.', { type: 'string' }, 'Bearer realm="atoll"'],
  ETag: ['Identifies this answer: send it as `If-None-Match`.', { type: 'string' }, '"1RcKPqXr3h9nZlq0TtB0Ow-br"'],
  'Cache-Control': ['How long the answer may be used again.', { type: 'string' }, 'private, no-cache'],
  Location: ['The location of what was made.', { type: 'string', format: 'uri-reference' }, '/v1/me'],
};

const refer = (...names: string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The codes with which any operation can be refused, depending on its path, its input and whom it is for. */
function refusalsOf(method: string, path: string, operation: Operation): ErrorCode[] {
  // Bytes that are not an HTTP request are refused with BAD_INPUT, whatever the path.
  if (!path.startsWith('/v1/')) return ['BAD_INPUT', ...(path.endsWith('/ready') ? (['UNAVAILABLE'] as const) : [])];
  const declared = (operation['x-refuses'] as ErrorCode[] | undefined) ?? [];
  return [
    'BAD_INPUT',
    'UNAUTHENTICATED',
    ...(needsScope(method, path) || declared.includes('FORBIDDEN') ? (['FORBIDDEN'] as const) : []),
    ...declared.filter((code) => code !== 'FORBIDDEN'),
    'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
  ];
}

const scopeOf = (method: string, path: string) => scopeOfRoute(method.toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1'));
const needsScope = (method: string, path: string): boolean => path.startsWith('/v1/') && scopeOf(method, path) !== null;

function refusedWith(status: number, codes: readonly ErrorCode[]): Response {
  const headers = refer(
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
  );
  const shown = codes.flatMap((code) => (examples.problems[code] ? [[code, { value: examples.problems[code] }]] : []));
  return {
    description: `${STATUS_CODES[status]}: \`${codes.join('`, `')}\`.`,
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { [PROBLEM_TYPE]: { schema: problemOf(codes), examples: Object.fromEntries(shown) } },
  };
}

/** Adds the refusals by their status. Those that are the same everywhere stand once, among the components. */
function addRefusals(document: Document, operation: Operation, codes: readonly ErrorCode[]): void {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set(codes)) byStatus.set(STATUS[code], [...(byStatus.get(STATUS[code]) ?? []), code]);
  // Fastify's own refusals of a body: too long, or of an unknown type.
  if (operation.requestBody) for (const status of [413, 415]) byStatus.set(status, ['BAD_INPUT']);
  const shared = document.components.responses as Record<string, Response>;
  for (const [status, of] of byStatus) {
    const name = [status, ...of].join('-');
    shared[name] ??= refusedWith(status, of);
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

function addSuccesses(path: string, operation: Operation): void {
  const id = operation.operationId ?? '';
  const isCached = operation['x-cached'] === true;
  for (const [status, response] of Object.entries(operation.responses)) {
    const headers = [
      ...(path.startsWith('/v1/') ? ['RateLimit', 'RateLimit-Policy'] : []),
      ...(isCached ? ['ETag', 'Cache-Control'] : []),
      // A report is for the operator: whoever made it cannot read it anywhere.
      ...(status === '201' && id !== 'report' ? ['Location'] : []),
    ];
    if (headers.length > 0) response.headers = refer(...headers);
    const json = response.content?.['application/json'];
    const value = examples.answers[id]?.[status];
    if (json && value !== undefined) json.examples = { [id]: { summary: 'A real answer, shortened', value } };
  }
  if (isCached) {
    operation.responses[304] = { description: 'What the caller has is still current.', headers: refer('ETag') };
  }
  const body = operation.requestBody?.content['application/json'];
  if (body && examples.requests[id] !== undefined) body.examples = { [id]: { value: examples.requests[id] } };
}

/** The names of the security schemes: a token of the player's own, or one of an app. */
export const TOKEN = 'token';
export const APP = 'app';

/** States whom the operation is for, in its description for people and as a requirement for programs. */
function describeAccess(method: string, path: string, operation: Operation): void {
  const said = operation.description ?? `${operation.summary}.`;
  const isOurs = path.startsWith('/v1/');
  const scope = isOurs ? scopeOf(method, path) : null;
  const isOpen = operation.security === undefined || operation.security.length === 0;
  const access = isOpen
    ? scope && ` Open to anyone; a token that is sent must have the scope \`${scope}\`.`
    : ` Needs a token${scope ? ` with the scope \`${scope}\`` : ''}.`;
  operation.description = said + (access || '');
  // An empty requirement means that nothing has to be sent. Only schemes of OAuth can name scopes.
  const app = { [APP]: scopeWords(scope ? [scope] : []) };
  operation.security = isOurs ? [...(isOpen ? [{}] : []), { [TOKEN]: [] }, app] : [];
}

/** Adds the type to an enum or a constant of texts. */
function withTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withTypes);
  if (typeof value !== 'object' || value === null) return value;
  const schema: Json = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTypes(inner)]));
  const given = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : [];
  if (given.length > 0 && given.every((one) => typeof one === 'string')) return { type: 'string', ...schema };
  return schema;
}

/** The document with what all operations share: refusals, headers, examples, access. */
export function completed(document: Document): Document {
  document.components.headers = Object.fromEntries(
    Object.entries(HEADERS).map(([name, [description, schema, example]]) => [name, { description, schema, example }]),
  );
  document.components.responses = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      addSuccesses(path, operation);
      addRefusals(document, operation, refusalsOf(method, path, operation));
      describeAccess(method, path, operation);
      delete operation['x-refuses'];
      delete operation['x-cached'];
    }
  }
  document.components.schemas = withTypes(document.components.schemas) as Json;
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      operation.parameters &&= withTypes(operation.parameters) as Json[];
      if (operation.requestBody) operation.requestBody = withTypes(operation.requestBody) as never;
    }
  }
  return document;
}
