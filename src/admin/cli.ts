/** `atoll admin`: the operator's commands, on the database that the servers use. */
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startLocalPostgres } from '../database/embedded/postgres.ts';
import { type Database, type DatabaseOptions, openDatabase } from '../database/pool.ts';
import { AtollError } from '../errors.ts';
import { registry } from '../games/registry.ts';
import { COMMANDS, type Command, UsageError } from './commands.ts';
import { openOperator } from './operator.ts';

const COMMON = {
  database: { type: 'string' },
  as: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const COMMON_HELP = `  --database <url>     the database; without it, DATABASE_URL or the embedded one under DATA_DIR
  --as <name>          your name for the audit; without it, your user name on this machine
  --json               prints JSON, for programs`;

const usage = (name: string, { takes, optional = 0 }: Command): string => {
  const needs = takes.map((one, i) => (i >= takes.length - optional ? `[${one}]` : `<${one}>`));
  return ['atoll admin', name, ...needs].join(' ');
};

function overview(): string {
  const list = Object.entries(COMMANDS).map(([name, command]) => [usage(name, command), command.summary] as const);
  const width = Math.max(...list.map(([how]) => how.length));
  return `Shows players and matches, and changes them where an operator must. Every change is recorded: see atoll admin audit.

${list.map(([how, summary]) => `  ${how.padEnd(width)}  ${summary}`).join('\n')}

${COMMON_HELP}

A player is named by id, or by name with or without a tag ("Ann #7KQ2"). Details: atoll admin <command> --help.
Exits with 0 on success, 1 if the command was refused, 2 if it was called incorrectly.`;
}

const helpOf = (name: string, command: Command): string =>
  [`${usage(name, command)}: ${command.summary}`, command.help, COMMON_HELP].filter(Boolean).join('\n\n');

/** Opens the database of the servers on this machine, whether embedded or given by a URL. */
export async function openTheirs(
  url: string | undefined,
  more: Pick<DatabaseOptions, 'coldUrl' | 'patient'> = {},
): Promise<{ database: Database; close(): Promise<void> }> {
  const given = url ?? process.env.DATABASE_URL;
  const embedded = given
    ? undefined
    : await startLocalPostgres(join(resolve(process.env.DATA_DIR || '.data'), 'postgres'), console.warn);
  const database = openDatabase({
    url: given ?? (embedded as NonNullable<typeof embedded>).url('atoll'),
    poolSize: 2,
    keys: process.env.ENCRYPTION_KEYS,
    coldUrl: process.env.COLD_STORAGE || undefined,
    ...more,
  });
  return {
    database,
    async close() {
      await database.close();
      await embedded?.stop();
    },
  };
}

function parsed(name: string, command: Command, args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { ...COMMON, ...command.options },
    });
    const { takes, optional = 0 } = command;
    if (!values.help && (positionals.length < takes.length - optional || positionals.length > takes.length))
      throw new UsageError(`Usage: ${usage(name, command)}`);
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
}

async function run(name: string, command: Command, args: readonly string[]): Promise<number> {
  const { values, positionals } = parsed(name, command, args);
  if (values.help) {
    console.log(helpOf(name, command));
    return 0;
  }
  const { database, close } = await openTheirs(values.database as string | undefined);
  try {
    const operator = openOperator(database, registry, (values.as as string | undefined) ?? userInfo().username);
    const { json, text } = await command.run({ database, operator }, positionals, values);
    console.log(values.json ? JSON.stringify(json, null, 2) : text);
    return 0;
  } finally {
    await close();
  }
}

/** The error of a missing table: the database is empty, or older than this program. */
const UNDEFINED_TABLE = /42P01|P2021|does not exist/;

export async function admin(args: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = args;
  const asked = name === 'help' ? rest.slice(0, 1).find((word) => !word.startsWith('-')) : name;
  const command = asked === undefined ? undefined : Object.entries(COMMANDS).find(([one]) => one === asked)?.[1];
  if (!command) {
    const isHelp = asked === undefined || asked === '--help' || asked === '-h';
    if (isHelp) console.log(overview());
    else console.error(`There is no command "${asked}".\n\n${overview()}`);
    return isHelp ? 0 : 2;
  }
  try {
    return await run(asked as string, command, name === 'help' ? ['--help'] : rest);
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    if (error instanceof UsageError) {
      console.error(`${message}\n\n${helpOf(asked as string, command)}`);
      return 2;
    }
    if (!(error instanceof AtollError) && UNDEFINED_TABLE.test(`${code} ${message}`))
      console.error('The tables of this database are missing or too old. Start the server once to create them.');
    else console.error(message || code);
    return 1;
  }
}
