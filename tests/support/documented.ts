/** Compares answers with the OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Json } from './api.ts';
import type { Answer } from './api-rest.ts';

interface Response {
  $ref?: string;
  description?: string;
  headers?: Json;
  content?: Record<string, { schema: Json; examples?: Json }>;
}

interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { name: string }[];
  security?: Record<string, string[]>[];
  responses: Record<string, Response>;
}

export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; responses: Record<string, Response> };
}

/** Every field that is not described counts as a fault, so that none is forgotten. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return inside.type === 'object' && inside.properties ? { additionalProperties: false, ...inside } : inside;
}

/** The operation that answers at a path. */
export function operationOf(document: OpenApi, method: string, path: string): Operation | undefined {
  const known = document.paths[path] ? path : Object.keys(document.paths).find((one) => patternOf(one).test(path));
  return known === undefined ? undefined : document.paths[known]?.[method.toLowerCase()];
}

const patternOf = (path: string) => new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`);

/** What is wrong with an answer, or null. */
export function documentedBy(document: OpenApi): (answer: Answer) => string | null {
  const { schemas, responses } = document.components;
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ $id: 'openapi', components: { schemas: closed(schemas) } });
  const checks = new Map<string, ReturnType<typeof ajv.compile>>();
  const check = (schema: Json) => {
    const { discriminator: _hint, ...rest } = schema;
    const text = JSON.stringify(closed(rest)).replaceAll('"#/components', '"openapi#/components');
    const known = checks.get(text) ?? ajv.compile(JSON.parse(text));
    checks.set(text, known);
    return known;
  };
  return ({ method, path, status, type, body }) => {
    const operation = operationOf(document, method, path);
    if (!operation) return 'there is no such route';
    const given = operation.responses[status];
    const response = given?.$ref ? responses[given.$ref.split('/').at(-1) as string] : given;
    if (!response) return `there is no answer ${status} ${JSON.stringify(body).slice(0, 100)}`;
    const schema = response.content?.[type]?.schema;
    if (!schema) return status === 204 ? null : `there is no answer of the type ${type}`;
    const valid = check(schema);
    return valid(body) ? null : `${ajv.errorsText(valid.errors)} in ${JSON.stringify(body).slice(0, 200)}`;
  };
}

/** The routes that the document describes, with * in place of ids; those with one of these tags, or those with none. */
export const routesOf = (document: OpenApi, few: string | string[], having: boolean): string[] =>
  Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags = [] }]) => tags.some((tag) => few.includes(tag)) === having)
        .map(([method]) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '*')}`),
    )
    .sort();
