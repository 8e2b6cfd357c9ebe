/** What the pages say of an app that asks for a permission. */
import { GRANT_SECONDS } from '../../players/apps/grants.ts';
import { hostOfClient } from '../../players/apps/redirect.ts';
import { shownName } from '../../players/name.ts';
import type { Scope, Viewer } from '../../players/player.ts';
import { type Html, html } from '../http/answers/html.ts';

/** What each scope lets an app do, as a person is told. */
export const ALLOWS: Record<Scope, string> = {
  READ: 'See your matches, also the private ones, and what only you can see in them.',
  PLAY: 'Play for you: take seats, act, take actions back and give up.',
  CREATE: 'Open matches in your name, add bots to them, cancel, copy and import matches.',
  NOTICES: 'Read and change the webhooks that are told of your turns.',
  ACCOUNT:
    'Change everything of your account: make and revoke tokens, change your e-mail address and how you sign in, and delete the account.',
};

/** What an app calls itself, where it is named in a sentence. */
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

/** Where an answer goes, as a person can recognise it. */
export function targetOf(redirectUri: string): { name: string; isHere: boolean } {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol === 'https:') return { name: host, isHere: false };
  return { name: protocol === 'http:' ? hostname : protocol.slice(0, -1), isHere: true };
}

/** What the policy of a page must let its forms lead to: browsers follow a form's redirect only there. */
export function sourceOf(redirectUri: string): string {
  const { protocol, origin } = new URL(redirectUri);
  return protocol === 'https:' || protocol === 'http:' ? origin : protocol;
}

/** `here`: the path and query of the page that asks, to which the account page comes back by itself. */
export const signInFirst = (here: string): Html => html`
<h1>Sign in first</h1>
<p>An app asks for a permission of a player, but nobody is signed in in this browser. Sign in, and you come back to its question.</p>
<p><a class="button" href="/account?${new URLSearchParams({ return: here }).toString()}">Sign in or register</a></p>`;

/** By plain http over a network a browser cannot be signed in: anybody could read along. */
export const noSessionsHere = html`
<h1>Not at this address</h1>
<p>An app asks for a permission of a player. This page was reached by plain http over a network, where browsers cannot be signed in safely, so no permission can be given here. Ask whoever runs this server for an address that begins with https.</p>`;
