// A player that knows no rules: it takes a random action whenever it may act. By the client library, which speaks GraphQL.
//
//   node examples/graphql-bot.mjs                          opens a match of the first game and waits for others
//   node examples/graphql-bot.mjs --match <id>             joins that match
//   node examples/graphql-bot.mjs --game hashi --seats 3   opens that one
//
// In a project of your own: npm install atoll-client, then import from 'atoll-client' and 'atoll-client/verify'.
import { parseArgs } from 'node:util';
import { connect } from '../packages/client/dist/client.js';
import { verify } from '../packages/client/dist/verify.js';

const { values: args } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://localhost:4000' },
    match: { type: 'string' },
    game: { type: 'string' },
    seats: { type: 'string' },
    name: { type: 'string', default: 'GraphQL bot' },
  },
});

const atoll = connect(args.url);
await atoll.register(args.name);

async function sitDown() {
  if (args.match) return atoll.joinMatch(args.match);
  const games = await atoll.games();
  const game = games.find(({ id }) => id === (args.game ?? games[0].id));
  return atoll.createMatch({ game: game.id, seats: Number(args.seats ?? game.minSeats) });
}

const { id } = await sitDown();
const { commitment, entropy } = await atoll.agreed(id);
console.log(`match ${id}`);
console.log(`saved for atoll verify: --commitment ${commitment} --entropy ${entropy}`);

const { match } = await atoll.play(
  id,
  ({ legalActions }) => legalActions[Math.floor(Math.random() * legalActions.length)],
  { verify, onActed: ({ version }, label) => console.log(`${version}  ${label}`) },
);
console.log('The seed is the one that was promised, and our entropy is in it.');
const { status, mySeat, result } = match;
console.log(`${status}: seat ${mySeat} has ${result.scores[mySeat]} points, rank ${result.ranks[mySeat]}`);
