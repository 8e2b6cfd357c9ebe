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
          <SelectField label="Players" value={seats} onChange={setSeats} choices={counts.map((n) => [n, String(n)])} />
        )}
        <OptionFields schema={game.optionsSchema as OptionsSchema} value={options} onChange={setOptions} />
        <SelectField label="Bots" value={level} onChange={setLevel} choices={LEVELS} />
        <SelectField
          label="Thinking time"
          value={clock}
          onChange={setClock}
          choices={CLOCKS.map((preset, i) => [i, preset.name])}
        />
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
      <StartButtons seats={seats} busy={busy} onStart={start} />
    </form>
  );
}

interface SelectFieldProps<T extends string | number> {
  label: string;
  value: T;
  choices: readonly (readonly [T, string])[];
  onChange(value: NoInfer<T>): void;
}

function SelectField<T extends string | number>({ label, value, choices, onChange }: SelectFieldProps<T>) {
  const pick = (index: number) => {
    const choice = choices[index];
    if (choice) onChange(choice[0]);
  };
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => pick(event.currentTarget.selectedIndex)}>
        {choices.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface StartButtonsProps {
  seats: number;
  busy: boolean;
  onStart(against: 'bots' | 'people'): void;
}

function StartButtons({ seats, busy, onStart }: StartButtonsProps) {
  if (seats === 1)
    return (
      <div class="buttons">
        <button type="button" class="primary" disabled={busy} onClick={() => onStart('people')}>
          Play alone
        </button>
      </div>
    );
  return (
    <div class="buttons">
      <button type="button" class="primary" data-play-bots disabled={busy} onClick={() => onStart('bots')}>
        {seats === 2 ? 'Play a bot now' : `Play ${seats - 1} bots now`}
      </button>
      <button type="button" disabled={busy} onClick={() => onStart('people')}>
        Open a table for people
      </button>
    </div>
  );
}
