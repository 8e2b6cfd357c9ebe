/**
 * Checks the contracts with common tools: OpenAPI with Redocly and Spectral, AsyncAPI with its parser. Spectral and the
 * parser are large, so npx fetches them at these versions and `npm ci` does not.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { appWithoutServices } from './stub-services.ts';

const SPECTRAL = '@stoplight/spectral-cli@6.16.3';

const dir = mkdtempSync(join(tmpdir(), 'atoll-contracts-'));
const app = await appWithoutServices();
for (const name of ['openapi.json', 'asyncapi.json'])
  writeFileSync(join(dir, name), (await app.inject(`/${name}`)).payload);
// Spectral has the rules of both contracts; those of AsyncAPI use its parser. Only the operator can name a contact.
const rules = { 'asyncapi-info-contact-properties': 'off', 'asyncapi-latest-version': 'off' };
writeFileSync(join(dir, 'rules.json'), JSON.stringify({ extends: ['spectral:oas', 'spectral:asyncapi'], rules }));

const redocly = resolve('node_modules/@redocly/cli/bin/cli.js');
const spectral = ['--yes', '--package', SPECTRAL, 'spectral', 'lint', '--fail-severity', 'warn', '-r', 'rules.json'];
const runs: [string, string[]][] = [
  [process.execPath, [redocly, 'lint', 'openapi.json']],
  ['npx', [...spectral, 'openapi.json', 'asyncapi.json']],
];
const failed = runs.filter(
  ([command, args]) =>
    spawnSync(command, args, {
      cwd: dir,
      stdio: 'inherit',
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    }).status !== 0,
);
rmSync(dir, { recursive: true });
process.exit(failed.length > 0 ? 1 : 0);
