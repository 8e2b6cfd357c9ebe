import { expect } from 'vitest';
import { type ErrorCode, STATUS } from '../../src/errors.ts';
import { type Api, bearer, type Face, inTurn, type Json, Refusal } from './api.ts';

/** One answer as it came, to be compared with the documentation. */
export interface Answer {
  method: string;
  path: string;
  status: number;
  type: string;
  body: unknown;
}

async function refusalOf(response: Response, body: Json): Promise<Refusal> {
  const { type, title, status, code, detail, ...details } = body;
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect({ type, status }).toEqual({ type: 'about:blank', status: response.status });
  expect([typeof title, typeof detail]).toEqual(['string', 'string']);
  // Fastify's own refusals (413, 415 …) are all BAD_INPUT.
  if (code !== 'BAD_INPUT') expect(response.status).toBe(STATUS[code as ErrorCode]);
  return new Refusal(code as ErrorCode, String(detail), details, response.headers);
}

function search(params: Json): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given.map(([k, v]) => [k, String(v)])))}`;
}

export type Call = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<unknown>;

export function restCall(urls: readonly string[], token?: string, observe: (answer: Answer) => void = () => {}): Call {
  const next = inTurn(urls);
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${next()}/v1${path}`, {
      method,
      headers: { ...bearer(token), ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const type = (response.headers.get('content-type') ?? '').split(';')[0] as string;
    const text = await response.text();
    const answer = type.endsWith('json') ? JSON.parse(text) : text;
    observe({ method, path: `/v1${path.split('?')[0]}`, status: response.status, type, body: answer });
    if (!response.ok) throw await refusalOf(response, answer as Json);
    return answer;
  };
}

export function restApi(call: Call): Api {
  const get = <T>(path: string, params: Json = {}) => call('GET', `${path}${search(params)}`) as Promise<T>;
  const of = (id: string) => `/matches/${encodeURIComponent(id)}`;
  const field = async <T>(answer: Promise<unknown>, name: string) => ((await answer) as Json)[name] as T;
  return {
    register: (name) => call('POST', '/players', { name }) as ReturnType<Api['register']>,
    me: () => get('/me'),
    tokens: () => field(get('/tokens'), 'tokens'),
    createToken: (name, wish) => call('POST', '/tokens', { name, ...wish }) as ReturnType<Api['createToken']>,
    revokeToken: (id) => call('DELETE', `/tokens/${encodeURIComponent(id)}`) as ReturnType<Api['revokeToken']>,
    deletePlayer: () => call('DELETE', '/me') as ReturnType<Api['deletePlayer']>,
    games: () => field(get('/games', { schemas: true }), 'games'),
    game: (id) => get(`/games/${encodeURIComponent(id)}`),
    createMatch: (input, key) =>
      call('POST', '/matches', input, key ? { 'idempotency-key': key } : {}) as ReturnType<Api['createMatch']>,
    match: (id, invite) => get(of(id), { invite }),
    matches: (filter) => get('/matches', filter),
    join: (id, input = {}) => call('POST', `${of(id)}/seats`, input) as ReturnType<Api['join']>,
    leave: (id) => call('DELETE', `${of(id)}/seats`) as ReturnType<Api['leave']>,
    view: (id, look) => field(get(`${of(id)}/view`, look), 'view'),
    board: (id, { width, ...look } = {}) =>
      get(`${of(id)}/board.svg`, { ...look, width: typeof width === 'string' ? width.toLowerCase() : width }),
    description: (id, look) => field(get(`${of(id)}/description`, look), 'description'),
    legalActions: (id, invite) => field(get(`${of(id)}/legal-actions`, { invite }), 'legalActions'),
    events: (id, page) => field(get(`${of(id)}/events`, page), 'events'),
    submit: (id, submission) => call('POST', `${of(id)}/actions`, submission) as ReturnType<Api['submit']>,
    undo: (id, expectedVersion) => call('POST', `${of(id)}/undo`, { expectedVersion }) as ReturnType<Api['undo']>,
    setOrder: (id, order) => call('PUT', `${of(id)}/order`, { order }) as ReturnType<Api['setOrder']>,
    order: (id) => field(get(`${of(id)}/order`), 'order'),
    resign: (id) => call('POST', `${of(id)}/resign`) as ReturnType<Api['resign']>,
    addBot: (id, level) => call('POST', `${of(id)}/bots`, { level }) as ReturnType<Api['addBot']>,
    cancel: (id) => call('DELETE', of(id)) as ReturnType<Api['cancel']>,
    rematch: (id) => call('POST', `${of(id)}/rematch`) as ReturnType<Api['rematch']>,
    fork: (id, at, invite) => call('POST', `${of(id)}/forks`, { at, invite }) as ReturnType<Api['fork']>,
    export: (id, options) => get(`${of(id)}/export`, options),
    import: (document) => call('POST', '/matches/import', document) as ReturnType<Api['import']>,
  };
}

export const rest: Face = { name: 'REST', client: (urls, token) => restApi(restCall(urls, token)) };
