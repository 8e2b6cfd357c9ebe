/** One game: its rules, and a form for a new match. */
import { useEffect, useState } from 'preact/hooks';
import { askUntilAnswered, sentence } from '../api.ts';
import { type BotLevel, type GamePageQuery, GamePage as GameQuestion } from '../generated/operations.ts';
import { factsText, pictureOf, rulesOf } from '../parts/games.ts';
import { NameField, register } from '../parts/name.tsx';
import { OptionFields, type OptionsSchema } from '../parts/options.tsx';
import { createMatch } from '../parts/start.ts';
import { session } from '../session.ts';
import { title } from '../turns.ts';

type Game = NonNullable<GamePageQuery['game']>;

export function GamePage({ params }: { params: Record<string, string> }) {
  const id = params.id as string;
  const [game, setGame] = useState<Game | null | undefined>(undefined);
  const [rules, setRules] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const closing = new AbortController();
    askUntilAnswered(GameQuestion, { id }, closing.signal).then(
      (answer) => {
        setGame(answer.game);
        if (answer.game) title(`${answer.game.name} · Atoll`);
      },
      (error) => closing.signal.aborted || setFailure(sentence(error)),
    );
    rulesOf(id).then(setRules, () => {});
    return () => closing.abort();
  }, [id]);

  if (game === null) {
    return (
      <main class="page narrow" id="content">
        <h1>There is no such game here</h1>
        <p>
          <a href="/">All games of this server</a> are in the lobby.
        </p>
      </main>
    );
  }
  const picture = pictureOf(id);
  return (
    <main class="page game" id="content">
      {failure && <p class="notice">{failure}</p>}
      {game && (
        <>
          <section class="game-head">
            <div>
              <h1>{game.name}</h1>
              <p>{factsText(game)}</p>
              <NewMatch game={game} />
            </div>
            {picture && <img class="game-picture" src={picture} alt={`A table of ${game.name}`} />}
          </section>
          {rules ? (
            // Made from docs/rules when the page was built, with markup in it escaped.
            <article class="rules" dangerouslySetInnerHTML={{ __html: rules }} />
          ) : (
            <p class="quiet">The rules of this game are not written down here yet.</p>
          )}
        </>
      )}
    </main>
  );
}

/** Familiar presets; the API allows every other clock. */
const CLOCKS = [
  { name: 'No clock', clock: null },
  { name: '10 minutes and 20 seconds a turn', clock: { bankSeconds: 600, incrementSeconds: 20 } },
  { name: 'A day for each turn', clock: { bankSeconds: 86_400, incrementSeconds: 86_400, capSeconds: 86_400 } },
  { name: 'Three days for each turn', clock: { bankSeconds: 259_200, incrementSeconds: 259_200, capSeconds: 259_200 } },
] as const;

const LEVELS: [BotLevel, string][] = [
  ['EASY', 'Easy: answers at once'],
  ['MEDIUM', 'Medium: thinks for a moment'],
  ['HARD', 'Hard: thinks for two seconds'],
];

function NewMatch({ game }: { game: Game }) {
  const [name, setName] = useState('');
  const [nameError, setNameError] = useState<string | null>(null);
  const [seats, setSeats] = useState(Math.max(2, game.minSeats));
  const [options, setOptions] = useState<Record<string, unknown>>({});
  const [level, setLevel] = useState<BotLevel>('EASY');
  const [clock, setClock] = useState(0);
  const [isPrivate, setPrivate] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const start = async (against: 'bots' | 'people') => {
    setError(null);
    if (!session.value && !name.trim()) return setNameError('Type a name first: any will do.');
    setBusy(true);
    try {
      if (!session.value) await register(name.trim());
      const time = CLOCKS[clock]?.clock;
      await createMatch({
        game: game.id,
        seats,
        options,
        visibility: isPrivate ? 'PRIVATE' : 'PUBLIC',
        ...(time && { clock: { ...time } }),
        ...(against === 'bots' && { bots: Array(seats - 1).fill(level) }),
      });
    } catch (failure) {
      setError(sentence(failure));
      setBusy(false);
    }
  };

  const counts = Array.from({ length: game.maxSeats - game.minSeats + 1 }, (_, i) => game.minSeats + i);
  return (
    <form class="new-match" onSubmit={(event) => event.preventDefault()} aria-label="New match">
      {!session.value && <NameField value={name} onInput={setName} error={nameError} />}
      <div class="fields">
        {counts.length > 1 && (
          <label class="field">
            <span>Players</span>
            <select value={seats} onChange={(event) => setSeats(Number(event.currentTarget.value))}>
              {counts.map((n) => (
                <option key={n} value={n}>
                  {n}
                </option>
              ))}
            </select>
          </label>
        )}
        <OptionFields schema={game.optionsSchema as OptionsSchema} value={options} onChange={setOptions} />
        <label class="field">
          <span>Bots</span>
          <select value={level} onChange={(event) => setLevel(event.currentTarget.value as BotLevel)}>
            {LEVELS.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Thinking time</span>
          <select value={clock} onChange={(event) => setClock(Number(event.currentTarget.value))}>
            {CLOCKS.map((preset, i) => (
              <option key={preset.name} value={i}>
                {preset.name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <label class="check">
        <input type="checkbox" checked={isPrivate} onChange={(event) => setPrivate(event.currentTarget.checked)} />
        <span>Only those with the link may see it</span>
      </label>
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <div class="buttons">
        {seats > 1 ? (
          <>
            <button type="button" class="primary" data-play-bots disabled={busy} onClick={() => start('bots')}>
              {seats === 2 ? 'Play a bot now' : `Play ${seats - 1} bots now`}
            </button>
            <button type="button" disabled={busy} onClick={() => start('people')}>
              Open a table for people
            </button>
          </>
        ) : (
          <button type="button" class="primary" disabled={busy} onClick={() => start('people')}>
            Play alone
          </button>
        )}
      </div>
    </form>
  );
}
