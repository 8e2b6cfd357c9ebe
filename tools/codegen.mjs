import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { parse } from 'graphql';

// node tools/codegen.mjs [schema folder] [output file]: types of the resolvers that schema/*.graphql asks for.

const root = new URL('..', import.meta.url);
const [
  folder = fileURLToPath(new URL('schema', root)),
  out = fileURLToPath(new URL('src/generated/graphql.ts', root)),
] = process.argv.slice(2);

const config = {
  useTypeImports: true,
  enumsAsTypes: true,
  skipTypename: true,
  strictScalars: true,
  avoidOptionals: { field: true, defaultValue: true },
  scalars: { ID: 'string', JSON: 'unknown', DateTime: { input: 'Date', output: 'Date' } },
  contextType: '../api/context.ts#Context',
  makeResolverTypeCallable: true,
  // What a resolver returns need not be complete: field resolvers fill in the rest.
  defaultMapper: 'Partial<{T}>',
};

const files = await readdir(folder).catch(() => []);
const sources = files.filter((f) => f.endsWith('.graphql')).sort();
if (sources.length === 0) {
  console.log('codegen: there is no schema/*.graphql yet');
  process.exit(0);
}
const sdl = (await Promise.all(sources.map((f) => readFile(`${folder}/${f}`, 'utf8')))).join('\n');
const content = await codegen({
  filename: out,
  schema: parse(sdl),
  documents: [],
  config,
  plugins: [{ typescript: {} }, { resolvers: {} }],
  pluginMap: { typescript, resolvers },
});
await mkdir(new URL('.', `file://${out}`), { recursive: true });
await writeFile(out, `/* Generated from schema/*.graphql by npm run generate. Do not edit. */\n${content}`);
