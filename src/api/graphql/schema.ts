import { readdirSync, readFileSync } from 'node:fs';
import { ROOT } from '../../root.ts';

const FOLDER = new URL('schema/', ROOT);

/** The GraphQL contract: all of schema/*.graphql. */
export function readSchema(folder: URL = FOLDER): string {
  const files = readdirSync(folder).filter((name) => name.endsWith('.graphql'));
  return files
    .sort()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
}
