/** The client library as its users get it: packed, installed into an empty folder, type-checked, and used to play. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { registry } from '../../src/games/registry.ts';
import { type FreshDatabase, freshDatabase } from '../support/database.ts';
import { type Process, runProcess, type ServerProcess, startProcess } from '../support/process.ts';
import { freePort } from '../support/programs.ts';

const folder = mkdtempSync(join(tmpdir(), 'atoll-client-'));
const project = join(folder, 'project');
const started: Process[] = [];
/** The server comes back there; nobody else may get it meanwhile. */
const PORT = String(await freePort());
let database: FreshDatabase;
let server: ServerProcess;

function run(command: string, args: string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}

const bin = (name: string) => resolve('node_modules', '.bin', name);

/** As `npm run build:client && npm pack` does, but beside the working copy, which other tests use. */
function pack(): string {
  const copy = join(folder, 'package');
  const out = join(copy, 'dist');
  cpSync('packages/client', copy, { recursive: true, filter: (path) => !/\/(dist|src)$/.test(path) });
  run(bin('tsc'), ['-p', 'packages/client/tsconfig.build.json', '--outDir', out], '.');
  run(bin('vite'), ['build', 'packages/client', '--outDir', out, '--logLevel', 'warn'], '.');
  return join(folder, run('npm', ['pack', '--silent', '--pack-destination', folder], copy).trim());
}

beforeAll(async () => {
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', pack()], project);
  cpSync('tests/client/sample.ts', join(project, 'sample.ts'));
  database = await freshDatabase();
  server = await startProcess(database.url, { PORT });
  started.push(server);
});
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await Promise.all(started.map(({ exit }) => exit));
  await database.drop();
  rmSync(folder, { recursive: true });
});

it('type-checks in an empty project, strictly, declarations included', () => {
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false'];
  const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node'];
  const modern = ['--module', 'nodenext', '--target', 'es2023', '--outDir', project];
  expect(run(bin('tsc'), [...strict, ...types, ...modern, 'sample.ts'], project)).toBe('');
});

it('has no dependencies, and its main entry stays small', () => {
  const { dependencies = {} } = JSON.parse(readFileSync('packages/client/package.json', 'utf8')) as {
    dependencies?: object;
  };
  expect(dependencies).toEqual({});
  const entry = run(process.execPath, ['--input-type=module', '-e', MEASURE], project);
  expect(Number(entry)).toBeLessThan(60_000);
});

/** The bytes of the main entry and of everything that it imports. */
const MEASURE = `
  import { readFileSync } from 'node:fs';
  import { fileURLToPath } from 'node:url';
  const seen = new Map();
  const visit = (url) => {
    if (seen.has(url)) return;
    const text = readFileSync(fileURLToPath(url), 'utf8');
    seen.set(url, text.length);
    for (const [, next] of text.matchAll(/from '(\\..*?)'/g)) visit(new URL(next, url).href);
  };
  visit(import.meta.resolve('atoll-client'));
  console.log([...seen.values()].reduce((a, b) => a + b));`;

it('the first program of its README runs as it stands', async () => {
  const [, program = ''] = /```js\n(.*?)```/s.exec(readFileSync('packages/client/README.md', 'utf8')) ?? [];
  expect(program.trim().split('\n').length).toBeLessThanOrEqual(10);
  const file = join(project, 'first.js');
  writeFileSync(file, program.replace('http://localhost:4000', server.url));
  const first = runProcess([file]);
  started.push(first);
  expect([await first.exit, first.output()]).toEqual([
    0,
    expect.stringMatching(/points, rank \d\.\nProven: \d+ legal/),
  ]);
});

it('plays a whole match of each game over a restart, missing nothing and doing nothing twice', async () => {
  const sample = runProcess([join(project, 'sample.js'), server.url, ...registry.games.map(({ id }) => id)]);
  started.push(sample);
  const actedIn = (game: string) => sample.output().match(new RegExp(`^${game} \\d+$`, 'gm'))?.length ?? 0;
  const allUnderWay = () => registry.games.every(({ id }) => actedIn(id) >= 8);
  await expect.poll(allUnderWay, { timeout: 60_000, interval: 20 }).toBe(true);
  server.child.kill('SIGKILL');
  await server.exit;
  server = await startProcess(database.url, { PORT });
  started.push(server);
  const code = await sample.exit;
  if (code !== 0) expect.fail(sample.output().slice(-3000));
  for (const { id } of registry.games) expect(sample.output()).toMatch(new RegExp(`^${id} proven twice$`, 'm'));
}, 240_000);
