/** Rewrites every golden transcript and says which of them changed: read the diff before you commit it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { registry } from '../src/games/registry.ts';
import { transcripts } from './transcript.ts';

const dir = new URL('../tests/golden/', import.meta.url);
mkdirSync(dir, { recursive: true });
const before = new Map(readdirSync(dir).map((file) => [file, readFileSync(new URL(file, dir), 'utf8')]));

for (const { file, text } of transcripts(registry.games)) {
  const now = text();
  const old = before.get(file);
  before.delete(file);
  if (now === old) continue;
  writeFileSync(new URL(file, dir), now);
  console.log(`${old === undefined ? 'new    ' : 'changed'} tests/golden/${file}`);
}
for (const file of before.keys()) {
  rmSync(new URL(file, dir));
  console.log(`removed tests/golden/${file}`);
}
