/** The start page: pick a game, play now, join an open table, continue a match. */
import { useEffect, useState } from 'preact/hooks';
import { ask, askUntilAnswered, sentence } from '../api.ts';
import { Games, type GamesQuery, MyMatches, OpenMatches } from '../generated/operations.ts';
import { factsText, pictureOf } from '../parts/games.ts';
import { byUrgency, type Card, MatchRow, nodesOf } from '../parts/matches.tsx';
import { NameField, register } from '../parts/name.tsx';
import { createMatch } from '../parts/start.ts';
import { session } from '../session.ts';
import { title, waitingTurns } from '../turns.ts';

type Game = GamesQuery['games'][number];

export function LobbyPage() {
  const [games, setGames] = useState<Game[] | null>(null);
  const [name, setName] = useState('');
  const [nameError, setNameError] = useState<string | null>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const player = session.value;

  useEffect(() => {
    title('Atoll: board games on the web');
    const closing = new AbortController();
    askUntilAnswered(Games, {}, closing.signal).then(
      (answer) => setGames(answer.games),
      (error) => closing.signal.aborted || setNotice(sentence(error)),
    );
    return () => closing.abort();
  }, []);

  const play = async (game: Game) => {
    setNotice(null);
    setNameError(null);
    if (!player && !name.trim()) {
      setNameError('Type a name first: any will do.');
      document.querySelector<HTMLInputElement>('input[name=name]')?.focus();
      return;
    }
    setBusy(game.id);
    try {
      if (!player) await register(name.trim());
      const seats = Math.max(2, game.minSeats);
      await createMatch({ game: game.id, seats, bots: Array(seats - 1).fill('EASY') });
    } catch (error) {
      setNotice(sentence(error));
      setBusy(null);
    }
  };

  return (
    <main class="page lobby" id="content">
      <section class="hero">
        <h1>{player ? `Welcome back, ${player.name}.` : 'Sit down and play.'}</h1>
        <p>
          Board games in your browser, one decision at a time: now against the machine, or with friends over days. No
          account needed.
        </p>
        {!player && (
          <>
            <NameField value={name} onInput={setName} error={nameError} />
            <p class="quiet">
              Been here before? <a href="/account">Sign in</a>
            </p>
          </>
        )}
        {notice && (
          <p class="notice" role="alert">
            {notice}
          </p>
        )}
      </section>
      {player && <Mine key={player.id} />}
      <section aria-labelledby="games">
        <h2 id="games">{player ? 'Start another' : 'Pick a game'}</h2>
        <ul class="games" aria-busy={games === null}>
          {(games ?? []).map((game) => (
            <GameCard key={game.id} game={game} busy={busy} onPlay={() => play(game)} />
          ))}
        </ul>
      </section>
      <OpenTables />
    </main>
  );
}

function GameCard({ game, busy, onPlay }: { game: Game; busy: string | null; onPlay(): void }) {
  const picture = pictureOf(game.id);
  return (
    <li class="game-card">
      <div class="picture">
        {picture ? <img src={picture} alt="" width="360" height="250" /> : <span class="no-picture" />}
      </div>
      <div class="about">
        <h3>
          <a href={`/games/${game.id}`}>{game.name}</a>
        </h3>
        <p>{factsText(game)}</p>
      </div>
      <div class="buttons">
        <button type="button" class="primary" data-play-bots={game.id} disabled={busy !== null} onClick={onPlay}>
          {busy === game.id ? 'Setting up…' : 'Play a bot now'}
        </button>
        <a class="button" href={`/games/${game.id}`}>
          Rules and friends<span class="hidden"> for {game.name}</span>
        </a>
      </div>
    </li>
  );
}

/** The caller's own matches, read again whenever a turn is gained or lost. */
function Mine() {
  const [lists, setLists] = useState<{ running: Card[]; ended: Card[] } | null>(null);
  const turns = waitingTurns.value;
  useEffect(() => {
    const closing = new AbortController();
    ask(MyMatches, {}, closing.signal).then(
      ({ active, open, finished }) =>
        setLists({
          running: [...nodesOf(active).sort(byUrgency), ...nodesOf(open)],
          ended: nodesOf(finished),
        }),
      () => {}, // the banner shows it
    );
    return () => closing.abort();
  }, [turns]);
  if (!lists || lists.running.length + lists.ended.length === 0) return null;
  return (
    <section aria-labelledby="mine">
      <h2 id="mine">Your matches</h2>
      {session.value?.kept === false && (
        <p class="quiet" data-keep>
          You play as a guest, in this browser only. <a href="/account">Keep your account</a>, so that you can come back
          to your matches from any device.
        </p>
      )}
      <ul class="matches">
        {lists.running.map((match) => (
          <MatchRow key={match.id} match={match} />
        ))}
        {lists.ended.map((match) => (
          <MatchRow key={match.id} match={match} />
        ))}
      </ul>
    </section>
  );
}

const REFRESH_MS = 15_000;

function OpenTables() {
  const [open, setOpen] = useState<Card[] | null>(null);
  useEffect(() => {
    const closing = new AbortController();
    const read = () => {
      if (document.visibilityState === 'hidden') return;
      ask(OpenMatches, {}, closing.signal).then(
        ({ matches }) => setOpen(nodesOf(matches).filter(({ mySeat }) => mySeat === null)),
        () => {}, // the banner shows it
      );
    };
    read();
    const timer = setInterval(read, REFRESH_MS);
    return () => {
      closing.abort();
      clearInterval(timer);
    };
  }, []);
  return (
    <section aria-labelledby="open">
      <h2 id="open">Open tables</h2>
      {open?.length ? (
        <ul class="matches">
          {open.map((match) => (
            <MatchRow key={match.id} match={match} />
          ))}
        </ul>
      ) : (
        <p class="quiet">
          Nobody waits for players right now. Choose a game above, open a table and share its link, or{' '}
          <a href="/watch">watch those who play</a>.
        </p>
      )}
    </section>
  );
}
