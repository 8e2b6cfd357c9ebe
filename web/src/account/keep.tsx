/** A guest's account lives only in this browser until there is another way to sign in to it. */
import { useState } from 'preact/hooks';
import { ask, Refusal, sentence } from '../api.ts';
import { ConfirmEmail, CreateToken, KeepByEmail, SetEmail } from '../generated/operations.ts';
import { restoreSession } from '../sign-in.ts';
import { OneField, TaskButton } from './form.tsx';
import type { AccountData } from './own.ts';
import { addPasskey, passkeySentence, passkeysWork } from './passkeys.ts';

interface KeepProps extends AccountData {
  onChange(): Promise<unknown>;
}

const isNameTaken = (error: unknown): boolean => error instanceof Refusal && error.code === 'NAME_TAKEN';

export function Keep({ account, email, onChange }: KeepProps) {
  /** The name under which to keep the account; null for the guest's own. */
  const [name, setName] = useState<string | null>(null);
  const [taken, setTaken] = useState(false);
  const keeping = (keep: () => Promise<unknown>) => async () => {
    try {
      await keep();
    } catch (error) {
      setTaken(isNameTaken(error));
      throw error;
    }
    await restoreSession(); // the player may have a new name now
    await onChange();
  };
  const byMail = keeping(() => ask(KeepByEmail, { playerName: name }));
  return (
    <section class="keep" data-keep-account>
      <h2>Keep this account</h2>
      <p>
        You play as a guest, known only to this browser. Keep the account, and you can sign in again after clearing the
        browser, or from another device. Your name will then be yours alone. It is free, and there is no password.
      </p>
      {taken && (
        <OneField
          name="player-name"
          label={`“${name ?? account.player.name}” belongs to somebody else. Under which name do you want to keep your account?`}
          action="Use this name"
          onSubmit={async (text) => {
            setName(text);
            setTaken(false);
          }}
          sentence={sentence}
        />
      )}
      {name && !taken && (
        <p role="status">
          Your account will be kept as <strong>{name}</strong>.
        </p>
      )}
      {passkeysWork && (
        <TaskButton
          label="Keep it with a passkey"
          primary
          hook="keep-passkey"
          onClick={keeping(() => addPasskey(name))}
          sentence={passkeySentence}
        />
      )}
      {account.mail && (
        <KeepByMail
          label={passkeysWork ? 'Or by e-mail: your address' : 'Your e-mail address'}
          email={email}
          onConfirmed={byMail}
          onChange={onChange}
        />
      )}
      {!passkeysWork && !account.mail && <KeepByKey />}
    </section>
  );
}

interface MailProps {
  label: string;
  email: AccountData['email'];
  onConfirmed(): Promise<unknown>;
  onChange(): Promise<unknown>;
}

/**
 * Confirms an address by a code and keeps the account. Also used to add an address to an account that has a passkey.
 */
export function KeepByMail({ label, email, onConfirmed, onChange }: MailProps) {
  const [another, setAnother] = useState(false);
  if (email?.confirmedAt)
    return (
      <TaskButton
        label={`Sign in by ${email.address} from now on`}
        hook="keep-email"
        onClick={onConfirmed}
        sentence={sentence}
      />
    );
  if (email && !another)
    return (
      <>
        <p role="status">A mail with a code is on its way to {email.address}.</p>
        <OneField
          key="code"
          name="email-code"
          label="Code from the mail"
          action="Confirm"
          autocomplete="one-time-code"
          onSubmit={async (code) => {
            await ask(ConfirmEmail, { code });
            await onConfirmed().finally(onChange);
          }}
          sentence={sentence}
        />
        <button type="button" class="link" onClick={() => setAnother(true)}>
          Another address
        </button>
      </>
    );
  return (
    <OneField
      key="address"
      name="keep-address"
      type="email"
      label={label}
      action="Send me a code"
      autocomplete="email"
      onSubmit={async (address) => {
        await ask(SetEmail, { address });
        setAnother(false);
        await onChange();
      }}
      sentence={sentence}
    />
  );
}

/** A token to write down, for where neither works, such as plain http at home. */
function KeepByKey() {
  const [key, setKey] = useState<string | null>(null);
  if (key)
    return (
      <label class="field">
        <span>Your key. Keep it secret; it is shown only once</span>
        <input readOnly value={key} onFocus={(event) => event.currentTarget.select()} />
      </label>
    );
  return (
    <>
      <p>
        This server offers neither passkeys nor mail at this address. You can write down a key instead, and sign in with
        it elsewhere; your name stays one that others can have, too.
      </p>
      <TaskButton
        label="Show me a key"
        onClick={async () => setKey((await ask(CreateToken, { name: 'Key to keep' })).createToken.token)}
        sentence={sentence}
      />
    </>
  );
}
