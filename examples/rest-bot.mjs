// A player that knows no rules and speaks REST and server-sent events only: no package needed.
// It takes a random action whenever it may act, and resumes its stream by Last-Event-ID when that is cut.
//
//   node examples/rest-bot.mjs                          opens a match of the first game and waits for others
//   node examples/rest-bot.mjs --match <id>             joins that match
//   node examples/rest-bot.mjs --game hashi --seats 3   opens that one
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values: args } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:4000' },
    match: { type: 'string' },
    game: { type: 'string' },
    seats: { type: 'string' },
    name: { type: 'string', default: 'REST bot' },
  },
});

let token;

/**
 * Repeats a request until it is answered. A query does no harm, and an action with its key happens once however often
 * it is sent.
 */
async function call(method, path, body, headers = {}) {
  const request = {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  };
  for (let tries = 1; ; tries++, await sleep(500)) {
    const response = await fetch(`${args.url}/v1${path}`, request).catch(() => undefined);
    const answer = await response?.json().catch(() => undefined);
    if (answer && response.ok) return answer;
    const unclear = !answer || response.status >= 500;
    const harmless = method === 'GET' || headers['idempotency-key'];
    if (unclear && harmless && tries < 60) continue;
    throw Object.assign(new Error(answer?.detail ?? `No answer from ${args.url}`), { code: answer?.code });
  }
}

/** Our part of the seed. With it, nobody else can have chosen the shuffle. */
const entropy = randomBytes(16).toString('hex');

/** With a key, a request makes something only once, however often it is sent. */
const newKey = () => ({ 'idempotency-key': randomUUID() });

async function sitDown() {
  if (args.match) return call('POST', `/matches/${args.match}/seats`, { entropy });
  const { games } = await call('GET', '/games');
  const game = games.find(({ id }) => id === (args.game ?? games[0].id));
  return call('POST', '/matches', { game: game.id, seats: Number(args.seats ?? game.minSeats), entropy }, newKey());
}

/** The match must have been played with what was promised when we sat down; `atoll verify` proves the rest. */
async function checkPromises(id, commitment) {
  const { serverSeed, events: log } = await call('GET', `/matches/${id}/export`);
  const seed = createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex');
  const ours = log.some((event) => event.type === 'JOINED' && event.entropy === entropy);
  if (seed !== commitment || !ours) throw new Error('The seed is not the one that was promised when we sat down');
  console.log('The seed is the one that was promised, and our entropy is in it.');
}

async function act(id) {
  const { version, legalActions } = await call('GET', `/matches/${id}/legal-actions`);
  if (legalActions.length === 0) return;
  const { action, label } = legalActions[Math.floor(Math.random() * legalActions.length)];
  try {
    await call('POST', `/matches/${id}/actions`, { action, expectedVersion: version }, newKey());
    console.log(`${version + 1}  ${label}`);
  } catch (error) {
    // The decision was based on an old position. An event will tell when to decide again.
    if (!['STALE_VERSION', 'NOT_YOUR_TURN', 'MATCH_OVER'].includes(error.code)) throw error;
  }
}

/** The events of a match as they come, over as many connections as necessary. */
async function* events(id) {
  for (let last = 0; ; ) {
    const response = await fetch(`${args.url}/v1/matches/${id}/events`, {
      headers: { accept: 'text/event-stream', 'last-event-id': String(last), authorization: `Bearer ${token}` },
    }).catch(() => undefined);
    if (response?.status === 204) return; // the match is over
    if (response?.status < 500 && !response.ok) throw new Error((await response.json()).detail);
    if (!response?.ok) {
      await sleep(500);
      continue;
    }
    let text = '';
    try {
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        const messages = (text + chunk).split('\n\n');
        text = messages.pop();
        for (const message of messages) {
          const { id: version, data } = Object.fromEntries(message.split('\n').map((line) => line.split(/: (.*)/s)));
          if (!version) continue; // a comment that keeps the connection open, or the end
          last = Number(version);
          yield JSON.parse(data);
        }
      }
    } catch {} // cut: the next connection continues after the last event
  }
}

({ token } = await call('POST', '/players', { name: args.name }, newKey()));
const { id, mySeat, commitment } = await sitDown();
console.log(`match ${id}`);
console.log(`saved for atoll verify: --commitment ${commitment} --entropy ${entropy}`);
// The message `cut` has no `acting`. It means that the database has lost events: the stream begins again at version 0.
for await (const { acting = [] } of events(id)) if (acting.includes(mySeat)) await act(id);
await checkPromises(id, commitment);
const { status, result } = await call('GET', `/matches/${id}`);
console.log(`${status}: seat ${mySeat} has ${result.scores[mySeat]} points, rank ${result.ranks[mySeat]}`);
