// A player that knows no rules and speaks GraphQL only: it takes a random action whenever it may act.
//
//   node examples/graphql-bot.mjs                          opens a match of the first game and waits for others
//   node examples/graphql-bot.mjs --match <id>             joins that match
//   node examples/graphql-bot.mjs --game hashi --seats 3   opens that one
//
// Needs the packages graphql-ws and ws.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** Sends again what got no answer, where that does no harm: an action with its id happens once however often it is sent. */
async function request(query, variables, harmless = false) {
  const post = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  };
  for (let tries = 1; ; tries++, await sleep(500)) {
    const response = await fetch(`${args.url}/graphql`, post).catch(() => undefined);
    const { data, errors } = (await response?.json().catch(() => undefined)) ?? {};
    if (data && !errors) return data;
    if (harmless && tries < 60 && (!errors || response.status >= 500)) continue;
    throw Object.assign(new Error(errors?.[0].message ?? 'no answer'), { code: errors?.[0].extensions?.code });
  }
}

/** Our part of the seed: with it nobody else can have chosen the shuffle. */
const entropy = randomBytes(16).toString('hex');

async function sitDown() {
  const join = 'mutation ($id: ID!, $entropy: String) { joinMatch(matchId: $id, entropy: $entropy) { id commitment } }';
  if (args.match) return (await request(join, { id: args.match, entropy }, true)).joinMatch;
  const { games } = await request('{ games { id minSeats } }');
  const game = games.find(({ id }) => id === (args.game ?? games[0].id));
  // With its key the match is opened once, however often this is sent.
  const input = { game: game.id, seats: Number(args.seats ?? game.minSeats), entropy, idempotencyKey: randomUUID() };
  const open = 'mutation ($input: CreateMatchInput!) { createMatch(input: $input) { id commitment } }';
  return (await request(open, { input }, true)).createMatch;
}

/** What was promised when we sat down must be what the match was played with; `atoll verify` proves the rest. */
async function checkPromises(commitment) {
  const { match } = await request('query ($id: ID!) { match(id: $id) { seed export } }', { id });
  const seed = createHash('sha256').update(Buffer.from(match.seed, 'hex')).digest('hex');
  const ours = match.export.events.some((event) => event.type === 'JOINED' && event.entropy === entropy);
  if (seed !== commitment || !ours) throw new Error('The seed is not the one that was promised when we sat down');
  console.log('The seed is the one that was promised, and our entropy is in it.');
}

async function act({ id, version, legalActions }) {
  const { action, label } = legalActions[Math.floor(Math.random() * legalActions.length)];
  const input = { matchId: id, expectedVersion: version, actionId: randomUUID(), action };
  try {
    await request('mutation ($input: SubmitActionInput!) { submitAction(input: $input) { version } }', { input }, true);
    console.log(`${version + 1}  ${label}`);
  } catch (error) {
    // Decided on what is no longer so: an event will say what to decide on next, if anything.
    if (!['STALE_VERSION', 'NOT_YOUR_TURN', 'MATCH_OVER'].includes(error.code)) throw error;
  }
}

const EVENTS = `subscription ($id: ID!, $after: Int!) {
  matchEvents(matchId: $id, after: $after) {
    version
    match { id version status mySeat result { scores ranks } legalActions { action label } }
  }
}`;

const register = 'mutation ($name: String!, $key: String) { register(name: $name, idempotencyKey: $key) { token } }';
const registered = await request(register, { name: args.name, key: randomUUID() }, true);
token = registered.register.token;
const { id, commitment } = await sitDown();
console.log(`match ${id}`);
console.log(`saved for atoll verify: --commitment ${commitment} --entropy ${entropy}`);

const client = createClient({
  url: `${args.url.replace(/^http/, 'ws')}/graphql`,
  webSocketImpl: WebSocket,
  connectionParams: { token },
  retryAttempts: 0,
});
let last;
for (let over = false, after = 0; !over; ) {
  try {
    for await (const { data, errors } of client.iterate({ query: EVENTS, variables: { id, after } })) {
      if (errors) throw new Error(errors[0].message);
      last = data.matchEvents.match;
      after = data.matchEvents.version;
      // Events of the past come first; only the newest is worth deciding on.
      if (after === last.version && last.legalActions.length > 0) await act(last);
    }
    over = true;
  } catch (closed) {
    if (closed instanceof Error || closed.code >= 4000) throw closed;
    await sleep(500); // the socket was cut: the next goes on after the last event
  }
}
await client.dispose();
await checkPromises(commitment);
const { status, mySeat, result } = last;
console.log(`${status}: seat ${mySeat} has ${result.scores[mySeat]} points, rank ${result.ranks[mySeat]}`);
