/**
 * The scope that a token needs for each route and field. A caller without a token has no scopes to check; the services
 * decide what such a caller may do. A route or root field that is not listed here needs the scope ACCOUNT, and a test
 * fails.
 */
import { refusals } from '../errors.ts';
import { SCOPES, type Scope, type Viewer } from '../players/player.ts';

/** Open to any token: what is the same for all callers, or has checks of its own. */
const OPEN = null;

type Table = Readonly<Record<string, Scope | typeof OPEN>>;

/** By type and field: every root field, and other fields that a token with the scope of the root must not read. */
export const FIELD_SCOPES: Table = {
  'Query.errorCodes': OPEN,
  'Query.games': OPEN,
  'Query.game': OPEN,
  'Query.pushKey': OPEN,
  'Query.me': 'READ',
  // What needs other scopes is looked up only if the token has them.
  'Query.node': 'READ',
  'Query.nodes': 'READ',
  'Query.match': 'READ',
  'Query.matches': 'READ',
  'Query.player': 'READ',
  'Query.players': 'READ',
  'Query.privacy': 'ACCOUNT',
  'Query.exportAccount': 'ACCOUNT',
  'Query.webhooks': 'NOTICES',
  'Query.email': 'ACCOUNT',

  'Mutation.register': OPEN,
  'Mutation.joinMatch': 'PLAY',
  'Mutation.leaveMatch': 'PLAY',
  'Mutation.submitAction': 'PLAY',
  'Mutation.undo': 'PLAY',
  'Mutation.resign': 'PLAY',
  'Mutation.setOrder': 'PLAY',
  'Mutation.createMatch': 'CREATE',
  'Mutation.addBot': 'CREATE',
  'Mutation.cancelMatch': 'CREATE',
  'Mutation.rematch': 'CREATE',
  'Mutation.forkMatch': 'CREATE',
  'Mutation.importMatch': 'CREATE',
  'Mutation.createWebhook': 'NOTICES',
  'Mutation.updateWebhook': 'NOTICES',
  'Mutation.deleteWebhook': 'NOTICES',
  'Mutation.rotateWebhookSecret': 'NOTICES',
  'Mutation.testWebhook': 'NOTICES',
  'Mutation.redeliver': 'NOTICES',
  // Someone who can read the mailbox of an account can sign in to it.
  'Mutation.setEmail': 'ACCOUNT',
  'Mutation.confirmEmail': 'ACCOUNT',
  'Mutation.removeEmail': 'ACCOUNT',
  // A ticket allows only reading, and for no longer than the token it is made with.
  'Mutation.createTicket': 'READ',
  'Mutation.createToken': 'ACCOUNT',
  'Mutation.revokeToken': 'ACCOUNT',
  'Mutation.revokeApp': 'ACCOUNT',
  'Mutation.deletePlayer': 'ACCOUNT',
  'Mutation.setPrivacy': 'ACCOUNT',
  'Mutation.report': 'PLAY',

  'Query.account': 'ACCOUNT',
  'Mutation.passkeyOptions': 'ACCOUNT',
  'Mutation.addPasskey': 'ACCOUNT',
  'Mutation.renamePasskey': 'ACCOUNT',
  'Mutation.removePasskey': 'ACCOUNT',
  'Mutation.keepByEmail': 'ACCOUNT',
  'Mutation.removeEmailSignIn': 'ACCOUNT',
  'Mutation.createRecoveryCodes': 'ACCOUNT',
  'Mutation.endSession': 'ACCOUNT',
  'Mutation.signOutEverywhere': 'ACCOUNT',
  // Callers who sign in prove their identity by other means.
  'Mutation.passkeySignInOptions': OPEN,
  'Mutation.signInWithPasskey': OPEN,
  'Mutation.beginEmailSignIn': OPEN,
  'Mutation.signInWithEmail': OPEN,
  'Mutation.signInWithRecoveryCode': OPEN,

  'Subscription.matchEvents': 'READ',
  'Subscription.turns': 'READ',
  'Subscription.lobby': 'READ',

  'Player.tokens': 'ACCOUNT',
  'Player.apps': 'ACCOUNT',
};

/** By method and pattern, with HEAD listed as GET. A pattern may end in /* for everything below it. */
export const ROUTE_SCOPES: Table = {
  'GET /v1/errors': OPEN,
  'GET /v1/games': OPEN,
  'GET /v1/games/:id': OPEN,
  'GET /v1/games/:id/schemas/:rules': OPEN,
  'GET /v1/push-key': OPEN,
  'GET /v1/me': 'READ',
  'GET /v1/matches': 'READ',
  'GET /v1/matches/:id': 'READ',
  'GET /v1/matches/:id/view': 'READ',
  'GET /v1/matches/:id/board.svg': 'READ',
  'GET /v1/matches/:id/board.png': 'READ',
  'GET /v1/matches/:id/description': 'READ',
  'GET /v1/matches/:id/legal-actions': 'READ',
  'GET /v1/matches/:id/events': 'READ',
  'GET /v1/matches/:id/states': 'READ',
  'GET /v1/turns': 'READ',
  'GET /v1/me/matches/export': 'READ',
  'GET /v1/matches/:id/export': 'READ',
  'GET /v1/matches/:id/order': 'READ',
  'GET /v1/matches/:id/presence': 'READ',
  'GET /v1/players': 'READ',
  'GET /v1/players/:id': 'READ',
  'GET /v1/players/:id/matches': 'READ',

  'POST /v1/players': OPEN,
  'POST /v1/matches/:id/seats': 'PLAY',
  'DELETE /v1/matches/:id/seats': 'PLAY',
  'POST /v1/matches/:id/actions': 'PLAY',
  'POST /v1/matches/:id/undo': 'PLAY',
  'POST /v1/matches/:id/resign': 'PLAY',
  'PUT /v1/matches/:id/order': 'PLAY',
  'POST /v1/matches': 'CREATE',
  'POST /v1/matches/:id/bots': 'CREATE',
  'DELETE /v1/matches/:id': 'CREATE',
  'POST /v1/matches/:id/rematch': 'CREATE',
  'POST /v1/matches/:id/forks': 'CREATE',
  'POST /v1/matches/import': 'CREATE',
  'GET /v1/webhooks': 'NOTICES',
  'POST /v1/webhooks': 'NOTICES',
  'GET /v1/webhooks/:id': 'NOTICES',
  'PATCH /v1/webhooks/:id': 'NOTICES',
  'DELETE /v1/webhooks/:id': 'NOTICES',
  'POST /v1/webhooks/:id/secret': 'NOTICES',
  'POST /v1/webhooks/:id/test': 'NOTICES',
  'GET /v1/webhooks/:id/deliveries': 'NOTICES',
  'POST /v1/deliveries/:id/redeliver': 'NOTICES',
  'GET /v1/me/email': 'ACCOUNT',
  'PUT /v1/me/email': 'ACCOUNT',
  'POST /v1/me/email/confirm': 'ACCOUNT',
  'DELETE /v1/me/email': 'ACCOUNT',
  'GET /v1/apps': 'ACCOUNT',
  'DELETE /v1/apps/:id': 'ACCOUNT',
  'GET /v1/me/privacy': 'ACCOUNT',
  'PATCH /v1/me/privacy': 'ACCOUNT',
  'GET /v1/me/export': 'ACCOUNT',
  'POST /v1/reports': 'PLAY',
  'GET /v1/tokens': 'ACCOUNT',
  'POST /v1/tokens': 'ACCOUNT',
  'POST /v1/tickets': 'READ',
  'DELETE /v1/tokens/:id': 'ACCOUNT',
  'DELETE /v1/me': 'ACCOUNT',

  'GET /v1/account': 'ACCOUNT',
  'POST /v1/account/passkeys/options': 'ACCOUNT',
  'POST /v1/account/passkeys': 'ACCOUNT',
  'PATCH /v1/account/passkeys/:id': 'ACCOUNT',
  'DELETE /v1/account/passkeys/:id': 'ACCOUNT',
  'POST /v1/account/email': 'ACCOUNT',
  'DELETE /v1/account/email': 'ACCOUNT',
  'POST /v1/account/recovery-codes': 'ACCOUNT',
  'DELETE /v1/account/sessions/:id': 'ACCOUNT',
  'POST /v1/account/sign-out': 'ACCOUNT',
  'GET /v1/session': 'READ',
  'POST /v1/session': 'ACCOUNT',
  'DELETE /v1/session': OPEN,
  'POST /v1/sign-in/passkey/options': OPEN,
  'POST /v1/sign-in/passkey': OPEN,
  'POST /v1/sign-in/email': OPEN,
  'POST /v1/sign-in/email/code': OPEN,
  'POST /v1/sign-in/recovery-code': OPEN,

  // The links in mails, which carry a code of their own.
  'GET /v1/email/confirm': OPEN,
  'POST /v1/email/confirm': OPEN,
  'GET /v1/email/unsubscribe': OPEN,
  'POST /v1/email/unsubscribe': OPEN,

  // Its tools require more scopes where they do more.
  'POST /mcp': 'READ',
  'GET /mcp': OPEN,
  'DELETE /mcp': OPEN,

  // The endpoints with which apps get permissions: each has its own proof of who asks.
  'GET /oauth/authorize': OPEN,
  'POST /oauth/authorize': OPEN,
  'POST /oauth/token': OPEN,
  'POST /oauth/revoke': OPEN,
  'GET /oauth/device': OPEN,
  'POST /oauth/device': OPEN,
  'POST /oauth/device/answer': OPEN,
  'GET /.well-known/*': OPEN,

  // The fields have their own scopes, above.
  'GET /graphql': OPEN,
  'POST /graphql': OPEN,

  // None of these identifies its caller.
  'GET /': OPEN,
  'GET /games/:id': OPEN,
  'GET /matches/:id': OPEN,
  'GET /watch': OPEN,
  'GET /players/:name': OPEN,
  'GET /account': OPEN,
  'GET /developers': OPEN,
  'GET /graphiql': OPEN,
  'GET /docs': OPEN,
  'GET /docs/*': OPEN,
  'GET /health/*': OPEN,
  'GET /metrics': OPEN,
  'GET *.*': OPEN,
};

/** The entry for all static files, which depend on the build. */
const FILES = 'GET *.*';
const FILE = /^GET \/(assets\/|graphiql\/|oauth\/|rules\/)?[\w.-]+\.\w+$/;

/** The scope of a field; undefined if it is that of the field it is part of. */
export function scopeOfField(path: string, isRoot: boolean): Scope | null | undefined {
  const scope = FIELD_SCOPES[path];
  return scope === undefined && isRoot ? 'ACCOUNT' : scope;
}

/** The scope of a route. */
export function scopeOfRoute(method: string, url: string): Scope | null {
  const entry = entryOf(method, url);
  return entry === undefined ? 'ACCOUNT' : (ROUTE_SCOPES[entry] ?? null);
}

/** The entry of the table that covers a route. */
export function entryOf(method: string, url: string): string | undefined {
  const route = `${method === 'HEAD' ? 'GET' : method} ${url}`;
  if (Object.hasOwn(ROUTE_SCOPES, route)) return route;
  if (FILE.test(route)) return FILES;
  return Object.keys(ROUTE_SCOPES).find((entry) => entry.endsWith('/*') && route.startsWith(entry.slice(0, -1)));
}

/** Throws FORBIDDEN if the token lacks one of these scopes. */
export function requireScopes(viewer: Viewer | undefined, scopes: Iterable<Scope>): void {
  if (!viewer) return;
  for (const scope of scopes) if (!viewer.scopes.includes(scope)) throw refusals.missingScope(scope);
}

/** For new ways to sign in: they would outlast a token that expires, and allow more than a token with fewer scopes. */
export function requireOwner(viewer: Viewer): Viewer {
  requireScopes(viewer, SCOPES);
  if (viewer.expiresAt !== null) throw refusals.tokenEnds();
  return viewer;
}
