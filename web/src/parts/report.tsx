/** Reports a player or a match to the operator. */
import { useRef, useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import { Report } from '../generated/operations.ts';
import { once } from '../once.ts';

interface Reported {
  id: string;
  name: string;
}

interface ReportButtonProps {
  /** The players whom it can be about; if empty, it is about the match. */
  players: readonly Reported[];
  matchId?: string;
}

export function ReportButton({ players, matchId }: ReportButtonProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [whom, setWhom] = useState(players[0]?.id ?? '');
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [sent, setSent] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setError(null);
    try {
      const input = { text, ...(whom && { playerId: whom }), ...(matchId && { matchId }) };
      await once(['report', input], ({ idempotencyKey }) => ask(Report, { input: { ...input, idempotencyKey } }));
      setSent(true);
      setText('');
    } catch (failure) {
      setError(sentence(failure));
    }
  };
  const open = () => {
    setSent(false);
    setError(null);
    dialog.current?.showModal();
  };
  return (
    <>
      <button type="button" data-report onClick={open}>
        Report
      </button>
      <dialog ref={dialog} aria-label="Report to the operator">
        {sent ? (
          <p role="status">Thank you. The operator of this server will read it.</p>
        ) : (
          <form class="report" onSubmit={submit}>
            <p>The operator of this server reads this. The other players do not.</p>
            {players.length > 0 && (
              <label class="field">
                <span>About</span>
                <select value={whom} onChange={(event) => setWhom(event.currentTarget.value)}>
                  {players.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                  {matchId && <option value="">the match itself</option>}
                </select>
              </label>
            )}
            <label class="field">
              <span>What happened</span>
              <textarea
                name="report"
                rows={4}
                maxLength={2000}
                required
                value={text}
                onInput={(event) => setText(event.currentTarget.value)}
              />
            </label>
            {error && (
              <p class="notice" role="alert">
                {error}
              </p>
            )}
            <button type="submit" class="primary">
              Send
            </button>
          </form>
        )}
        <div class="buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
      </dialog>
    </>
  );
}
