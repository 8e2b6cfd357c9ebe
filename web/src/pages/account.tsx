/** The caller's account: how to keep it, where it is signed in, and where to be notified. */
import { useEffect, useState } from 'preact/hooks';
import { ComeBack, returnAddress } from '../account/come-back.tsx';
import { Devices, SignOutButtons } from '../account/devices.tsx';
import { Keep } from '../account/keep.tsx';
import { SignIn } from '../account/sign-in.tsx';
import { Apps, Tokens } from '../account/tokens.tsx';
import { WaysIn } from '../account/ways-in.tsx';
import { ask, sentence } from '../api.ts';
import { Account, type AccountQuery, ConfirmEmail, RemoveEmail, SetEmail } from '../generated/operations.ts';
import { profileOf } from '../parts/matches.tsx';
import { OwnData, PrivacyChoices } from '../parts/own-data.tsx';
import { PushSwitch } from '../parts/push.tsx';
import { session, sessionEnded } from '../session.ts';
import { title } from '../turns.ts';

export function AccountPage() {
  useEffect(() => title('Account · Atoll'), []);
  const back = returnAddress();
  const isSignedIn = session.value && !sessionEnded.value;
  return (
    <main class="page narrow account" id="content">
      {!isSignedIn && <SignIn back={back} />}
      {isSignedIn && back && <ComeBack to={back} />}
      {isSignedIn && !back && <Own key={session.value?.id} name={session.value?.name ?? ''} />}
    </main>
  );
}

function Own({ name }: { name: string }) {
  const [account, setAccount] = useState<AccountQuery | null>(null);
  const [error, setError] = useState<string | null>(null);
  const read = () => ask(Account, {}).then(setAccount, (failure) => setError(sentence(failure)));
  useEffect(() => void read(), []);
  const attempt = (command: () => Promise<unknown>) => async () => {
    setError(null);
    try {
      await command();
      await read();
    } catch (failure) {
      setError(sentence(failure));
    }
  };
  const own = account?.account;
  return (
    <>
      <h1>{own?.player.name ?? name}</h1>
      {location.hash.startsWith('#sign-in=') && (
        <p class="notice" role="status">
          You are signed in here already. To use the link of the mail, sign out first and open it again.
        </p>
      )}
      {error && (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
      {own &&
        (own.kept ? (
          <WaysIn account={own} email={account.email} onChange={read} />
        ) : (
          <Keep account={own} email={account.email} onChange={read} />
        ))}
      <section>
        <h2>Notices on this device</h2>
        <PushSwitch />
      </section>
      {account && (own?.mail || account.email) && <Email email={account.email} attempt={attempt} />}
      {own && <Devices account={own} onChange={read} />}
      {account?.me && <Apps me={account.me} onChange={read} />}
      {account?.me && <Tokens me={account.me} onChange={read} />}
      <PrivacyChoices profile={profileOf(account?.me ?? { name, tag: null })} />
      <OwnData name={name} />
      <h2>Leave</h2>
      <div class="buttons">
        <SignOutButtons kept={own?.kept === true} />
      </div>
    </>
  );
}

type Attempt = (command: () => Promise<unknown>) => () => Promise<void>;

function Email({ email, attempt }: { email: AccountQuery['email']; attempt: Attempt }) {
  const [text, setText] = useState('');
  const waiting = email && email.confirmedAt === null;
  const submit = (event: Event) => {
    event.preventDefault();
    void attempt(async () => {
      await (waiting ? ask(ConfirmEmail, { code: text.trim() }) : ask(SetEmail, { address: text.trim() }));
      setText('');
    })();
  };
  return (
    <section>
      <h2>Mail when it is your turn</h2>
      {email && (
        <p>
          {email.address} {waiting && <em>waits for the code that was sent there</em>}{' '}
          <button type="button" class="link" onClick={attempt(() => ask(RemoveEmail, {}))}>
            Remove
          </button>
        </p>
      )}
      {(!email || waiting) && (
        <form class="inline" onSubmit={submit}>
          <label class="field">
            <span>{waiting ? 'Code from the mail' : 'Address'}</span>
            <input
              name={waiting ? 'code' : 'email'}
              inputMode={waiting ? 'text' : 'email'}
              autocomplete={waiting ? 'one-time-code' : 'email'}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <button type="submit">{waiting ? 'Confirm' : 'Send a code'}</button>
        </form>
      )}
    </section>
  );
}
