/** Back to the question of an app, once somebody is signed in who can answer it. */
import { useEffect } from 'preact/hooks';
import { route } from '../route.ts';
import { sessionEnded } from '../session.ts';
import { rest } from '../sign-in.ts';

/** The pages that send people here to sign in first. */
const ASKING = ['/oauth/authorize', '/oauth/device'];

/** Where to go on after signing in; null: nowhere. Anybody can write a link to this page, so only those pages count. */
export function returnAddress(): string | null {
  const wanted = route.value.query.get('return');
  if (!wanted?.startsWith('/')) return null;
  try {
    const { origin, pathname, search } = new URL(wanted, location.origin);
    return origin === location.origin && ASKING.includes(pathname) ? pathname + search : null;
  } catch {
    return null; // it is no address
  }
}

/** This page may remember somebody whose session has ended: the server is asked, or people would go in circles. */
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
