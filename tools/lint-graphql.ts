/**
 * Checks the GraphQL contract with the recommended and Relay rules of graphql-eslint. The plugin is large, so it is
 * fetched into a temporary folder at these versions, and `npm ci` does not install it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, printSchema } from 'graphql';
import { readSchema } from '../src/api/graphql/schema.ts';

const PACKAGE = {
  private: true,
  type: 'module',
  dependencies: { '@graphql-eslint/eslint-plugin': '4.4.1', eslint: '9.39.5', graphql: '16.15.0' },
  // Needed only by the plugin's loader of remote schemas, which is not used here, so any version is fine.
  overrides: { '@graphql-tools/batch-execute': '10.2.0' },
};

/**
 * Values that belong to an object with an id, and answers that are read once: there is nothing to find again by an id.
 */
const WITHOUT_ID = [
  ...['Account', 'Clock', 'Effect', 'EmailAddress', 'ErrorCode', 'LegalAction', 'LobbyChange', 'Minutes', 'Origin'],
  ...['PageInfo', 'Privacy', 'Receipt', 'Registration', 'Result', 'Ticket', 'Turn', 'UndoCheck', 'WebhookSecret'],
];

const CONFIG = `
import graphql from '@graphql-eslint/eslint-plugin';
export default [{
  files: ['*.graphql'],
  languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: 'schema.graphql' } } },
  plugins: { '@graphql-eslint': graphql },
  rules: {
    ...graphql.configs['flat/schema-recommended'].rules,
    ...graphql.configs['flat/schema-relay'].rules,
    '@graphql-eslint/strict-id-in-types': ['error', {
      exceptions: { types: ${JSON.stringify(WITHOUT_ID)}, suffixes: ['Connection', 'Edge'] },
    }],
    // Lists that are short by nature, such as seats and scores, stay lists.
    '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false }],
  },
}];
`;

const dir = mkdtempSync(join(tmpdir(), 'atoll-graphql-'));
const write = (name: string, text: string) => writeFileSync(join(dir, name), text);
write('package.json', JSON.stringify(PACKAGE));
write('eslint.config.js', CONFIG);
// The field `ticket` of the type Ticket is in use, so it keeps its name.
const allowed = '  # eslint-disable-next-line @graphql-eslint/no-typename-prefix\n  ticket: String!';
write('schema.graphql', printSchema(buildSchema(readSchema())).replace('  ticket: String!', allowed));

const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: dir, stdio: 'inherit' }).status;
const failed =
  run('npm', 'install', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel', 'error') !== 0 ||
  run('npx', 'eslint', '--max-warnings', '0', 'schema.graphql') !== 0;
rmSync(dir, { recursive: true });
if (!failed) console.log('The GraphQL contract passes the recommended and Relay rules of graphql-eslint.');
process.exit(failed ? 1 : 0);
