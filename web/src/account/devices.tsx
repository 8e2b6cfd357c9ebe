/** Where the account is signed in, and how to sign out. */
import { useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import { EndSession } from '../generated/operations.ts';
import { go } from '../route.ts';
import { remember } from '../session.ts';
import { rest, signOut } from '../sign-in.ts';
import { TaskButton } from './form.tsx';
import type { AccountData } from './own.ts';
import { dayOf } from './when.ts';

interface DevicesProps {
  account: AccountData['account'];
  onChange(): Promise<unknown>;
}

export function Devices({ account: { sessions }, onChange }: DevicesProps) {
  if (sessions.length === 0) return null;
  return (
    <section>
      <h2>Browsers that are signed in</h2>
      <ul class="tokens" data-sessions>
        {sessions.map(({ id, device, lastUsedAt, current }) => (
          <li key={id}>
            <span>
              {device} <small>{current ? 'this one' : `last used ${dayOf(lastUsedAt)}`}</small>
            </span>
            {!current && (
              <TaskButton
                label="Sign out"
                onClick={async () => {
                  await ask(EndSession, { id });
                  await onChange();
                }}
                sentence={sentence}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A guest who signs out cannot come back, so a confirmation is required. */
export function SignOutButtons({ kept }: { kept: boolean }) {
  const [sure, setSure] = useState<'here' | 'everywhere' | null>(null);
  const [tokens, setTokens] = useState(false);
  const leave = async () => {
    if (sure === 'everywhere') await rest('POST', '/account/sign-out', { tokens });
    else await signOut();
    remember(null);
    go('/');
  };
  if (sure === null)
    return (
      <>
        <button type="button" data-do="sign-out" onClick={() => setSure('here')}>
          Sign out here
        </button>
        <button type="button" data-do="sign-out-everywhere" onClick={() => setSure('everywhere')}>
          Sign out everywhere
        </button>
      </>
    );
  return (
    <div>
      {!kept && <p class="notice">You play as a guest. Once you sign out, nobody can get back to this account.</p>}
      {sure === 'everywhere' && (
        <label class="check">
          <input type="checkbox" checked={tokens} onChange={(event) => setTokens(event.currentTarget.checked)} /> End
          the keys of programs and apps, too
        </label>
      )}
      <div class="buttons">
        <TaskButton
          label={sure === 'everywhere' ? 'Yes, sign out everywhere' : 'Yes, sign out here'}
          hook="sign-out-sure"
          onClick={leave}
          sentence={sentence}
        />
        <button type="button" onClick={() => setSure(null)}>
          Stay
        </button>
      </div>
    </div>
  );
}
