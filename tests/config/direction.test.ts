/** Proves that the lint rules for the direction of calls fail as they should, on a copy of the configuration. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const dir = mkdtempSync(join(tmpdir(), 'atoll-direction-'));
afterAll(() => rmSync(dir, { recursive: true }));
beforeAll(() => {
  mkdirSync(join(dir, 'tools'));
  for (const file of ['biome.json', 'tools/purity.grit']) cpSync(file, join(dir, file));
});

/** What the linter says of a file that imports another. */
function lint(file: string, imported: string): string {
  rmSync(join(dir, 'src'), { recursive: true, force: true });
  mkdirSync(dirname(join(dir, file)), { recursive: true });
  writeFileSync(join(dir, file), `import { y } from '${imported}';\n\nexport const x = y;\n`);
  const biome = resolve('node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'lint', '--vcs-enabled=false', 'src'];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: dir, encoding: 'utf8' });
  return stdout + stderr;
}

it.each([
  ['src/matches/log/store.ts', '../../api/present.ts'],
  ['src/matches/commands/act.ts', '../../notices/outbox.ts'],
  ['src/matches/service.ts', '../services.ts'],
  ['src/games/play.ts', '../matches/log/match.ts'],
  ['src/games/registry.ts', '../database/pool.ts'],
  ['src/games/hashi/rules.ts', '../cacao/data.ts'],
  ['src/players/service.ts', '../matches/service.ts'],
  ['src/bus/bus.ts', '../matches/live/hints.ts'],
  ['src/notices/outbox.ts', '../api/present.ts'],
  ['src/bots/choose.ts', '../matches/log/match.ts'],
  ['src/api/http/callers/identity.ts', '../../graphql/transport.ts'],
  ['src/api/graphql/http.ts', '../rest/answers.ts'],
  ['src/api/rest/games.ts', '../graphql/schema.ts'],
])('%s may not import %s', (file, imported) => {
  expect(lint(file, imported)).toContain('noRestrictedImports');
});

it.each([
  ['src/api/rest/games.ts', '../present.ts'],
  ['src/api/present.ts', '../matches/log/records.ts'],
  ['src/matches/log/match.ts', '../../games/play.ts'],
  ['src/notices/outbox.ts', '../matches/log/append.ts'],
  ['src/services.ts', './matches/service.ts'],
])('%s may import %s', (file, imported) => {
  expect(lint(file, imported)).toMatch(/Checked 1 file.*No fixes applied/);
});
