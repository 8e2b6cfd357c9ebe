/** The caller's account: how to keep it, where it is signed in, where to be told. */
import { useEffect, useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import {
  Account,
  type AccountQuery,
  ConfirmEmail,
  CreateToken,
  DeletePlayer,
  Me,
  RemoveEmail,
  RevokeToken,
  SetEmail,
} from '../generated/operations.ts';
import { NameForm } from '../parts/name.tsx';
import { PushSwitch } from '../parts/push.tsx';
import { go } from '../route.ts';
import { session, signIn, signOut } from '../session.ts';
import { title } from '../turns.ts';

export function AccountPage() {
  useEffect(() => title('Account · Atoll'), []);
  return (
    <main class="page narrow account" id="content">
      {session.value ? <Own key={session.value.id} name={session.value.name} /> : <SignInPage />}
    </main>
  );
}

function SignInPage() {
  const [key, setKey] = useState('');
  const [error, setError] = useState<string | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    setError(null);
    signIn({ id: '', name: '', token: key.trim() });
    try {
      const { me } = await ask(Me, {});
      if (!me) throw new Error();
      signIn({ ...me, token: key.trim(), kept: true });
      go('/');
    } catch {
      signOut();
      setError('The server does not know this key.');
    }
  };
  return (
    <>
      <h1>Play as a guest</h1>
      <p>A name is all that is needed. This browser remembers you.</p>
      <NameForm action="Go on" onDone={() => go('/')} />
      <h2>Or sign in with your key</h2>
      <p>You find it on the device on which you play, on this page.</p>
      <form class="inline" onSubmit={submit}>
        <label class="field">
          <span>Key</span>
          <input
            name="token"
            type="password"
            autocomplete="current-password"
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <button type="submit">Sign in</button>
      </form>
      {error && (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
    </>
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
  return (
    <>
      <h1>{name}</h1>
      {error && (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
      <KeepAccount />
      <section>
        <h2>Notices on this device</h2>
        <PushSwitch />
      </section>
      <Email email={account?.email ?? null} attempt={attempt} />
      <h2>Devices and programs</h2>
      <ul class="tokens">
        {(account?.me?.tokens ?? [])
          .filter(({ revokedAt }) => revokedAt === null)
          .map((token) => (
            <li key={token.id}>
              <span>
                {token.name} <small>since {new Date(token.createdAt).toLocaleDateString()}</small>
              </span>
              <button type="button" onClick={attempt(() => ask(RevokeToken, { id: token.id }))}>
                End
              </button>
            </li>
          ))}
      </ul>
      <h2>Leave</h2>
      <div class="buttons">
        <button type="button" onClick={signOut}>
          Sign out here
        </button>
        <DeleteButton attempt={attempt} />
      </div>
    </>
  );
}

type Attempt = (command: () => Promise<unknown>) => () => Promise<void>;

/** A guest's account lives in this browser alone, until its key is written down elsewhere. */
function KeepAccount() {
  const [key, setKey] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const make = async () => {
    try {
      const { createToken } = await ask(CreateToken, { name: 'Key to keep' });
      setKey(createToken.token);
      if (session.value) signIn({ ...session.value, kept: true });
    } catch (failure) {
      setError(sentence(failure));
    }
  };
  return (
    <section>
      <h2>Keep this account</h2>
      <p>
        You are signed in in this browser only. With a key you can come back after clearing it, or play on another
        device.
      </p>
      {key ? (
        <label class="field">
          <span>Your key: keep it secret, it is shown this once</span>
          <input readOnly value={key} onFocus={(event) => event.currentTarget.select()} />
        </label>
      ) : (
        <button type="button" class="primary" onClick={() => void make()}>
          Show me a key
        </button>
      )}
      {error && <p class="notice">{error}</p>}
    </section>
  );
}

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

function DeleteButton({ attempt }: { attempt: Attempt }) {
  const [sure, setSure] = useState(false);
  const remove = attempt(async () => {
    await ask(DeletePlayer, {});
    signOut();
    go('/');
  });
  return sure ? (
    <button type="button" class="danger" onClick={() => void remove()}>
      Delete it for good
    </button>
  ) : (
    <button type="button" onClick={() => setSure(true)}>
      Delete this account
    </button>
  );
}
