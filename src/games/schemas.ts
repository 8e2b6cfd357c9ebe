/** The JSON Schemas of a game as one document whose parts have names, so that generated types have names too. */
import type { Game } from './game.ts';

type Json = { [key: string]: unknown };

interface Naming {
  defs: Json;
  /** The name of each named part, by its text. */
  byText: Map<string, string>;
}

const ROOTS = ['Options', 'Action', 'View', 'Effect', 'Order'];
/** A list of values that is longer than this is given a name. */
const LONGEST_ENUM = 60;

const pascal = (key: string): string =>
  key.replace(/(?:^|[^a-zA-Z0-9]+)([a-zA-Z0-9])/g, (_, c: string) => c.toUpperCase());
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const constOf = (schema: unknown, key: string): unknown =>
  ((schema as Json).properties as Record<string, Json>)?.[key]?.const;

function named({ defs, byText }: Naming, wanted: string, parent: string, schema: Json): Json {
  const text = JSON.stringify(schema);
  const known = byText.get(text);
  if (known) return { $ref: `#/$defs/${known}` };
  const isFree = (name: string) => !(name in defs) && !ROOTS.includes(name);
  let name = isFree(wanted) ? wanted : `${parent}${wanted}`;
  for (let n = 2; !isFree(name); n++) name = `${parent}${wanted}${n}`;
  defs[name] = { title: name, ...schema };
  byText.set(text, name);
  return { $ref: `#/$defs/${name}` };
}

/** A union of literals becomes an enum; a union of objects with a type is discriminated by it. */
function union(naming: Naming, schema: Json, name: string, parent: string): Json {
  const { anyOf, ...rest } = schema as { anyOf: Json[] };
  if (anyOf.every((member) => 'const' in member)) return { ...rest, enum: anyOf.map((member) => member.const) };
  const isTagged = anyOf.every((member) => typeof constOf(member, 'type') === 'string');
  if (!isTagged) return { ...rest, anyOf: anyOf.map((member) => part(naming, member, name, parent)) };
  const oneOf = anyOf.map((member) => {
    const own = `${pascal(String(constOf(member, 'type')))}${name}`;
    return named(naming, own, parent, inner(naming, member, own));
  });
  return { ...rest, oneOf, discriminator: { propertyName: 'type' } };
}

/** The parts of a schema, with names. */
function inner(naming: Naming, schema: Json, name: string): Json {
  const out: Json = { ...schema };
  if (isObject(schema.properties))
    out.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [key, part(naming, value as Json, pascal(key), name)]),
    );
  if (isObject(schema.items)) out.items = part(naming, schema.items, singular(name), name);
  else if (Array.isArray(schema.items)) out.items = schema.items.map((item) => part(naming, item, name, name));
  for (const key of ['patternProperties', 'additionalProperties'] as const)
    if (isObject(schema[key]))
      out[key] =
        key === 'additionalProperties'
          ? part(naming, schema[key], singular(name), name)
          : Object.fromEntries(
              Object.entries(schema[key]).map(([k, value]) => [k, part(naming, value as Json, singular(name), name)]),
            );
  return out;
}

/** A part of a schema: objects and long lists of values are given names. */
function part(naming: Naming, schema: Json, name: string, parent: string): Json {
  const found = Array.isArray(schema.anyOf) ? union(naming, schema, name, parent) : inner(naming, schema, name);
  const isLong = Array.isArray(found.enum) && JSON.stringify(found.enum).length > LONGEST_ENUM;
  return isObject(found.properties) || isLong || found.oneOf ? named(naming, name, parent, found) : found;
}

const made = new WeakMap<Game, Json>();

/** All schemas of one version of a game's rules: Options, Action, View and, where the game has them, Effect and Order. */
export function schemasOf(game: Game): Json {
  const known = made.get(game) ?? documentOf(game);
  made.set(game, known);
  return known;
}

function documentOf(game: Game): Json {
  const { options, action, view, effect } = game.schema;
  const roots = { Options: options, Action: action, View: view, Effect: effect, Order: game.orders?.schema };
  const naming: Naming = { defs: {}, byText: new Map() };
  const found: Json = {};
  for (const [name, schema] of Object.entries(roots)) {
    if (!schema) continue;
    const plain = JSON.parse(JSON.stringify(schema)) as Json;
    const body = Array.isArray(plain.anyOf) ? union(naming, plain, name, name) : inner(naming, plain, name);
    found[name] = { title: name, ...body };
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:atoll:${game.id}:${game.rules}`,
    title: `${game.name}, rules ${game.rules}`,
    $defs: { ...found, ...naming.defs },
  };
}
