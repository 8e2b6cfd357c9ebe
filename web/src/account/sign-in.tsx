/** For visitors who are not signed in: playing as a guest, or signing in to a kept account. */
import { useEffect, useState } from 'preact/hooks';
import { NameForm } from '../parts/name.tsx';
import { go } from '../route.ts';
import { rest, signInBy, startSession } from '../sign-in.ts';
import { returnAddress } from './come-back.tsx';
import { OneField, TaskButton } from './form.tsx';
import { passkeySentence, passkeysWork, signInSentence, signInWithPasskey } from './passkeys.ts';

/** Where to go after signing in. The account page itself brings people back to where they came from. */
const onward = (to = '/') => {
  if (!returnAddress()) go(to);
};

/** The last part of the link in a mail. */
const secretOfLink = (): string | null => new URLSearchParams(location.hash.slice(1)).get('sign-in');

export function SignIn({ back }: { back: string | null }) {
  const [secret, setSecret] = useState(secretOfLink);
  const [mail, setMail] = useState(false);
  useEffect(() => {
    rest<{ mail: boolean }>('GET', '/session').then(
      (answer) => setMail(answer.mail),
      () => {}, // the banner shows it
    );
  }, []);
  if (secret) return <ByLink secret={secret} onDone={() => setSecret(null)} />;
  return (
    <>
      <h1>Sign in</h1>
      {back && <p role="status">Then you return to the question of the app.</p>}
      {passkeysWork && (
        <section>
          <h2>With a passkey</h2>
          <p>This device, your phone or a security key knows you: no password, no name to type.</p>
          <TaskButton
            label="Sign in with a passkey"
            primary
            hook="sign-in-passkey"
            onClick={async () => {
              await signInWithPasskey();
              onward();
            }}
            sentence={passkeySentence}
          />
        </section>
      )}
      {mail && <ByMail />}
      <Otherwise />
      <section>
        <h2>New here?</h2>
        <p>A name is all that is needed to play. This browser remembers you, and you can keep the account later.</p>
        <NameForm action="Play as a guest" onDone={onward} />
      </section>
    </>
  );
}

/**
 * Opening the link is not enough: programs open links in mails, and somebody might want you to sign in to their
 * account.
 */
function ByLink({ secret, onDone }: { secret: string; onDone(): void }) {
  const leave = () => {
    history.replaceState(null, '', '/account');
    onDone();
  };
  return (
    <section>
      <h1>Sign in here?</h1>
      <p>You opened a link from a mail. Continue only if you asked for it, not if somebody else sent it to you.</p>
      <div class="buttons">
        <TaskButton
          label="Yes, sign me in"
          primary
          hook="sign-in-link"
          onClick={async () => {
            await signInBy('/email/code', { link: secret });
            onward();
          }}
          sentence={signInSentence}
        />
        <button type="button" onClick={leave}>
          No
        </button>
      </div>
    </section>
  );
}

function ByMail() {
  const [asked, setAsked] = useState<{ id: string; address: string } | null>(null);
  const ask = async (address: string) => {
    const { id } = await rest<{ id: string }>('POST', '/sign-in/email', { address });
    setAsked({ id, address });
  };
  return (
    <section>
      <h2>By e-mail</h2>
      {asked ? (
        <>
          <p role="status">
            If {asked.address} belongs to an account, a mail is on its way. Type its code here, or open its link.
          </p>
          <OneField
            key="code"
            name="code"
            label="Code from the mail"
            action="Sign in"
            autocomplete="one-time-code"
            primary
            onSubmit={async (code) => {
              await signInBy('/email/code', { id: asked.id, code });
              onward();
            }}
            sentence={signInSentence}
          />
          <button type="button" class="link" onClick={() => setAsked(null)}>
            Another address
          </button>
        </>
      ) : (
        <OneField
          key="address"
          name="address"
          type="email"
          label="Your address"
          action="Send me a code"
          autocomplete="email"
          onSubmit={ask}
          sentence={signInSentence}
        />
      )}
    </section>
  );
}

function Otherwise() {
  return (
    <details>
      <summary>Lost your device, or have a key?</summary>
      <OneField
        name="recovery-code"
        label="One of your recovery codes"
        action="Sign in"
        onSubmit={async (code) => {
          await signInBy('/recovery-code', { code });
          onward('/account');
        }}
        sentence={signInSentence}
      />
      <OneField
        name="token"
        type="password"
        label="A key (token) that you wrote down"
        action="Sign in"
        onSubmit={async (token) => {
          await startSession(token);
          onward();
        }}
        sentence={signInSentence}
      />
    </details>
  );
}
