/** What the pages say about an app that asks for a permission. */
import { GRANT_SECONDS } from '../../players/apps/grants.ts';
import { hostOfClient } from '../../players/apps/redirect.ts';
import { shownName } from '../../players/name.ts';
import type { Scope, Viewer } from '../../players/player.ts';
import { type Html, html } from '../http/answers/html.ts';

/** What each scope lets an app do, in the words that a person reads. */
export const ALLOWS: Record<Scope, string> = {
  READ: 'See your matches, including private ones, and what only you can see in them.',
  PLAY: 'Play for you: take seats, act, take actions back and give up.',
  CREATE: 'Open matches in your name, add bots to them, cancel, copy and import matches.',
  NOTICES: 'Read and change the webhooks that report your turns.',
  ACCOUNT:
    'Change everything about your account: make and revoke tokens, change your e-mail address and how you sign in, ' +
    'and delete the account.',
};

/** The name of an app within a sentence. */
export const named = (client: string): Html => html`<b>${hostOfClient(client) ?? client}</b>`;

export const permissions = (scopes: readonly Scope[]): Html => html`
<h2>The app would be allowed to</h2>
<ul>${scopes.map((scope) => html`<li>${ALLOWS[scope]}</li>`)}</ul>
${
  scopes.includes('ACCOUNT') &&
  html`<p class="warning">With the last of these the app could take your account from you. Few apps need it.</p>`
}
<h2>For how long</h2>
<p>Until you take the permission back, which you can do at any time on <a href="/account">your account page</a>. It ends by itself when the app has not used it for ${GRANT_SECONDS / 86_400} days.</p>`;

export const whoYouAre = (viewer: Viewer): Html => html`<p>You are signed in as <b>${shownName(viewer)}</b>.</p>`;

/** The target of an answer, in a form that a person can recognise. */
export function targetOf(redirectUri: string): { name: string; isHere: boolean } {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === 'https:') return { name: host, isHere: false };
  return { name: protocol === 'http:' ? hostname : protocol.slice(0, -1), isHere: true };
}

/** The origin that the page's policy must allow for its forms: browsers follow the redirect of a form only there. */
export function sourceOf(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol;
}

/** `here` is the path and query of the page that asks. The account page returns to it by itself. */
export const signInFirst = (here: string): Html => html`
<h1>Sign in first</h1>
<p>An app asks for a permission, but nobody is signed in in this browser. After you sign in, you return to its question.</p>
<p><a class="button" href="/account?${new URLSearchParams({ return: here }).toString()}">Sign in or register</a></p>`;

/** A browser cannot be signed in by plain http over a network, because others could read the session. */
export const noSessionsHere = html`
<h1>Not at this address</h1>
<p>An app asks for a permission. This page was reached by plain http over a network, where browsers cannot be signed in safely, so no permission can be given here. Ask the operator of this server for an address that begins with https.</p>`;
