/** What others see of the caller, what is stored about them, and how to delete it. */
import { useEffect, useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import { ExportAccount, Privacy, type PrivacyQuery, SetPrivacy } from '../generated/operations.ts';
import { go } from '../route.ts';
import { remember } from '../session.ts';
import { rest } from '../sign-in.ts';
import { download } from './download.ts';

type Shown = PrivacyQuery['privacy'];

const CHOICES: readonly [keyof Shown, string][] = [
  ['listed', 'Others can find me by my name'],
  ['matches', 'My profile shows my public matches'],
  ['online', 'Tables show when I am here'],
];

/** Runs something and keeps an error message if it failed. */
function useAttempt() {
  const [error, setError] = useState<string | null>(null);
  const attempt = async (command: () => Promise<unknown>) => {
    setError(null);
    try {
      await command();
    } catch (failure) {
      setError(sentence(failure));
    }
  };
  const alert = error && (
    <p class="notice" role="alert">
      {error}
    </p>
  );
  return { attempt, alert };
}

export function PrivacyChoices({ profile }: { profile: string }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const { attempt, alert } = useAttempt();
  useEffect(() => void attempt(async () => setShown((await ask(Privacy, {})).privacy)), []);
  return (
    <section>
      <h2>What others see</h2>
      <p>
        <a href={profile}>Your profile</a>
      </p>
      {CHOICES.map(([name, label]) => (
        <label class="check" key={name}>
          <input
            type="checkbox"
            name={name}
            disabled={!shown}
            checked={shown?.[name] ?? true}
            onChange={({ currentTarget: { checked } }) =>
              void attempt(async () => {
                const { setPrivacy } = await ask(SetPrivacy, { input: { [name]: checked } });
                setShown(setPrivacy);
              })
            }
          />
          <span>{label}</span>
        </label>
      ))}
      {alert}
    </section>
  );
}

export function OwnData({ name }: { name: string }) {
  const { attempt, alert } = useAttempt();
  const [sure, setSure] = useState(false);
  const [typed, setTyped] = useState('');
  const save = () => attempt(async () => download('atoll-account.json', (await ask(ExportAccount, {})).exportAccount));
  const remove = (event: Event) => {
    event.preventDefault();
    void attempt(async () => {
      // By REST, which also makes the browser forget its session.
      await rest('DELETE', `/me?confirm=${encodeURIComponent(typed.trim())}`);
      remember(null);
      go('/');
    });
  };
  return (
    <section>
      <h2>Your data</h2>
      <p>Everything that is stored about you, as one file.</p>
      <div class="buttons">
        <button type="button" data-export-account onClick={() => void save()}>
          Download my data
        </button>
        {!sure && (
          <button type="button" onClick={() => setSure(true)}>
            Delete this account
          </button>
        )}
      </div>
      {sure && (
        <form class="inline" onSubmit={remove}>
          <p>
            Your name is forgotten everywhere, your seats are given up, and you cannot sign in again. What you played
            stays, under the name “Deleted player”, so that the matches of others stay provable.
          </p>
          <label class="field">
            <span>To delete it for good, type {name}</span>
            <input
              name="confirm"
              autocomplete="off"
              value={typed}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="danger" data-delete-account disabled={typed.trim() !== name}>
            Delete it for good
          </button>
        </form>
      )}
      {alert}
    </section>
  );
}
