/** The button that proves a match in the page, and its result. */
import { useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import { Export } from '../generated/operations.ts';
import { agreedOf } from '../session.ts';
import type { Question, Verdict } from './worker.ts';

function prove(question: Question): Promise<Verdict> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Verdict>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Verdict>) => resolve(data));
    worker.addEventListener('error', () => reject(new Error('The verifier could not be started.')));
    worker.postMessage(question);
  }).finally(() => worker.terminate());
}

export function ProofPanel({ id, invite }: { id: string; invite: string | undefined }) {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      const { match } = await ask(Export, { id, ...(invite && { invite }) });
      setVerdict(await prove({ document: match?.export, agreed: agreedOf(id) }));
    } catch (failure) {
      setVerdict({ proven: false, sentences: [sentence(failure)] });
    }
    setBusy(false);
  };
  return (
    <section class="proof">
      <button type="button" data-verify disabled={busy} onClick={() => void run()}>
        {busy ? 'Playing it all again…' : 'Was it fair? Prove it here'}
      </button>
      {verdict && (
        <div
          data-proof={verdict.proven ? 'proven' : 'unproven'}
          class={verdict.proven ? 'proven' : 'notice'}
          role="status"
        >
          <strong>
            {verdict.proven ? 'Proven, on this device, from the exported document alone.' : 'Not proven.'}
          </strong>
          <ul>
            {verdict.sentences.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
