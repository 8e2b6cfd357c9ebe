import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startLocalPostgres } from '../src/database/embedded/postgres.ts';
import { migrate } from '../src/database/migrate.ts';
import { drift } from './schema-engine.ts';

// npm run migration -- <name>: writes the migration that takes the tables to what prisma/schema.prisma says now.
// Read it before it is committed; constraints, triggers and functions are not compared.

const name = process.argv[2];
if (!name || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error('usage: npm run migration -- <name>, in small letters, digits and _');
  process.exit(1);
}

const base = resolve('.data', `migration-${process.pid}`);
const server = await startLocalPostgres(join(base, 'postgres'));
try {
  await server.createDatabase('scratch');
  await migrate(server.url('scratch'));
  const sql = await drift(server.url('scratch'), readFileSync('prisma/schema.prisma', 'utf8'));
  if (sql === '') {
    console.log('The migrations already make what schema.prisma describes.');
  } else {
    const stamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
    const folder = join('migrations', `${stamp}_${name}`);
    mkdirSync(folder);
    writeFileSync(join(folder, 'migration.sql'), sql);
    console.log(`${folder}/migration.sql\n\n${sql}`);
  }
} finally {
  await server.stop();
  rmSync(base, { recursive: true, force: true });
}
