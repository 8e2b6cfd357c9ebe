import { readdirSync, readFileSync } from 'node:fs';

/** This file lies three folders below the root, both in src/ and in dist/. */
const FOLDER = new URL('../../../schema/', import.meta.url);

/** The GraphQL contract: all of schema/*.graphql. */
export function readSchema(folder: URL = FOLDER): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  return files
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
}
