/**
 * Writes the operations of the browser's table and of the client library as TypeScript, from the SDL and their .graphql
 * files.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';

const root = new URL('../', import.meta.url);
const dir = new URL('schema/', root);
const files = (await readdir(dir)).filter((file) => file.endsWith('.graphql')).sort();
const sdl = (await Promise.all(files.map((file) => readFile(new URL(file, dir), 'utf8')))).join('\n');

const config = {
  useTypeImports: true,
  enumsAsTypes: true,
  skipTypename: true,
  strictScalars: true,
  arrayInputCoercion: false,
  scalars: { ID: 'string', JSON: 'unknown', DateTime: 'string' },
};

async function write(file, text) {
  const out = new URL(file, root);
  await mkdir(new URL('.', out), { recursive: true });
  await writeFile(out, text);
}

// The texts are made here, so that the page needs no GraphQL parser. Each contains the fragments that it uses.
function textsOf(document) {
  const fragments = new Map(
    document.definitions.filter((d) => d.kind === Kind.FRAGMENT_DEFINITION).map((d) => [d.name.value, d]),
  );
  const used = (node, names = new Set()) => {
    visit(node, {
      FragmentSpread({ name: { value } }) {
        if (names.has(value)) return;
        names.add(value);
        used(fragments.get(value), names);
      },
    });
    return names;
  };
  return document.definitions
    .filter((d) => d.kind === Kind.OPERATION_DEFINITION)
    .map((d) => {
      const name = d.name.value;
      const type = `${name}${d.operation[0].toUpperCase()}${d.operation.slice(1)}`;
      const text = [d, ...[...used(d)].map((fragment) => fragments.get(fragment))].map(print).join('\n');
      return `export const ${name}: Operation<${type}, ${type}Variables> = ${JSON.stringify(stripIgnoredCharacters(text))};`;
    });
}

async function writeOperations(folder) {
  const source = `${folder}/operations.graphql`;
  const document = parse(await readFile(new URL(source, root), 'utf8'));
  const types = await codegen({
    filename: 'operations.ts',
    schema: parse(sdl),
    documents: [{ location: source, document }],
    config,
    plugins: [{ operations: {} }],
    pluginMap: { operations },
  });
  await write(
    `${folder}/generated/operations.ts`,
    `/* Generated from ${source} and schema/*.graphql by npm run generate. Do not edit. */
${types}
/** The text of an operation, which knows what it asks for and what it is answered with. */
export type Operation<Answer, Variables> = string & { readonly answer?: Answer; readonly variables?: Variables };

${textsOf(document).join('\n')}
`,
  );
}

/** Every type of the contract, for users who write operations of their own. */
async function writeSchema(file) {
  const types = await codegen({
    filename: 'schema.ts',
    schema: parse(sdl),
    documents: [],
    config,
    plugins: [{ typescript: {} }],
    pluginMap: { typescript },
  });
  await write(file, `/* Generated from schema/*.graphql by npm run generate. Do not edit. */\n${types}`);
}

/** The codes of src/errors.ts, read from its text, because Node 20 cannot run TypeScript. */
async function writeCodes(file) {
  const [, table = ''] =
    /STATUS = \{(.*?)\} as const/s.exec(await readFile(new URL('src/errors.ts', root), 'utf8')) ?? [];
  const codes = [...table.matchAll(/^ {2}([A-Z_]+): \d+,$/gm)].map(([, code]) => `  '${code}',\n`);
  if (codes.length === 0) throw new Error('src/errors.ts has no table of codes that can be read');
  const head = '/* Generated from src/errors.ts by npm run generate. Do not edit. */';
  await write(file, `${head}\nexport const SERVER_CODES = [\n${codes.join('')}] as const;\n`);
}

await writeOperations('web/src');
await writeOperations('packages/client/src');
await writeSchema('packages/client/src/generated/schema.ts');
await writeCodes('packages/client/src/generated/codes.ts');
