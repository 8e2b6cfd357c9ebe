/** The subcommands of `atoll admin`: the arguments of each, its help text, and what it does. */
import type { ParseArgsConfig } from 'node:util';
import type { Database } from '../database/pool.ts';
import { shownName } from '../players/name.ts';
import { readAudit } from './audit.ts';
import { listMatches, listPlayers, listReports } from './lists.ts';
import type { Operator } from './operator.ts';
import { block, day, lines } from './print.ts';

export interface Desk {
  database: Database;
  operator: Operator;
}

/** What a command found or did, as JSON for programs and as text for people. */
export interface Outcome {
  json: unknown;
  text: string;
}

type Values = Record<string, string | boolean | undefined>;

export interface Command {
  /** The arguments that follow its name, in order. */
  takes: readonly string[];
  /** How many of them may be left out, counted from the end. */
  optional?: number;
  options?: NonNullable<ParseArgsConfig['options']>;
  summary: string;
  help: string;
  run(desk: Desk, given: readonly string[], values: Values): Promise<Outcome>;
}

/** The command was called incorrectly; the message says what is wrong. */
export class UsageError extends Error {}

const FIRST = { first: { type: 'string' } } as const;
const FIRST_HELP = '  --first <n>          lists at most this many (50 unless given)';
const MAX_FIRST = 10_000;

function wholeNumber(values: Values, name: string, byDefault: number | null, max: number): number | null {
  const text = values[name];
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (!/^\d+$/.test(String(text)) || value < 1 || value > max)
    throw new UsageError(`--${name} must be a number from 1 to ${max}.`);
  return value;
}

const firstOf = (values: Values): number => wholeNumber(values, 'first', 50, MAX_FIRST) as number;

function needed(values: Values, name: string): string {
  const text = values[name];
  if (typeof text === 'string' && text.trim() !== '') return text.trim();
  throw new UsageError(`--${name} is missing.`);
}

const textOf = (values: Values, name: string): string | undefined => values[name] as string | undefined;

const DAY_MS = 86_400_000;

const players: Command = {
  takes: ['search'],
  optional: 1,
  options: { ...FIRST, banned: { type: 'boolean' } },
  summary: 'lists players, or those whose names contain a text',
  help: `  --banned             only players who are banned\n${FIRST_HELP}`,
  async run({ database }, [search], values) {
    const found = await listPlayers(database.pool, { search, banned: values.banned === true, first: firstOf(values) });
    const text = lines(found, [
      ['id', ({ id }) => id],
      ['name', ({ name }) => name],
      ['kind', ({ kind, kept }) => (kind === 'BOT' ? 'bot' : kept ? 'account' : 'guest')],
      ['registered', ({ createdAt }) => day(createdAt)],
      ['seen', ({ seenAt }) => day(seenAt)],
      ['reports', ({ reports }) => (reports > 0 ? String(reports) : '')],
      ['banned', ({ banned }) => banned ?? ''],
    ]);
    return { json: found, text };
  },
};

const player: Command = {
  takes: ['player'],
  summary: 'shows a player with the tokens and unfinished matches',
  help: '  <player> is an id, or a name with or without a tag ("Ann #7KQ2").',
  async run({ database, operator }, [who]) {
    const found = await operator.player(who as string);
    const [row] = await listPlayers(database.pool, { id: found.id, first: 1 });
    const tokens = await database.prisma.token.findMany({
      where: { playerId: found.id, revokedAt: null },
      select: { id: true, name: true, createdAt: true },
      orderBy: { id: 'desc' },
    });
    const matches = await listMatches(database.pool, { playerId: found.id, first: 20 });
    const open = matches.filter(({ status }) => status === 'OPEN' || status === 'ACTIVE');
    return {
      json: { ...row, tag: found.tag, tokens, matches: open },
      text: [
        block({ ...row, name: shownName(found) }),
        'Live tokens:',
        lines(tokens, [
          ['id', ({ id }) => id],
          ['name', ({ name }) => name],
          ['made', ({ createdAt }) => day(createdAt)],
        ]),
        'Matches that are not over:',
        lines(open, MATCH_COLUMNS),
      ].join('\n'),
    };
  },
};

type MatchRow = Awaited<ReturnType<typeof listMatches>>[number];

const MATCH_COLUMNS: [string, (match: MatchRow) => string][] = [
  ['id', ({ id }) => id],
  ['game', ({ game }) => game],
  ['status', ({ status, visibility }) => (visibility === 'PRIVATE' ? `${status} private` : status)],
  ['version', ({ version }) => String(version)],
  ['last event', ({ lastEventAt }) => day(lastEventAt)],
  ['to act', ({ acting }) => acting.join(' ')],
  ['players', ({ players }) => players.map((name) => name ?? '-').join(', ')],
];

const matches: Command = {
  takes: [],
  options: { ...FIRST, player: { type: 'string' }, status: { type: 'string' }, game: { type: 'string' } },
  summary: 'lists matches',
  help: `  --player <player>    only matches that this player opened or sits in
  --status <status>    OPEN, ACTIVE, FINISHED or CANCELLED
  --game <id>          only matches of this game
${FIRST_HELP}`,
  async run({ database, operator }, _given, values) {
    const who = textOf(values, 'player');
    const found = await listMatches(database.pool, {
      playerId: who === undefined ? undefined : (await operator.player(who)).id,
      status: textOf(values, 'status'),
      game: textOf(values, 'game'),
      first: firstOf(values),
    });
    return { json: found, text: lines(found, MATCH_COLUMNS) };
  },
};

const ban: Command = {
  takes: ['player'],
  options: { reason: { type: 'string' }, days: { type: 'string' }, 'give-up': { type: 'boolean' } },
  summary: 'bans a player: within seconds, every request is refused',
  help: `  --reason <text>      the reason that the player is shown (required)
  --days <n>           the number of days; without it, the ban is permanent
  --give-up            also gives up the player's seats, so that nobody waits for them`,
  async run({ operator }, [who], values) {
    const reason = needed(values, 'reason');
    const days = wholeNumber(values, 'days', null, 36_500);
    const until = days === null ? null : new Date(Date.now() + days * DAY_MS);
    const found = await operator.player(who as string);
    await operator.ban(found, reason, until, values['give-up'] === true);
    const how = until === null ? 'for good' : `until ${until.toISOString()}`;
    return { json: { player: found, reason, until }, text: `${shownName(found)} is banned ${how}.` };
  },
};

const unban: Command = {
  takes: ['player'],
  summary: 'lifts the ban of a player',
  help: '',
  async run({ operator }, [who]) {
    const found = await operator.player(who as string);
    const lifted = await operator.unban(found);
    const text = lifted ? `${shownName(found)} is no longer banned.` : `${shownName(found)} was not banned.`;
    return { json: { player: found, lifted }, text };
  },
};

const rename: Command = {
  takes: ['player', 'name'],
  summary: 'renames a player',
  help: '  Pictures, lists and later notices show the new name. Documents that were exported keep the old one.',
  async run({ operator }, [who, name]) {
    const found = await operator.player(who as string);
    const renamed = await operator.rename(found, name as string);
    return { json: { from: found, to: renamed }, text: `${shownName(found)} is called ${shownName(renamed)} now.` };
  },
};

const close: Command = {
  takes: ['player'],
  options: { yes: { type: 'boolean' } },
  summary: 'deletes an account: forgets name, address and webhooks, ends all tokens and gives up all seats',
  help: '  --yes                required, because this cannot be undone; matches of other players stay verifiable',
  async run({ operator }, [who], values) {
    const found = await operator.player(who as string);
    if (values.yes !== true)
      throw new UsageError(
        `This would permanently close the account of ${shownName(found)} (${found.id}). Repeat the command with --yes.`,
      );
    await operator.close(found);
    return { json: { player: found }, text: `The account ${found.id} is closed.` };
  },
};

const cancel: Command = {
  takes: ['match'],
  options: { reason: { type: 'string' } },
  summary: 'calls off a match that is open or being played; nobody wins',
  help: `  --reason <text>      the reason, for the audit (required)

  This is an event of the match like any other: the log stays complete, and the export verifiable.`,
  async run({ operator }, [id], values) {
    await operator.cancel(id as string, needed(values, 'reason'));
    return { json: { match: id }, text: `The match ${id} is called off.` };
  },
};

const rotateInvite: Command = {
  takes: ['match'],
  summary: 'gives a private match a new invite; the old invite stops working',
  help: '',
  async run({ operator }, [id]) {
    const invite = await operator.rotateInvite(id as string);
    return { json: { match: id, invite }, text: `The new invite of the match ${id} is ${invite}` };
  },
};

const revokeTokens: Command = {
  takes: ['player'],
  options: { token: { type: 'string' } },
  summary: 'revokes all tokens, sessions and apps of a player, or a single token',
  help: '  --token <id>         only this token',
  async run({ operator }, [who], values) {
    const found = await operator.player(who as string);
    const count = await operator.revokeTokens(found, textOf(values, 'token'));
    return { json: { player: found, revoked: count }, text: `${count} tokens of ${shownName(found)} were revoked.` };
  },
};

const reports: Command = {
  takes: [],
  options: { ...FIRST, all: { type: 'boolean' } },
  summary: 'lists what players have reported',
  help: `  --all                includes reports that are closed\n${FIRST_HELP}`,
  async run({ database }, _given, values) {
    const found = await listReports(database.pool, values.all === true, firstOf(values));
    return {
      json: found,
      text: found.length === 0 ? 'There are no reports.' : found.map((one) => block(one)).join('\n'),
    };
  },
};

const closeReport: Command = {
  takes: ['report'],
  options: { note: { type: 'string' } },
  summary: 'closes a report',
  help: '  --note <text>        what was done about it (required)',
  async run({ operator }, [id], values) {
    await operator.closeReport(id as string, needed(values, 'note'));
    return { json: { report: id }, text: `The report ${id} is closed.` };
  },
};

const audit: Command = {
  takes: [],
  options: { ...FIRST, player: { type: 'string' }, match: { type: 'string' } },
  summary: 'lists what operators did, newest first',
  help: `  --player <player>    only what was done to this player
  --match <id>         only what was done to this match
${FIRST_HELP}`,
  async run({ database, operator }, _given, values) {
    const who = textOf(values, 'player');
    const found = await readAudit(database, {
      playerId: who === undefined ? undefined : (await operator.player(who)).id,
      matchId: textOf(values, 'match'),
      first: firstOf(values),
    });
    const text = lines(found, [
      ['at', ({ at }) => at.toISOString()],
      ['operator', ({ operator: name }) => name],
      ['action', ({ action }) => action],
      ['player', ({ playerId }) => playerId ?? ''],
      ['match', ({ matchId }) => matchId ?? ''],
      ['details', ({ details }) => JSON.stringify(details)],
    ]);
    return { json: found, text };
  },
};

export const COMMANDS: Readonly<Record<string, Command>> = {
  players,
  player,
  matches,
  ban,
  unban,
  rename,
  close,
  cancel,
  'rotate-invite': rotateInvite,
  'revoke-tokens': revokeTokens,
  reports,
  'close-report': closeReport,
  audit,
};
