/** Returns to the question of an app once somebody who can answer it is signed in. */
import { useEffect } from 'preact/hooks';
import { route } from '../route.ts';
import { sessionEnded } from '../session.ts';
import { rest } from '../sign-in.ts';

/** The pages that send people here to sign in first. */
const ASKING = ['/oauth/authorize', '/oauth/device'];

/** Where to continue after signing in, or null. Anyone can write a link to this page, so only those pages count. */
export function returnAddress(): string | null {
  const wanted = route.value.query.get('return');
  if (!wanted?.startsWith('/')) return null;
  try {
    const { origin, pathname, search } = new URL(wanted, location.origin);
    return origin === location.origin && ASKING.includes(pathname) ? pathname + search : null;
  } catch {
    return null; // not an address
  }
}

/**
 * The page may remember a player whose session has ended. The server is asked, because people would go in circles
 * otherwise.
 */
export function ComeBack({ to }: { to: string }) {
  useEffect(() => {
    rest<{ player: object | null }>('GET', '/session').then(
      ({ player }) => {
        if (player) location.replace(to);
        else sessionEnded.value = true;
      },
      () => {
        sessionEnded.value = true;
      },
    );
  }, [to]);
  return (
    <p role="status">
      You are signed in. <a href={to}>Continue</a>
    </p>
  );
}
