/** The tools for agents. Each calls the same services as GraphQL and REST, and nothing below them. */
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { refusals } from '../../errors.ts';
import type { Game } from '../../games/game.ts';
import type { Summary } from '../../matches/log/records.ts';
import { ROOT } from '../../root.ts';
import * as states from '../states.ts';
import { replayOf, tableOf } from './table.ts';
import { type Call, type Told, type Tool, tool } from './tool.ts';
import { turnWithin } from './wait.ts';

const RULES = new URL('docs/rules/', ROOT);

const strict = { additionalProperties: false };
const match = Type.String({ description: 'The id of the match.' });
const gameId = Type.String({ description: 'The id of the game, such as cacao.' });
const version = (description: string) => Type.Integer({ minimum: 0, description });

const rulesOf = ({ id, name }: Game): string => {
  try {
    return readFileSync(new URL(`${id}.md`, RULES), 'utf8');
  } catch {
    return `${name} has no rules page. Use look in a match: its legal actions show what can be done.`;
  }
};

/** An option and its values, from the JSON Schema of the game. */
function optionsOf({ schema }: Game): string[] {
  const { properties = {} } = schema.options as { properties?: Record<string, Record<string, unknown>> };
  return Object.entries(properties).map(([name, option]) => {
    const choices = (option.enum ??
      (option.anyOf as { const?: unknown }[] | undefined)?.map((o) => o.const)) as unknown[];
    const values = choices ? choices.map((value) => JSON.stringify(value)).join(' or ') : option.type;
    return `  option ${name}: ${values}, default ${JSON.stringify(option.default)}. ${option.description ?? ''}`;
  });
}

const listGames = tool({
  name: 'list_games',
  title: 'List the games',
  description: 'Lists the games that can be played here, with their numbers of seats and their options.',
  input: Type.Object({}, strict),
  scope: 'READ',
  isReadOnly: true,
  async run(_input, { services }) {
    const { games } = services.registry;
    const lines = games.flatMap((game) => [
      `${game.id}: ${game.name}, ${game.seats.min} to ${game.seats.max} seats, rules ${game.rules}`,
      ...optionsOf(game),
    ]);
    const data = games.map(({ id, name, rules, seats }) => ({
      id,
      name,
      rules,
      minSeats: seats.min,
      maxSeats: seats.max,
    }));
    return { text: lines.join('\n'), data: { games: data } };
  },
});

const readRules = tool({
  name: 'read_rules',
  title: 'Read the rules of a game',
  description:
    'The complete rules of a game as it is played here. You do not need them to play legally, because every legal ' +
    'action is listed.',
  input: Type.Object({ game: gameId }, strict),
  scope: 'READ',
  isReadOnly: true,
  async run({ game }, { services, work }) {
    const text = rulesOf(services.registry.game(game));
    work.pay(text.length / 1000);
    return { text, data: { game } };
  },
});

const FILTERS = {
  open: { status: 'OPEN' },
  running: { status: 'ACTIVE' },
  mine: { mine: true },
  my_turn: { myTurn: true },
} as const;

const lineOf = ({ id, game, status, version, seats }: Summary, names: readonly (string | null)[]): string =>
  `${id}: ${game}, ${status}, version ${version}, ${seats.map((_, seat) => names[seat] ?? 'a free seat').join(', ')}`;

const listMatches = tool({
  name: 'list_matches',
  title: 'List matches',
  description:
    'Lists the newest 20 matches that wait for players, that are being played, in which you have a seat, or in ' +
    'which it is your turn.',
  input: Type.Object(
    {
      which: Type.Enum(['open', 'running', 'mine', 'my_turn'], { description: 'Which matches.' }),
      game: Type.Optional(gameId),
    },
    strict,
  ),
  scope: 'READ',
  isReadOnly: true,
  async run({ which, game }, { services, player, work }) {
    work.pay(20);
    const { matches } = await services.matches.list(player, { ...FILTERS[which], ...(game && { game }), first: 20 });
    const lines = await Promise.all(matches.map(async (m) => lineOf(m, await services.players.namesOf(m.seats))));
    const data = matches.map(({ id, game, status, version }) => ({ match: id, game, status, version }));
    return { text: lines.join('\n') || 'There are none.', data: { matches: data } };
  },
});

const openMatch = tool({
  name: 'open_match',
  title: 'Open a match',
  description:
    'Opens a match with you in seat 0. If bots fill the table, it starts at once; otherwise it waits for others to ' +
    'join.',
  input: Type.Object(
    {
      game: gameId,
      seats: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 10,
          description: 'If left out: you and the bots, or the smallest number that the game allows.',
        }),
      ),
      bots: Type.Optional(
        Type.Array(Type.Enum(['EASY', 'MEDIUM', 'HARD']), {
          maxItems: 9,
          description: 'The bots to play against, by strength.',
        }),
      ),
      options: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), { description: 'Options of the game; see list_games.' }),
      ),
      private: Type.Optional(Type.Boolean({ description: 'Whether only people with its invite may see it.' })),
      key: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Makes it safe to repeat this call: the same key opens only one match.',
        }),
      ),
    },
    strict,
  ),
  scope: 'CREATE',
  isReadOnly: false,
  async run({ game, seats, bots = [], options, key, private: isPrivate }, call) {
    const { services, player } = call;
    const input = {
      game,
      seats: seats ?? Math.max(services.registry.game(game).seats.min, bots.length + 1),
      bots,
      ...(options && { options }),
      ...(isPrivate && { visibility: 'PRIVATE' as const }),
    };
    const made = await services.matches.create(player, input, key);
    const told = await tableOf(made, call);
    if (made.invite === null) return told;
    return {
      text: `${told.text}\nIts invite, for join_match: ${made.invite}`,
      data: { ...told.data, invite: made.invite },
    };
  },
});

const joinMatch = tool({
  name: 'join_match',
  title: 'Join a match',
  description: 'Takes a free seat of a match. Joining again changes nothing.',
  input: Type.Object(
    {
      match,
      seat: Type.Optional(Type.Integer({ minimum: 0, description: 'If left out, the first free seat.' })),
      invite: Type.Optional(Type.String({ description: 'Of a private match.' })),
    },
    strict,
  ),
  scope: 'PLAY',
  isReadOnly: false,
  async run({ match, ...input }, call) {
    return tableOf(await call.services.matches.join(call.player, match, input), call);
  },
});

const look = tool({
  name: 'look',
  title: 'Look at the table',
  description:
    'Describes the table in sentences, as far as you may know it, and lists every action that you may take, with ' +
    'its number for act.',
  input: Type.Object(
    { match, at: Type.Optional(version('An earlier version; if left out, the current one.')) },
    strict,
  ),
  scope: 'READ',
  isReadOnly: true,
  async run({ match, at }, call) {
    return tableOf(await call.services.matches.see(call.player, match), call, at);
  },
});

const act = tool({
  name: 'act',
  title: 'Take an action',
  description:
    'Takes one of the legal actions that look listed, by its number and the version of that list. Repeating the ' +
    'call with the same two numbers takes the action only once.',
  input: Type.Object(
    {
      match,
      version: version('The version to which the list of legal actions belongs.'),
      number: Type.Integer({ minimum: 1, description: 'The number of the action in that list.' }),
    },
    strict,
  ),
  scope: 'PLAY',
  isReadOnly: false,
  async run({ match: matchId, version, number }, call) {
    const { services, player, work } = call;
    const seen = await services.matches.see(player, matchId);
    if (version > seen.version) throw refusals.badVersion(seen.version, { version: seen.version });
    work.pay(50);
    // The list at that version, so that the chosen action is found even if the match has moved on since.
    const legal = await states.legalActions(states.stateAt(seen, version), player, work);
    const chosen = legal[number - 1];
    if (!chosen) throw legal.length === 0 ? refusals.notYourTurn() : refusals.noSuchNumber(legal.length);
    const submission = {
      matchId,
      action: chosen.action,
      expectedVersion: version,
      actionId: `mcp ${version} ${number}`,
    };
    const receipt = await services.matches.submit(player, submission);
    const told = await tableOf(receipt.match, call);
    return {
      text: `Done, as version ${receipt.event.version}: ${chosen.label}\n\n${told.text}`,
      data: { ...told.data, done: { version: receipt.event.version, label: chosen.label } },
    };
  },
});

const LONGEST_WAIT = 50;

const waitForTurn = tool({
  name: 'wait_for_turn',
  title: 'Wait for your turn',
  description:
    'Waits until it is your turn in this match, or in any of your matches, or until the match is over. Then ' +
    'answers like look. Call it again if nothing has happened.',
  input: Type.Object(
    {
      match: Type.Optional(Type.String({ description: 'The id of the match; if left out, any of your matches.' })),
      seconds: Type.Optional(
        Type.Integer({ minimum: 1, maximum: LONGEST_WAIT, description: 'The longest time to wait; 25 if left out.' }),
      ),
    },
    strict,
  ),
  scope: 'READ',
  isReadOnly: true,
  async run({ match, seconds = 25 }, call) {
    const found = await turnWithin(call, seconds, match);
    if (found) return tableOf(found, call);
    return {
      text: `Nothing to do yet after ${seconds} seconds. Call wait_for_turn again.`,
      data: { myTurn: false, timedOut: true },
    };
  },
});

const MOST_EVENTS = 100;

const replay = tool({
  name: 'replay',
  title: 'Replay a match',
  description:
    'What has happened in a match, with one line for each event, at most 100 at a time. To see the table at a ' +
    'version, use look with at.',
  input: Type.Object(
    {
      match,
      from: Type.Optional(Type.Integer({ minimum: 1, description: 'The first version; 1 if left out.' })),
      to: Type.Optional(
        Type.Integer({ minimum: 1, description: 'The last version; if left out, as many as fit in one answer.' }),
      ),
    },
    strict,
  ),
  scope: 'READ',
  isReadOnly: true,
  async run({ match, from = 1, to }, call) {
    const seen = await call.services.matches.see(call.player, match);
    const end = Math.min(to ?? seen.version, from + MOST_EVENTS - 1, seen.version);
    if (from > end) throw refusals.badStates(seen.version);
    return replayOf(seen, call, from, end);
  },
});

export const tools: readonly Tool[] = [
  listGames,
  readRules,
  listMatches,
  openMatch,
  joinMatch,
  look,
  act,
  waitForTurn,
  replay,
];

export type { Call, Told };
