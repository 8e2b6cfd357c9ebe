/** The frame of every page: links to the others, and warnings. */
import { useState } from 'preact/hooks';
import { banned, reachable } from '../api.ts';
import { connected } from '../live.ts';
import { go, route } from '../route.ts';
import { remember, session, sessionEnded } from '../session.ts';
import { signOut } from '../sign-in.ts';
import { waitingTurns } from '../turns.ts';
import { NameForm } from './name.tsx';

const NAV = [
  ['/', 'Play'],
  ['/watch', 'Watch'],
  ['/developers', 'Developers'],
] as const;

export function Header() {
  const { path } = route.value;
  const waiting = waitingTurns.value.filter(({ id }) => path !== `/matches/${id}`);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="/" aria-label="Atoll, the lobby">
          <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
            <circle cx="16" cy="16" r="12" class="reef" />
            <circle cx="16" cy="16" r="9" class="lagoon" />
            <circle cx="24.5" cy="7.5" r="3.5" class="sand" />
          </svg>
          <span>Atoll</span>
        </a>
        <nav aria-label="Pages">
          {NAV.map(([href, text]) => (
            <a key={href} href={href} aria-current={path === href ? 'page' : undefined}>
              {text}
            </a>
          ))}
        </nav>
        {waiting.length > 0 && (
          <a class="turn-badge" href={`/matches/${waiting[0]?.id}`}>
            <span class="long">Your turn: </span>
            {waiting.length === 1 ? waiting[0]?.game : `${waiting.length} tables`}
          </a>
        )}
        {session.value ? (
          <a class="who" href="/account" aria-current={path === '/account' ? 'page' : undefined}>
            {session.value.name}
          </a>
        ) : (
          <a class="who" href="/account">
            Sign in
          </a>
        )}
      </header>
      <BadNews />
    </>
  );
}

function BadNews() {
  if (banned.value) return <Banned why={banned.value} />;
  if (sessionEnded.value) return <SignedOut />;
  if (!reachable.value || !connected.value) {
    return (
      <p class="banner" role="status">
        The server cannot be reached. Nothing is lost: we keep trying, and continue where you were.{' '}
        <button type="button" class="link" onClick={() => location.reload()}>
          Reload now
        </button>
      </p>
    );
  }
  return null;
}

/** The operator's reason, and a way to watch without the account. */
const Banned = ({ why }: { why: string }) => (
  <p class="banner" role="alert">
    {why}{' '}
    <button
      type="button"
      class="link"
      onClick={() =>
        void signOut().then(() => {
          banned.value = null;
          go('/watch');
        })
      }
    >
      Sign out and watch others
    </button>
  </p>
);

/** The token was revoked; there is a way to continue without it. */
function SignedOut() {
  const [open, setOpen] = useState(false);
  return (
    <div class="banner" role="alert">
      <p>
        This device is signed out: somebody ended its session, or the account was deleted.{' '}
        <button type="button" class="link" onClick={() => setOpen(true)}>
          Go on as a new guest
        </button>{' '}
        <a href="/account" onClick={() => remember(null)}>
          Sign in again
        </a>
      </p>
      {open && <NameForm action="Go on" onDone={() => location.reload()} />}
    </div>
  );
}

export function Footer() {
  return (
    <footer class="bottom">
      <span>Atoll: board games on the web, one decision at a time.</span>
      <a href="/developers">Build your own client or bot</a>
    </footer>
  );
}
