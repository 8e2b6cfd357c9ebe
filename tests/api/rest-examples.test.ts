/**
 * The examples of the OpenAPI document are real answers. `EXAMPLES=write npx vitest run tests/api/rest-examples.test.ts`
 * writes them down anew; without it they must still look like what the server answers.
 */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Examples, examples } from '../../src/api/rest/contract/examples.ts';
import type { ErrorCode } from '../../src/errors.ts';
import type { Json } from '../support/api.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { documentedBy, type OpenApi, operationOf } from '../support/documented.ts';
import { HOME } from '../support/example-account.ts';
import { exampleScenario, type Seen } from '../support/example-scenario.ts';
import { startInstance } from '../support/instance.ts';
import { startReceiver } from '../support/receiver.ts';
import { startSmtp } from '../support/smtp.ts';

let database: FreshDatabase;
let document: OpenApi;
let seen: Seen[];

beforeAll(async () => {
  database = await freshDatabase();
  const mailbox = await startSmtp();
  const receiver = await startReceiver();
  const mail = { SMTP_URL: mailbox.url, MAIL_FROM: 'Atoll <atoll@example.org>', PUBLIC_URL: HOME };
  const server = await startInstance(database.url, { env: { ...mail, WEBHOOK_ALLOW_PRIVATE: 'true' } });
  const env = { QUOTA_BOTS: '1', RATE_LIMIT_PER_ADDRESS: '3' };
  const strict = await startInstance(database.url, { env });
  document = (await (await fetch(`${server.url}/openapi.json`)).json()) as OpenApi;
  seen = await exampleScenario({ url: server.url, strictUrl: strict.url, mailbox, hook: receiver.url });
  await Promise.all([server.stop(), strict.stop(), mailbox[Symbol.asyncDispose](), receiver[Symbol.asyncDispose]()]);
  if (process.env.EXAMPLES === 'write') {
    const file = new URL('../../assets/openapi-examples.json', import.meta.url);
    writeFileSync(file, `${JSON.stringify(collected(), null, 2)}\n`);
  }
});
afterAll(() => database.drop());

/** Shortens lists to two items, and schemas and documents to a word, so that examples can be read. */
function shortened(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, key === 'seats' ? 10 : 2).map((item) => shortened(item));
  if (key.endsWith('Schema') && value !== null) return { $comment: 'A JSON Schema, left out here.' };
  if (key === 'url') return 'https://bot.example.com/hook';
  if (key === 'secret') return 'whsec_shown-this-once';
  if (key === 'token') return 'atoll_shown-this-once';
  if (key === 'ticket') return 'good-for-one-minute';
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner, name)]));
}

/** The first answer of each kind; a request only where it was accepted. */
function collected(): Examples {
  const found: Examples = { requests: {}, answers: {}, problems: {} };
  for (const { method, path, request, status, type, body } of seen) {
    const id = operationOf(document, method, path)?.operationId as string;
    if (type === 'application/problem+json') found.problems[body.code as ErrorCode] ??= body;
    if (type !== 'application/json') continue;
    found.answers[id] ??= {};
    const known = found.answers[id] as Json;
    if (known[status] === undefined || isEmpty(known[status])) known[status] = shortened(body);
    if (request !== undefined) found.requests[id] ??= shortened(request);
  }
  return found;
}

/** A list without items shows nothing: the next answer of its kind is the better example. */
const isEmpty = (body: unknown) =>
  Object.values(body as Json).some((value) => Array.isArray(value) && value.length === 0) &&
  Object.keys(body as Json).length === 1;

/** What an answer looks like: the names of its fields, and of those of the first item of its lists. */
function shape(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.length > 0 && depth < 3 ? [shape(value[0], depth + 1)] : [];
  if (typeof value !== 'object' || value === null || depth >= 3) return null;
  const open = ['view', 'action', 'data', 'order', 'options'];
  const fields = Object.entries(value).filter(([name]) => !name.endsWith('Schema') && !open.includes(name));
  return Object.fromEntries(fields.sort().map(([name, inner]) => [name, shape(inner, depth + 1)]));
}

it('every answer of the scenario is as described', () => {
  const fault = documentedBy(document);
  const faults = seen
    .filter(({ type }) => type.endsWith('json'))
    .map((answer) => [answer.method, answer.path, answer.status, fault(answer)])
    .filter(([, , , said]) => said !== null);
  expect(faults).toEqual([]);
});

it('every operation that answers with JSON has an example, and so has every refusal that can occur', () => {
  const wanted = Object.values(document.paths).flatMap((path) =>
    Object.values(path).flatMap(({ operationId, responses }) =>
      Object.entries(responses)
        .filter(([, { content }]) => content?.['application/json'])
        .map(([status]) => `${operationId} ${status}`),
    ),
  );
  const has = (name: string) => {
    const [id, status] = name.split(' ') as [string, string];
    return examples.answers[id]?.[status] !== undefined;
  };
  expect(wanted.filter((name) => !has(name))).toEqual([]);
  const met = new Set(seen.filter(({ type }) => type.endsWith('problem+json')).map(({ body }) => body.code));
  expect([...met].filter((code) => !((code as string) in examples.problems))).toEqual([]);
  expect(met.size).toBeGreaterThan(15);
});

describe('every example', () => {
  it('is valid', () => {
    const fault = documentedBy(document);
    const faults: unknown[] = [];
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) {
        for (const [status, body] of Object.entries(examples.answers[operationId as string] ?? {})) {
          const said = fault({ method, path, status: Number(status), type: 'application/json', body });
          if (said !== null) faults.push([operationId, status, said]);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('looks like a real answer', () => {
    const now = collected();
    const shapes = ({ answers, problems }: Examples) => ({
      answers: Object.fromEntries(
        Object.entries(answers)
          .filter(([id]) => id !== 'exportMatch')
          .map(([id, byStatus]) => [id, shape(byStatus)]),
      ),
      problems: shape(problems),
    });
    expect(shapes(examples)).toEqual(shapes(now));
  });
});
