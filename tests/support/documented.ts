/** Compares answers with what the OpenAPI document says of them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Json } from './api.ts';
import type { Answer } from './api-rest.ts';

interface Operation {
  tags?: string[];
  responses: Record<string, { content?: Record<string, { schema: Json }> }>;
}

export interface OpenApi {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
}

/** Every field that is not described counts as a fault, so that none is forgotten. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return inside.type === 'object' && inside.properties ? { additionalProperties: false, ...inside } : inside;
}

/** What is wrong with an answer, or null. */
export function documentedBy(document: OpenApi): (answer: Answer) => string | null {
  const { Problem, ...schemas } = document.components.schemas;
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  // Problems may say more than what is described.
  ajv.addSchema({ $id: 'openapi', components: { schemas: { ...(closed(schemas) as object), Problem } } });
  const checks = new Map<string, ReturnType<typeof ajv.compile>>();
  const check = (schema: Json) => {
    const text = JSON.stringify(closed(schema)).replaceAll('"#/components', '"openapi#/components');
    const known = checks.get(text) ?? ajv.compile(JSON.parse(text));
    checks.set(text, known);
    return known;
  };
  const templates = Object.keys(document.paths).map((path) => {
    const pattern = path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
    return { path, pattern: new RegExp(`^${pattern}$`) };
  });
  return ({ method, path, status, type, body }) => {
    const exact = templates.find((template) => template.path === path);
    const found = exact ?? templates.find(({ pattern }) => pattern.test(path));
    const operation = found && document.paths[found.path]?.[method.toLowerCase()];
    if (!operation) return 'there is no such route';
    const response = operation.responses[status] ?? (status >= 400 ? operation.responses.default : undefined);
    if (!response) return `there is no answer ${status}`;
    const schema = response.content?.[type]?.schema;
    if (!schema) return status === 204 ? null : `there is no answer of the type ${type}`;
    const valid = check(schema);
    return valid(body) ? null : ajv.errorsText(valid.errors);
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
