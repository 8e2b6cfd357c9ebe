import { readdirSync, readFileSync } from 'node:fs';

/** In src/ and in dist/ alike this file lies three folders below the root. */
const FOLDER = new URL('../../../schema/', import.meta.url);

/** The GraphQL contract: all of schema/*.graphql. */
export function readSchema(folder: URL = FOLDER): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  return files
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
}
