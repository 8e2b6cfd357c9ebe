/** A guest needs only a name. */
import { useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import { Register } from '../generated/operations.ts';
import { startSession } from '../sign-in.ts';

export const LONGEST_NAME = 30;

export async function register(name: string): Promise<void> {
  const { register } = await ask(Register, { name });
  await startSession(register.token, { endToken: true });
}

interface NameFieldProps {
  value: string;
  onInput(name: string): void;
  error: string | null;
}

export function NameField({ value, onInput, error }: NameFieldProps) {
  return (
    <label class="field">
      <span>Your name</span>
      <input
        name="name"
        autocomplete="nickname"
        maxLength={LONGEST_NAME}
        placeholder="What others call you"
        value={value}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={error ? 'name-error' : undefined}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
      {error && (
        <span class="error" id="name-error" role="alert">
          {error}
        </span>
      )}
    </label>
  );
}

/** Asks for a name where one is needed before something else can happen. */
export function NameForm({ action, onDone }: { action: string; onDone(): void }) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!name.trim()) return setError('Type a name first: any will do.');
    setBusy(true);
    try {
      await register(name.trim());
      onDone();
    } catch (failure) {
      setError(sentence(failure));
      setBusy(false);
    }
  };
  return (
    <form class="inline" onSubmit={submit}>
      <NameField value={name} onInput={setName} error={error} />
      <button type="submit" class="primary" disabled={busy}>
        {action}
      </button>
    </form>
  );
}
