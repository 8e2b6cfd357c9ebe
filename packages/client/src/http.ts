/** Requests to the server. Each call is one attempt. */
import { AtollError } from './errors.ts';

/** How a server is reached. */
export interface Line {
  /** Without a slash at the end. */
  url: string;
  fetch: typeof fetch;
  credentials: 'include' | 'omit' | 'same-origin' | undefined;
  token(): Promise<string | undefined>;
}

export interface GraphqlAnswer {
  data?: unknown;
  errors?: { message: string; extensions?: { code?: string } & Record<string, unknown> }[];
}

export interface Attempt {
  accept: string;
  body?: object;
  signal?: AbortSignal | undefined;
}

/** Anything that prevents an answer becomes OFFLINE, except an abort by our caller. */
export async function send(line: Line, path: string, { accept, body, signal }: Attempt): Promise<Response> {
  const token = await line.token();
  const headers: Record<string, string> = { accept };
  if (body) headers['content-type'] = 'application/json';
  if (token !== undefined) headers.authorization = `Bearer ${token}`;
  try {
    return await line.fetch(`${line.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers,
      ...(body && { body: JSON.stringify(body) }),
      ...(line.credentials && { credentials: line.credentials }),
      ...(signal && { signal }),
    });
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw Object.assign(new AtollError('OFFLINE', `${line.url} does not answer.`), { cause });
  }
}

export function firstError({ errors }: GraphqlAnswer): AtollError | undefined {
  const first = errors?.[0];
  return first && new AtollError(first.extensions?.code ?? 'BAD_INPUT', first.message, first.extensions);
}

/** Proxies answer 429 and 5xx in their own format. The header says how long to wait. */
function byStatus({ status, headers }: Response): AtollError {
  const retryAfter = headers.get('retry-after');
  const seconds = Number(retryAfter);
  const wait = Number.isFinite(seconds) ? seconds : (Date.parse(retryAfter ?? '') - Date.now()) / 1000;
  const details = retryAfter !== null && wait >= 0 ? { retryAfter: wait } : {};
  const code = status === 429 ? 'RATE_LIMITED' : status >= 500 ? 'UNAVAILABLE' : 'BAD_INPUT';
  return new AtollError(code, `The server answered with status ${status}.`, details);
}

/** The error in an answer of REST or of a failed stream. */
export async function refusalOf(response: Response): Promise<AtollError> {
  const body = (await response.json().catch(() => undefined)) as
    | ({ code?: string; detail?: string } & GraphqlAnswer)
    | undefined;
  if (body?.code) return new AtollError(body.code, body.detail ?? body.code, { ...body });
  return (body && firstError(body)) ?? byStatus(response);
}

export async function askOnce<T>(line: Line, query: string, variables: object, signal?: AbortSignal): Promise<T> {
  const accept = 'application/graphql-response+json, application/json';
  const response = await send(line, '/graphql', { accept, body: { query, variables }, signal });
  let answer: GraphqlAnswer;
  try {
    answer = (await response.json()) as GraphqlAnswer;
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (!response.ok) throw byStatus(response);
    throw Object.assign(new AtollError('OFFLINE', 'The answer was cut off.'), { cause });
  }
  const error = firstError(answer);
  if (error) throw error;
  if (!response.ok) throw byStatus(response);
  return answer.data as T;
}
