/** The building blocks of the account page. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface OneFieldProps {
  name: string;
  label: string;
  action: string;
  type?: 'text' | 'email' | 'password';
  autocomplete?: string;
  primary?: boolean;
  /** If it throws, the error is shown below. */
  onSubmit(text: string): Promise<unknown>;
  sentence(error: unknown): string;
  children?: ComponentChildren;
}

/** One field, one button, and the result. */
export function OneField(props: OneFieldProps) {
  const { name, label, action, type = 'text', autocomplete = 'off', primary, onSubmit, sentence, children } = props;
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!text.trim()) return;
    setBusy(true);
    setError(null);
    try {
      await onSubmit(text.trim());
      setText('');
    } catch (failure) {
      setError(sentence(failure));
    }
    setBusy(false);
  };
  return (
    <form class="inline" onSubmit={submit}>
      <label class="field">
        <span>{label}</span>
        <input
          name={name}
          type={type as 'text'}
          autocomplete={autocomplete}
          value={text}
          aria-invalid={error ? 'true' : undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" class={primary ? 'primary' : undefined} disabled={busy}>
        {action}
      </button>
      {children}
      {error && <Notice>{error}</Notice>}
    </form>
  );
}

export const Notice = ({ children }: { children: ComponentChildren }) => (
  <p class="notice" role="alert">
    {children}
  </p>
);

interface TaskButtonProps {
  label: string;
  primary?: boolean;
  hook?: string;
  onClick(): Promise<unknown>;
  sentence(error: unknown): string;
}

/** A button for something that takes time. It shows an error if it failed. */
export function TaskButton({ label, primary, hook, onClick, sentence }: TaskButtonProps) {
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const click = async () => {
    setBusy(true);
    setError(null);
    try {
      await onClick();
    } catch (failure) {
      setError(sentence(failure));
    }
    setBusy(false);
  };
  return (
    <>
      <button
        type="button"
        class={primary ? 'primary' : undefined}
        data-do={hook}
        disabled={busy}
        onClick={() => void click()}
      >
        {label}
      </button>
      {error && <Notice>{error}</Notice>}
    </>
  );
}
