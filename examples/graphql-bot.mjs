// A player that knows no rules and speaks GraphQL only: it takes a random action whenever it may act.
//
//   node examples/graphql-bot.mjs                          opens a match of the first game and waits for others
//   node examples/graphql-bot.mjs --match <id>             joins that match
//   node examples/graphql-bot.mjs --game hashi --seats 3   opens that one
//
// Needs the packages graphql-ws and ws.
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const { values: args } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:4000' },
    match: { type: 'string' },
    game: { type: 'string' },
    seats: { type: 'string' },
    name: { type: 'string', default: 'GraphQL bot' },
  },
});

let token;

async function request(query, variables) {
  const response = await fetch(`${args.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = await response.json();
  if (errors) throw Object.assign(new Error(errors[0].message), { code: errors[0].extensions?.code });
  return data;
}

async function sitDown() {
  if (args.match) {
    await request('mutation ($id: ID!) { joinMatch(matchId: $id) { id } }', { id: args.match });
    return args.match;
  }
  const { games } = await request('{ games { id minSeats } }');
  const game = games.find(({ id }) => id === (args.game ?? games[0].id));
  const input = { game: game.id, seats: Number(args.seats ?? game.minSeats) };
  const { createMatch } = await request('mutation ($input: CreateMatchInput!) { createMatch(input: $input) { id } }', {
    input,
  });
  return createMatch.id;
}

async function act({ id, version, legalActions }) {
  const { action, label } = legalActions[Math.floor(Math.random() * legalActions.length)];
  const input = { matchId: id, expectedVersion: version, actionId: randomUUID(), action };
  try {
    await request('mutation ($input: SubmitActionInput!) { submitAction(input: $input) { version } }', { input });
    console.log(`${version + 1}  ${label}`);
  } catch (error) {
    // Decided on what is no longer so: an event will say what to decide on next, if anything.
    if (!['STALE_VERSION', 'NOT_YOUR_TURN', 'MATCH_OVER'].includes(error.code)) throw error;
  }
}

const EVENTS = `subscription ($id: ID!) {
  matchEvents(matchId: $id) {
    version
    match { id version status mySeat result { scores ranks } legalActions { action label } }
  }
}`;

const { register } = await request('mutation ($name: String!) { register(name: $name) { token } }', {
  name: args.name,
});
token = register.token;
const id = await sitDown();
console.log(`match ${id}`);

const client = createClient({
  url: `${args.url.replace(/^http/, 'ws')}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { token },
});
let last;
for await (const { data, errors } of client.iterate({ query: EVENTS, variables: { id } })) {
  if (errors) throw new Error(errors[0].message);
  const { version, match } = data.matchEvents;
  last = match;
  // Events of the past come first; only the newest is worth deciding on.
  if (version === match.version && match.legalActions.length > 0) await act(match);
}
await client.dispose();
console.log(
  `${last.status}: seat ${last.mySeat} has ${last.result.scores[last.mySeat]} points, rank ${last.result.ranks[last.mySeat]}`,
);
