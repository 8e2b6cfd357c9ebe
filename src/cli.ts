#!/usr/bin/env node
/** The commands of `npx atoll`: proofs, backups, cold storage and the operator's commands. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { backup, restore } from './database/embedded/backup.ts';
import { startLocalPostgres } from './database/embedded/postgres.ts';
import { openDatabase } from './database/pool.ts';
import { reseal } from './database/secrets/reseal.ts';
import { EMBEDDED_DATABASE } from './database/storage.ts';
import { registry } from './games/registry.ts';
import { documentIn } from './matches/archive/file.ts';
import { checkDatabase } from './matches/proof/check-database.ts';
import { type Saved, verify } from './matches/proof/verify.ts';

const HELP = `
Commands for players who prove a match, and for operators of a server.

  atoll verify <file> …              proves exported matches, or files of cold storage; needs no server and no database
  atoll verify --database <url>      proves every match of a database
  atoll backup <folder>              copies the embedded database to a new folder, even while the server runs, and
                                     proves every match in the copy
  atoll restore <folder>             restores such a copy where there is no embedded database yet, and proves it
  atoll reseal --database <url>      encrypts every seed and secret with the first of ENCRYPTION_KEYS
  atoll archive                      moves the logs of ended matches to cold storage: see atoll archive --help
  atoll bring-back                   puts them back into the database
  atoll admin                        shows, bans, renames and cancels: see atoll admin --help

  --commitment <value>               verify, with one file: the commitment that you saved when you sat down
  --entropy <value>                  verify, with one file: the entropy that you sent when you sat down
  --cold <url>                       verify --database, backup and restore: COLD_STORAGE
  --data <folder>                    backup and restore: DATA_DIR (.data)

A proof replays a match, looks up every action in the legal list, repeats every draw from the committed seed, and checks
both chains of hashes. Without commitment and entropy it shows that the document is consistent, but not that it is the
match you sat down to.

Exits with 0 if everything is proven, 1 if something is wrong, 2 if it was called incorrectly.`;

const OLD_DRAWS = `  Its draws depend on version numbers, as in all matches opened before draws were counted: someone who knew its
  seed could have steered them with orders that change nothing (docs/fairness.md).`;

/** The document of an export, or the one in a file from cold storage. */
async function documentOf(file: string): Promise<unknown> {
  const bytes = readFileSync(file);
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return JSON.parse(isCompressed ? await documentIn(bytes) : bytes.toString());
}

async function verifyFile(file: string, saved: Saved): Promise<boolean> {
  try {
    const { match, actions, undone, draws } = verify(registry, await documentOf(file), { saved });
    const checked = `${match.version} events, ${actions} actions valid, ${undone} taken back, ${draws} draws made again`;
    console.log(
      `${file}: proven. ${match.engine.name}, rules ${match.rules}, ${checked}; seed as committed, hashes unbroken.`,
    );
    if (match.draws === 1) console.log(OLD_DRAWS);
    return true;
  } catch (error) {
    console.log(`${file}: NOT PROVEN. ${(error as Error).message}`);
    return false;
  }
}

async function verifyDatabase(url: string, coldUrl: string | undefined): Promise<boolean> {
  const database = openDatabase({ url, coldUrl, poolSize: 2, keys: process.env.ENCRYPTION_KEYS, patient: true });
  const show = (line: string) => process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : '');
  try {
    const { matches, events, archived, faults } = await checkDatabase(database, registry, (done, total) => {
      const width = 30;
      const bar = '#'.repeat(Math.round((width * done) / Math.max(1, total))).padEnd(width, '.');
      show(`[${bar}] ${done} of ${total} matches`);
    });
    show('');
    for (const { id, fault } of faults) console.log(`${id}: NOT PROVEN. ${fault}`);
    console.log(`${matches} matches, ${events} events, ${faults.length} not proven.`);
    if (archived > 0) console.log(`${archived} of them lie in cold storage, which needs a backup of its own.`);
    return faults.length === 0;
  } finally {
    await database.close();
  }
}

async function resealed(url: string): Promise<number> {
  const database = openDatabase({ url, poolSize: 2, keys: process.env.ENCRYPTION_KEYS, patient: true });
  try {
    const { matches, webhooks, pushKeys } = await reseal(database);
    console.log(`Sealed anew: matches ${matches}, webhooks ${webhooks}, push keys ${pushKeys}.`);
    return 0;
  } finally {
    await database.close();
  }
}

/** Starts a copied cluster and proves every match in it. */
async function proveCluster(dir: string, coldUrl: string | undefined): Promise<number> {
  const server = await startLocalPostgres(dir);
  try {
    return (await verifyDatabase(server.url(EMBEDDED_DATABASE), coldUrl)) ? 0 : 1;
  } finally {
    await server.stop();
  }
}

async function copied(command: string, folder: string, data: string, coldUrl: string | undefined): Promise<number> {
  if (command === 'backup') {
    const target = await backup(data, folder);
    console.log(`Copied to ${target}.`);
    return proveCluster(target, coldUrl);
  }
  console.log(`Restored to ${await restore(folder, data)}.`);
  return proveCluster(join(resolve(data), 'postgres'), coldUrl);
}

async function main(): Promise<number> {
  const [first, ...rest] = process.argv.slice(2);
  if (first === 'admin') return (await import('./admin/cli.ts')).admin(rest);
  if (first === 'archive' || first === 'bring-back')
    return (await import('./admin/archive.ts')).archiveCommand(first, rest);
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      database: { type: 'string' },
      commitment: { type: 'string' },
      entropy: { type: 'string' },
      data: { type: 'string' },
      cold: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  const [command, ...files] = positionals;
  if (values.help) {
    console.log(HELP.trim());
    return 0;
  }
  if (command === 'reseal' && files.length === 0 && values.database !== undefined) return resealed(values.database);
  const cold = values.cold ?? (process.env.COLD_STORAGE || undefined);
  const [folder] = files;
  if ((command === 'backup' || command === 'restore') && files.length === 1 && folder !== undefined) {
    return copied(command, folder, values.data ?? process.env.DATA_DIR ?? '.data', cold);
  }
  const { commitment, entropy } = values;
  const one = files.length === 1 || (commitment === undefined && entropy === undefined);
  if (command !== 'verify' || files.length > 0 === (values.database !== undefined) || !one) {
    console.error(`Name a command and what to verify.\n${HELP}`);
    return 2;
  }
  if (values.database !== undefined) return (await verifyDatabase(values.database, cold)) ? 0 : 1;
  let proven = true;
  for (const file of files) proven = (await verifyFile(file, { commitment, entropy })) && proven;
  return proven ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
