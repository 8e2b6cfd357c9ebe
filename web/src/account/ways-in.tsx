/** The ways to sign in to a kept account: passkeys, an address, recovery codes. */
import { useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import {
  CreateRecoveryCodes,
  KeepByEmail,
  RemoveEmailSignIn,
  RemovePasskey,
  RenamePasskey,
} from '../generated/operations.ts';
import { OneField, TaskButton } from './form.tsx';
import { KeepByMail } from './keep.tsx';
import type { AccountData } from './own.ts';
import { addPasskey, passkeySentence, passkeysWork } from './passkeys.ts';
import { dayOf } from './when.ts';

interface WaysInProps extends AccountData {
  onChange(): Promise<unknown>;
}

export function WaysIn({ account, email, onChange }: WaysInProps) {
  const { passkeys, signInAddress, mail } = account;
  const then = (task: () => Promise<unknown>) => async () => {
    await task();
    await onChange();
  };
  return (
    <section data-ways-in>
      <h2>How you sign in</h2>
      <h3>Passkeys</h3>
      {passkeys.length === 0 && <p class="quiet">You have none yet.</p>}
      <ul class="tokens" data-passkeys>
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} onChange={onChange} />
        ))}
      </ul>
      {passkeysWork && (
        <TaskButton
          label="Add a passkey"
          hook="add-passkey"
          onClick={then(() => addPasskey(null))}
          sentence={passkeySentence}
        />
      )}
      {(mail || signInAddress) && (
        <>
          <h3>E-mail</h3>
          {signInAddress ? (
            <p>
              A mail to {signInAddress} lets you in.{' '}
              <TaskButton label="Remove" onClick={then(() => ask(RemoveEmailSignIn, {}))} sentence={sentence} />
            </p>
          ) : (
            <KeepByMail
              label="Your address"
              email={email}
              onConfirmed={then(() => ask(KeepByEmail, {}))}
              onChange={onChange}
            />
          )}
        </>
      )}
      <RecoveryCodes left={account.recoveryCodesLeft} onChange={onChange} />
    </section>
  );
}

interface PasskeyRowProps {
  passkey: AccountData['account']['passkeys'][number];
  onChange(): Promise<unknown>;
}

function PasskeyRow({ passkey: { id, name, createdAt, lastUsedAt }, onChange }: PasskeyRowProps) {
  const [renaming, setRenaming] = useState(false);
  if (renaming)
    return (
      <li>
        <OneField
          name="passkey-name"
          label={`New name for “${name}”`}
          action="Rename"
          onSubmit={async (text) => {
            await ask(RenamePasskey, { id, name: text });
            setRenaming(false);
            await onChange();
          }}
          sentence={sentence}
        >
          <button type="button" onClick={() => setRenaming(false)}>
            Cancel
          </button>
        </OneField>
      </li>
    );
  return (
    <li>
      <span>
        {name}{' '}
        <small>{lastUsedAt ? `last used ${dayOf(lastUsedAt)}` : `since ${dayOf(createdAt)}, not used yet`}</small>
      </span>
      <span class="buttons small">
        <button type="button" onClick={() => setRenaming(true)}>
          Rename<span class="hidden"> {name}</span>
        </button>
        <TaskButton
          label="Remove"
          onClick={async () => {
            await ask(RemovePasskey, { id });
            await onChange();
          }}
          sentence={sentence}
        />
      </span>
    </li>
  );
}

function RecoveryCodes({ left, onChange }: { left: number; onChange(): Promise<unknown> }) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const make = async () => {
    setCodes((await ask(CreateRecoveryCodes, {})).createRecoveryCodes);
    await onChange();
  };
  return (
    <>
      <h3>Recovery codes</h3>
      {codes ? (
        <>
          <p role="status">
            Write these down or print them, because they are shown only once. Each lets you sign in once if you have
            lost everything else.
          </p>
          <ol class="codes" data-codes>
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ol>
        </>
      ) : (
        <p>
          {left > 0
            ? `You have ${left} left. New codes replace the old ones.`
            : 'In case you lose your phone: ten codes to write down, each of which lets you sign in once.'}
        </p>
      )}
      <TaskButton
        label={left > 0 ? 'Make new recovery codes' : 'Make recovery codes'}
        hook="recovery-codes"
        onClick={make}
        sentence={sentence}
      />
    </>
  );
}
