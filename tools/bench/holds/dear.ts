/** The dearest requests that are allowed, besides every operation as it is. */
import { type Ask, ask, graphql, subscription, type Target, tool } from './asks.ts';

const MATCH = (id: string) => `/v1/matches/${id}`;
const STREAM = { accept: 'text/event-stream' };
const LINES = { accept: 'application/x-ndjson' };
const EVERYTHING = 'include=view,board,legalActions';
const STATE = 'version view board description legalActions { action label targets }';

const aliased = (n: number, field: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => `a${i}: ${field(i)}`).join(' ');

const long = ({ world }: Target) => world.long;

const DOCUMENTS: Ask[] = [
  ask('export of the longest match, not remembered', async ({ world }) => ({
    path: `${MATCH(await world.endedCopy())}/export`,
  })),
  ask('export of the longest match, compressed', ({ world }) => ({
    path: `${MATCH(world.long)}/export`,
    headers: { 'accept-encoding': 'br' },
  })),
  ask('export of all matches', () => ({ path: '/v1/me/matches/export' })),
  ask('export of the account', () => ({ path: '/v1/me/export' })),
  ask('import of a long match', async ({ world }) => ({ path: '/v1/matches/import', text: await world.document() })),
  ask('import of a long match that was changed', async ({ world }) => ({
    path: '/v1/matches/import',
    text: (await world.document()).replace(/"commitment":"../, '"commitment":"00'),
  })),
  ask('import of a million brackets', () => ({ path: '/v1/matches/import', text: '['.repeat(1_000_000) })),
  ask('import of a million objects', () => ({
    path: '/v1/matches/import',
    text: `[${'{},'.repeat(1_000_000)}{}]`,
  })),
  ask('import of 250,000 keys', () => ({
    path: '/v1/matches/import',
    text: `{${Array.from({ length: 250_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  })),
];

const HISTORY: Ask[] = [
  ask('an early version of the longest match, not remembered', async ({ world }) => ({
    path: `${MATCH(await world.endedCopy())}/view?at=${world.version - 50}`,
  })),
  ask('500 events of the longest match', ({ world }) => ({ path: `${MATCH(world.long)}/events?first=500` })),
  ask('all events as a stream', ({ world }) => ({ path: `${MATCH(world.long)}/events`, headers: STREAM })),
  ask('all events as lines', ({ world }) => ({ path: `${MATCH(world.long)}/events`, headers: LINES })),
  ask('all events as a stream with views and boards', ({ world }) => ({
    path: `${MATCH(world.long)}/events?${EVERYTHING}`,
    headers: STREAM,
  })),
  ask('undo in the longest match', async ({ world }) => {
    const { match, version } = await world.runningCopy();
    return { path: `${MATCH(match)}/undo`, body: { expectedVersion: version } };
  }),
  ask('fork of the longest match at its end', ({ world }) => ({
    path: `${MATCH(world.long)}/forks`,
    body: { at: world.version - 1 },
  })),
  ask('legal actions of the longest match, not remembered', async ({ world }) => ({
    path: `${MATCH((await world.runningCopy()).match)}/legal-actions`,
  })),
  graphql('20 views of the longest match', (target) => {
    const at = (i: number) => target.world.version - 1000 + i * 40;
    return `{ match(id: "${long(target)}") { ${aliased(20, (i) => `view(at: ${at(i)})`)} } }`;
  }),
  graphql('undo in the longest match', async ({ world }) => {
    const { match, version } = await world.runningCopy();
    return `mutation { undo(matchId: "${match}", expectedVersion: ${version}) { version match { view board } } }`;
  }),
  graphql('fork of the longest match', (target) => {
    const at = target.world.version - 1;
    return `mutation { forkMatch(matchId: "${long(target)}", at: ${at}) { id view board } }`;
  }),
  graphql('500 events with their states', (target) => {
    return `{ match(id: "${long(target)}") { events(first: 500) { version type label action effects { text } } } }`;
  }),
  subscription('matchEvents of the longest match from 0, with everything', (target) => {
    const event = 'version label action effects { text } matchThen { view description }';
    return `subscription { matchEvents(matchId: "${long(target)}") { ${event} } }`;
  }),
  tool('look', ({ world }) => ({ match: world.long, at: world.version - 50 })),
];

/** What is drawn and listed at one position of each game. */
function positions(games: readonly string[]): Ask[] {
  return games.flatMap((game, n) => {
    const wide = ({ world }: Target) => world.widest[n] as Target['world']['widest'][number];
    const over = ({ world }: Target) => world.finished[n] as Target['world']['finished'][number];
    const look = (name: string, path: string) =>
      ask(`${game}: ${name}`, (target) => {
        const { match, token } = wide(target);
        return { path: `${MATCH(match)}/${path}`, token };
      });
    return [
      look('legal actions of the widest position', 'legal-actions'),
      look('view of the widest position', 'view'),
      look('description of the widest position', 'description'),
      look('board of the widest position', 'board.svg'),
      look('narrow board of the widest position', 'board.svg?width=narrow'),
      look('picture for links', 'board.png'),
      ask(`${game}: page of a match`, (target) => ({ path: `/matches/${wide(target).match}` })),
      ask(`${game}: 100 states`, (target) => ({ path: `${MATCH(over(target).match)}/states?from=1&to=100` })),
      ask(`${game}: all states as lines`, (target) => ({
        path: `${MATCH(over(target).match)}/states`,
        headers: LINES,
      })),
      ask(`${game}: 500 events with views and boards`, (target) => ({
        path: `${MATCH(over(target).match)}/events?first=500&${EVERYTHING}`,
      })),
      ask(`GraphQL ${game}: everything about the widest position`, (target) => {
        const { match, token } = wide(target);
        const query = `{ match(id: "${match}") { ${STATE.replace('version', '')} narrow: board(width: NARROW) } }`;
        return { path: '/graphql', body: { query }, token };
      }),
      graphql(`${game}: 25 states`, (target) => {
        return `{ match(id: "${over(target).match}") { states(from: 40, to: 64) { ${STATE} } } }`;
      }),
      graphql(`${game}: 50 events with boards`, (target) => {
        return `{ match(id: "${over(target).match}") { events(first: 50) { matchThen { view board } } } }`;
      }),
    ];
  });
}

const LISTS: Ask[] = [
  ask('100 matches', () => ({ path: '/v1/matches?first=100' })),
  ask('100 matches of the player', () => ({ path: '/v1/matches?first=100&mine=true' })),
  ask('search for players', () => ({ path: '/v1/players?search=s&first=100' })),
  graphql('100 matches with seats and names', () => {
    return '{ matches(first: 100, mine: true) { edges { node { id game { id name } seats { index player { name } } } } } }';
  }),
  graphql('matches with boards', () => '{ matches(first: 15, mine: true) { edges { node { id view board } } } }'),
  ask('lobby as a stream', () => ({ path: '/v1/matches', headers: STREAM })),
  ask('OpenAPI document', () => ({ path: '/openapi.json' })),
  ask('schema of GraphQL', () => ({ path: '/schema.graphql' })),
  ask('reference page', () => ({ path: '/docs/' })),
  ask('metrics', () => ({ path: '/metrics' })),
  ask('games with all schemas', () => ({ path: '/v1/games?schemas=true' })),
];

const KEYS = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, 1]));

/** Bodies and documents that are made to be hard to read, as long as they are allowed to be. */
const HOSTILE: Ask[] = [
  ask('options of 20,000 keys', () => ({ path: '/v1/matches', body: { game: 'cacao', seats: 2, options: KEYS } })),
  ask('an action of 120,000 numbers', async ({ world }) => ({
    path: `${MATCH(await world.running())}/actions`,
    body: { action: { list: Array(120_000).fill(1) } },
  })),
  ask('a body of 80,000 lists with an idempotency key', () => ({
    path: '/v1/matches',
    headers: { 'idempotency-key': 'holds' },
    body: { game: 'cacao', seats: 2, options: { x: Array(80_000).fill([]) } },
  })),
  ask('a form of 16 KB', () => ({
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    text: 'a&'.repeat(8000),
  })),
  ask('a text of 240,000 spaces', () => ({ path: '/v1/reports', body: { text: `${' '.repeat(240_000)}x` } })),
  ask('a name of 80,000 accents', () => ({ path: '/v1/players', body: { name: 'a\u0301'.repeat(80_000) } })),
  ask('a long path', () => ({ path: `/v1/${'a/'.repeat(7000)}` })),
  graphql('1,900 typenames', () => `{ ${'__typename '.repeat(1900)} }`),
  graphql('the same field 450 times', () => `{ ${'games { id } '.repeat(450)} }`),
  graphql('fragments that double', () => {
    const fragments = Array.from({ length: 150 }, (_, i) => `fragment f${i} on Query { ...f${i + 1} ...f${i + 1} }`);
    return `{ ...f0 } ${fragments.join(' ')} fragment f150 on Query { __typename }`;
  }),
  graphql('fragments that overlap', () => {
    const spread = (i: number) => Array.from({ length: 8 }, (_, j) => `...f${(i + j + 1) % 60}`).join(' ');
    const fragments = Array.from({ length: 60 }, (_, i) => `fragment f${i} on Player { id name ${spread(i)} }`);
    return `{ me { ${Array.from({ length: 60 }, (_, i) => `...f${i}`).join(' ')} } } ${fragments.join(' ')}`;
  }),
  graphql('900 unknown fields', () => `{ ${Array.from({ length: 900 }, (_, i) => `gamez${i}`).join(' ')} }`),
  graphql('a comment of 250,000 characters', () => `#${'x'.repeat(250_000)}\n{ __typename }`),
  graphql('introspection', () => {
    const type = 'name kind ofType { name ofType { name } }';
    return `{ __schema { types { name fields { name args { name type { ${type} } } type { ${type} } } } } }`;
  }),
];

export const dearest = (games: readonly string[]): Ask[] => [
  ...DOCUMENTS,
  ...HISTORY,
  ...positions(games),
  ...LISTS,
  ...HOSTILE,
];
