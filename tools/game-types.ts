/** `npm run types -- <game> [--rules n]`: the actions, views and options of a game as TypeScript, from its JSON Schemas. */
import { parseArgs } from 'node:util';
import { registry } from '../src/games/registry.ts';
import { schemasOf } from '../src/games/schemas.ts';

type Json = { [key: string]: unknown };

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replace(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
const SIMPLE: Record<string, string> = {
  integer: 'number',
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  null: 'null',
};

function typeOf(schema: Json): string {
  const { $ref, type, items, anyOf, oneOf, patternProperties, additionalProperties } = schema;
  if (typeof $ref === 'string') return $ref.replace('#/$defs/', '');
  if ('const' in schema) return literal(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map(literal).join(' | ');
  const either = (anyOf ?? oneOf) as Json[] | undefined;
  if (either) return either.map(typeOf).join(' | ');
  if (Array.isArray(items)) return `[${(items as Json[]).map(typeOf).join(', ')}]`;
  if (type === 'array') {
    const item = items ? typeOf(items as Json) : 'unknown';
    return item.includes(' ') ? `(${item})[]` : `${item}[]`;
  }
  if (schema.properties) return body(schema);
  const [values] = Object.values((patternProperties as Json) ?? {});
  if (values ?? (typeof additionalProperties === 'object' && additionalProperties))
    return `Record<string, ${typeOf((values ?? additionalProperties) as Json)}>`;
  return SIMPLE[type as string] ?? 'unknown';
}

const comment = (text: unknown, indent = ''): string =>
  text ? `${indent}/** ${String(text).replaceAll('*/', '* /')} */\n` : '';

function body({ properties = {}, required = [] }: Json): string {
  const lines = Object.entries(properties as Record<string, Json>).map(([key, value]) => {
    const name = /^[a-zA-Z_]\w*$/.test(key) ? key : literal(key);
    return `${comment(value.description, '  ')}  ${name}${(required as string[]).includes(key) ? '' : '?'}: ${typeOf(value)};`;
  });
  return lines.length > 0 ? `{\n${lines.join('\n')}\n}` : 'Record<string, never>';
}

/** Every part of the document as a type of its own. */
export function typesOf(document: Json): string {
  const types = Object.entries(document.$defs as Record<string, Json>).map(([name, schema]) => {
    const head = comment(schema.description);
    const text = typeOf(schema);
    if (text.startsWith('{')) return `${head}export interface ${name} ${text}`;
    return `${head}export type ${name} =\n  | ${text.replaceAll(' | ', '\n  | ')};`;
  });
  return `/* ${document.title}. Generated from ${document.$id}. */\n\n${types.join('\n\n')}\n`;
}

if (process.argv[1]?.endsWith('game-types.ts')) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { rules: { type: 'string' }, help: { type: 'boolean' } },
  });
  const [id] = positionals;
  if (values.help || !id)
    console.log('npm run types -- <game> [--rules n]: its actions, views and options as TypeScript');
  else
    console.log(typesOf(schemasOf(registry.game(id, values.rules === undefined ? undefined : Number(values.rules)))));
}
