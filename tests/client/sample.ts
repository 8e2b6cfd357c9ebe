/** Two players for each game, one with event streams, one with the platform's WebSocket. Copied to an empty project. */
import { type Atoll, connect, isRefusal, type MatchEvent, type Schema } from 'atoll-client';
import { fileStorage } from 'atoll-client/node';
import { Unproven, verify } from 'atoll-client/verify';

const [, , url = '', ...games] = process.argv;

function check(truth: boolean, sentence: string): void {
  if (!truth) throw new Error(sentence);
}

interface Heard {
  events: MatchEvent[];
  acted: number[];
}

async function playOut(atoll: Atoll, matchId: string, game: string, heard: Heard) {
  const { match, proof } = await atoll.play(
    matchId,
    ({ legalActions }) => legalActions[Math.floor(Math.random() * legalActions.length)],
    {
      verify,
      onEvent: (event) => void heard.events.push(event),
      onActed({ version }) {
        heard.acted.push(version);
        console.log(`${game} ${version}`);
      },
    },
  );
  const status: Schema.MatchStatus = match.status;
  check(status === 'FINISHED', `${game} ended as ${status}`);
  check(proof !== undefined && proof.actions > 0, `${game} was not proven`);
}

async function playGame(game: string): Promise<void> {
  const first = connect(url, { transport: 'sse' });
  const second = connect(url, { storage: fileStorage(`${import.meta.dirname}/storage-${game}.json`) });
  await first.signIn(`First of ${game}`);
  await second.signIn(`Second of ${game}`);
  const { id } = await first.createMatch({ game, seats: 2 });
  await second.joinMatch(id);
  const heard: Heard[] = [
    { events: [], acted: [] },
    { events: [], acted: [] },
  ];
  await Promise.all([first, second].map((atoll, i) => playOut(atoll, id, game, heard[i] as Heard)));
  const document = (await first.export(id)) as { events: { version: number; type: string }[] };
  const logged = document.events.filter(({ type }) => type === 'ACTED').map(({ version }) => version);
  const acted = heard.flatMap((one) => one.acted).sort((a, b) => a - b);
  check(String(acted) === String(logged), `${game}: ${acted} was acted, ${logged} is in the log`);
  for (const { events } of heard) {
    const expected = document.events.slice(-events.length).map(({ version }) => version);
    check(events.length >= logged.length, `${game}: events were missed`);
    check(String(events.map(({ version }) => version)) === String(expected), `${game}: gaps or repeats`);
  }
  await second.prove(id, verify);
  try {
    verify(document, { commitment: '00'.repeat(32) });
    check(false, `${game} was proven with another commitment`);
  } catch (error) {
    check(error instanceof Unproven, String(error));
  }
  await first.submit(id, {}).then(
    () => check(false, 'an action after the end'),
    (error) => check(isRefusal(error, 'MATCH_OVER'), String(error)),
  );
  console.log(`${game} proven twice`);
}

await Promise.all(games.map(playGame));
