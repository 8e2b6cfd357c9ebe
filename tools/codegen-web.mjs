/** The browser's operations as TypeScript, from the SDL and web/src/operations.graphql. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as operations from '@graphql-codegen/typescript-operations';
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';

const root = new URL('../', import.meta.url);
const dir = new URL('schema/', root);
const files = (await readdir(dir)).filter((file) => file.endsWith('.graphql')).sort();
const sdl = (await Promise.all(files.map((file) => readFile(new URL(file, dir), 'utf8')))).join('\n');

// The texts are made here, so that the page needs no parser of GraphQL; each holds the fragments that it uses.
const source = 'web/src/operations.graphql';
const document = parse(await readFile(new URL(source, root), 'utf8'));
const fragments = new Map(
  document.definitions.filter((d) => d.kind === Kind.FRAGMENT_DEFINITION).map((d) => [d.name.value, d]),
);

function used(node, names = new Set()) {
  visit(node, {
    FragmentSpread({ name: { value } }) {
      if (names.has(value)) return;
      names.add(value);
      used(fragments.get(value), names);
    },
  });
  return names;
}

const texts = document.definitions
  .filter((d) => d.kind === Kind.OPERATION_DEFINITION)
  .map((d) => {
    const name = d.name.value;
    const type = `${name}${d.operation[0].toUpperCase()}${d.operation.slice(1)}`;
    const text = [d, ...[...used(d)].map((fragment) => fragments.get(fragment))].map(print).join('\n');
    return `export const ${name}: Operation<${type}, ${type}Variables> = ${JSON.stringify(stripIgnoredCharacters(text))};`;
  });

const types = await codegen({
  filename: 'operations.ts',
  schema: parse(sdl),
  documents: [{ location: source, document }],
  config: {
    useTypeImports: true,
    enumsAsTypes: true,
    skipTypename: true,
    strictScalars: true,
    arrayInputCoercion: false,
    scalars: { ID: 'string', JSON: 'unknown', DateTime: 'string' },
  },
  plugins: [{ operations: {} }],
  pluginMap: { operations },
});

const out = new URL('web/src/generated/operations.ts', root);
await mkdir(new URL('.', out), { recursive: true });
await writeFile(
  out,
  `/* Generated from ${source} and schema/*.graphql by npm run generate. Do not edit. */
${types}
/** The text of an operation, which knows what it asks for and what it is answered with. */
export type Operation<Answer, Variables> = string & { readonly answer?: Answer; readonly variables?: Variables };

${texts.join('\n')}
`,
);
