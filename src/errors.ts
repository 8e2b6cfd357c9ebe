/** Every error a caller can meet: its code and the HTTP status that goes with it. Both faces of the API read this table. */
export const STATUS = {
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_SEATED: 403,
  NOT_FOUND: 404,
  STALE_VERSION: 409,
  HISTORY_CUT: 409,
  NAME_TAKEN: 409,
  MATCH_FULL: 409,
  MATCH_NOT_ACTIVE: 409,
  MATCH_OVER: 409,
  NOT_YOUR_TURN: 409,
  CANNOT_UNDO: 409,
  ILLEGAL_ACTION: 422,
  ACTION_ID_REUSED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  RATE_LIMITED: 429,
  QUOTA_EXCEEDED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** What each of them means, and what a client does about it: for the developers' page and whoever asks the API. */
export const MEANING: Readonly<Record<ErrorCode, string>> = {
  BAD_INPUT:
    'The request does not follow the contract. The message names the field. Sending the same request again does not help.',
  UNAUTHENTICATED: 'A token is needed, and none was sent or it is not valid any more. Get a new one.',
  FORBIDDEN: 'The caller may not do this. If the token lacks a scope, scope names it.',
  NOT_SEATED: 'Only players with a seat in this match may do this.',
  NOT_FOUND: 'It does not exist, or the caller may not know of it.',
  STALE_VERSION:
    'The match has moved on since the decision was made. version is the current one: look and decide again.',
  HISTORY_CUT:
    'The database has lost the last events of this match, after a failover. version is what is left: start again from there.',
  NAME_TAKEN: 'The name belongs to somebody else. Choose another one.',
  MATCH_FULL: 'Every seat is taken.',
  MATCH_NOT_ACTIVE: 'The match has not begun, or no longer waits for players.',
  MATCH_OVER: 'The match has ended.',
  NOT_YOUR_TURN: 'The seat may not act now. Wait for its turn.',
  CANNOT_UNDO: 'The last action cannot be taken back. reason says why.',
  ILLEGAL_ACTION: 'The action is not in the list of legal actions, which is the only explanation that reveals nothing.',
  ACTION_ID_REUSED: 'The actionId was used for another action of this seat. Use a new id for each action.',
  IDEMPOTENCY_KEY_REUSED: 'The idempotency key was used for another request. Use a new key for each request.',
  RATE_LIMITED: 'Too many requests, or too much work, for now. Wait for retryAfter seconds.',
  QUOTA_EXCEEDED: 'The caller has reached a quota. quota and limit say which one.',
  INTERNAL:
    'An error of the server, which has been logged. The request may or may not have been carried out: send it again with the same key.',
  UNAVAILABLE:
    'The server or its database cannot answer now. Wait for retryAfter seconds, then send the request again with the same key.',
};

/** The whole table, as both faces show it. */
export const errorCodes = (Object.keys(STATUS) as ErrorCode[]).map((code) => ({
  code,
  status: STATUS[code],
  meaning: MEANING[code],
}));

/** An error meant for the caller: the message is a sentence that helps, the details are safe to show. */
export class AtollError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}) {
    // Nobody reads the stack of a refusal, and taking it down is most of what a flood of refusals would cost.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'AtollError';
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return STATUS[this.code];
  }
}

type Details = Record<string, unknown>;
type Said = string | number;

const quotaExceeded = (quota: string, limit: number, message: string, details?: Details) =>
  new AtollError('QUOTA_EXCEEDED', message, { quota, limit, ...details });

/** Why a seat cannot take anything back. None of them says more than that seat has seen itself. */
export const UNDO_REFUSALS = {
  NOT_SEATED: 'You have no seat in this match.',
  NOT_ACTIVE: 'Actions can be taken back only in a running match.',
  NOTHING_TO_UNDO: 'You have no action to take back.',
  OTHERS_ACTED: 'Another seat has acted since.',
  CHANCE_DRAWN: 'This action has drawn chance.',
  SECRETS_REVEALED: 'This action ended a step whose secrets are now public.',
} as const;

/** Every sentence that a caller can be refused with, each once. */
export const refusals = {
  actionIdReused: (details?: Details) =>
    new AtollError('ACTION_ID_REUSED', 'This actionId was used for another action.', details),
  alreadySeated: (seat: Said) => new AtollError('BAD_INPUT', `You already have seat ${seat}.`),
  answerTooLong: (bytes: Said) =>
    new AtollError('BAD_INPUT', `The answer would be longer than ${bytes} bytes. Ask for less at a time.`),
  banned: (reason: Said, until: Said, details?: Details) =>
    new AtollError('FORBIDDEN', `This account was banned by the operator${until}: ${reason}`, details),
  idOrName: () => new AtollError('BAD_INPUT', 'Name a player either by id or by name.'),
  notConfirmed: (name: Said) =>
    new AtollError('BAD_INPUT', `Nothing was deleted. To confirm, send the name of the account, "${name}".`),
  botsKeepTheirNames: () => new AtollError('BAD_INPUT', 'The bots of this server keep their names.'),
  noInvite: () => new AtollError('BAD_INPUT', 'Only a private match has an invite.'),
  severalPlayers: (list: Said) =>
    new AtollError('BAD_INPUT', `Several players have this name. Use an id or a name with a tag:\n${list}`),
  reportOfNothing: () => new AtollError('BAD_INPUT', 'A report must name a player, a match, or both.'),
  reportOfOneself: () => new AtollError('BAD_INPUT', 'You cannot report yourself.'),
  badAction: () =>
    new AtollError('BAD_INPUT', 'An action must be a plain JSON object, copied from the list of legal actions.'),
  badAfter: (version: Said, details?: Details) =>
    new AtollError('BAD_INPUT', `after must be a version of this match, from 0 to ${version}.`, details),
  badAfterVersion: () => new AtollError('BAD_INPUT', 'after must be a version, 0 or more.'),
  badClock: () =>
    new AtollError(
      'BAD_INPUT',
      'A clock needs a bank of 1 second to 1 year, an increment, and a cap that is not below the bank.',
    ),
  badCode: () => new AtollError('BAD_INPUT', 'This code is wrong, has already been used, or is older than a day.'),
  badCursor: (argument: 'after' | 'before' = 'after') =>
    new AtollError('BAD_INPUT', `${argument} must be a cursor of this list.`),
  badEmail: (details?: Details) => new AtollError('BAD_INPUT', 'This is not an e-mail address.', details),
  badFirst: (max: Said) => new AtollError('BAD_INPUT', `first must be a number from 1 to ${max}.`),
  badLast: (max: Said) => new AtollError('BAD_INPUT', `last must be a number from 1 to ${max}.`),
  badIdempotencyKey: (min: Said, max: Said) =>
    new AtollError('BAD_INPUT', `An idempotency key must be a text of ${min} to ${max} characters.`),
  badLastEventId: () => new AtollError('BAD_INPUT', 'Last-Event-ID must be the version of the last event seen.'),
  badName: (what: Said, max: Said) =>
    new AtollError('BAD_INPUT', `${what} must have 1 to ${max} characters, all of them visible.`),
  badBrowserKeys: () => new AtollError('BAD_INPUT', 'WEB_PUSH needs the keys p256dh and auth of a push subscription.'),
  badOptions: () => new AtollError('BAD_INPUT', 'Options must be a plain JSON object.'),
  badOrder: (game: Said) => new AtollError('BAD_INPUT', `A standing order of ${game} must fit its ordersSchema.`),
  badPasskey: () =>
    new AtollError(
      'BAD_INPUT',
      'This passkey could not be verified, or it took too long. Ask for new options and try again.',
    ),
  badSeat: (last: Said) => new AtollError('BAD_INPUT', `This match has the seats 0 to ${last}.`),
  badSeatCount: (game: Said, range: Said, seats: Said) =>
    new AtollError('BAD_INPUT', `${game} has ${range} seats, not ${seats}.`),
  badText: (what: Said, max: Said) =>
    new AtollError(
      'BAD_INPUT',
      `${what} must be a text of 1 to ${max} characters, without NUL or unpaired surrogates.`,
    ),
  badVersion: (version: Said, details?: Details) =>
    new AtollError('BAD_INPUT', `at must be a version of this match, from 0 to ${version}.`, details),
  badWebhookUrl: (why: Said, details?: Details) =>
    new AtollError('BAD_INPUT', `This URL cannot be a webhook: ${why}.`, details),
  nameHasLink: () => new AtollError('BAD_INPUT', 'A player name must not contain a link. Put a space after a dot.'),
  nameHasTag: () => new AtollError('BAD_INPUT', 'A player name must not end with a tag.'),
  emailNotConfirmed: () => new AtollError('BAD_INPUT', 'First confirm your e-mail address with the code in the mail.'),
  nameIsOwn: () => new AtollError('BAD_INPUT', 'This account already has a name of its own.'),
  noEvents: () => new AtollError('BAD_INPUT', 'A webhook needs at least one kind of event.'),
  noOrders: (game: Said) => new AtollError('BAD_INPUT', `${game} has no standing orders.`),
  optionsDoNotFit: (game: Said, fault: Said) =>
    new AtollError('BAD_INPUT', `These options do not fit ${game}: ${fault}.`),
  shortIdempotencyKey: (min: Said) =>
    new AtollError('BAD_INPUT', `An idempotency key that makes a token must have at least ${min} characters.`),
  tooDeep: () => new AtollError('BAD_INPUT', 'This is nested too deeply.'),
  expiryInPast: () => new AtollError('BAD_INPUT', 'expiresAt must be in the future.'),
  noScopes: () => new AtollError('BAD_INPUT', 'A token needs at least one scope.'),
  tooManyPasskeys: (max: Said) =>
    new AtollError('BAD_INPUT', `An account has at most ${max} passkeys. Remove one first.`),
  tooManyApps: (max: Said) => new AtollError('BAD_INPUT', `A player can allow at most ${max} apps. Revoke one first.`),
  tooManyTokens: (max: Said) => new AtollError('BAD_INPUT', `A player has at most ${max} tokens. Revoke one first.`),
  tooManyWebhooks: (max: Said) =>
    new AtollError('BAD_INPUT', `A player has at most ${max} webhooks. Delete one first.`),
  twoActionIds: () => new AtollError('BAD_INPUT', 'actionId and Idempotency-Key differ. Send only one of them.'),
  unstorable: () => new AtollError('BAD_INPUT', 'A value contains characters or numbers that cannot be stored.'),
  keysOfBrowserOnly: () => new AtollError('BAD_INPUT', 'Only a webhook of the format WEB_PUSH takes keys.'),
  formatOfBrowserFixed: () =>
    new AtollError('BAD_INPUT', 'The format of a webhook cannot be changed from or to WEB_PUSH.'),
  secretOfBrowserFixed: () =>
    new AtollError('BAD_INPUT', 'The keys belong to the browser. Subscribe again to get new ones.'),
  webhookDisabled: () => new AtollError('BAD_INPUT', 'This webhook is disabled. Enable it first.'),
  addressOpensAnother: () =>
    new AtollError(
      'FORBIDDEN',
      'This address already signs in to another account. Sign in to that account, or use another address.',
    ),
  cannotCancel: () => new AtollError('FORBIDDEN', 'A match can be cancelled only before it starts.'),
  cannotLeave: () => new AtollError('FORBIDDEN', 'A match can be left only before it starts. Resign instead.'),
  crossSite: () =>
    new AtollError(
      'FORBIDDEN',
      'A session works only for pages of this server. Send JSON, or the header X-Requested-With, from its own origin.',
    ),
  gaveUp: () => new AtollError('FORBIDDEN', 'You gave up your seat and cannot come back to this match.'),
  hasSeenSeat: (seat: Said) =>
    new AtollError(
      'FORBIDDEN',
      `You have seen what seat ${seat} knows, so you cannot take another seat of this match.`,
    ),
  staleForm: () =>
    new AtollError(
      'FORBIDDEN',
      'This form was not filled in on our page, or you have signed in or out since. Go back to the app and begin again.',
    ),
  missingScope: (scope: Said) =>
    new AtollError('FORBIDDEN', `This requires the scope ${scope}, which the token does not have.`, { scope }),
  keepFirst: () => new AtollError('FORBIDDEN', 'First keep the account, with a passkey or an e-mail address.'),
  lastWayIn: () =>
    new AtollError('FORBIDDEN', 'This is the last way to sign in. First add a passkey or an e-mail address.'),
  mayNotAddBots: () =>
    new AtollError(
      'FORBIDDEN',
      'Only the player who opened the table can add bots or, once that player has left, the players seated at it.',
    ),
  noMailServer: () => new AtollError('FORBIDDEN', 'This server sends no e-mail.'),
  noPasskeysHere: () =>
    new AtollError('FORBIDDEN', 'Passkeys need the https address of PUBLIC_URL, or the host name localhost.'),
  noSessionsHere: () =>
    new AtollError('FORBIDDEN', 'A session needs https, or a browser on this machine. Use a token here.'),
  tokenEnds: () =>
    new AtollError('FORBIDDEN', 'A token that expires cannot add a way to sign in, which would not expire.'),
  notTheCreator: () => new AtollError('FORBIDDEN', 'Only the player who opened a match can cancel it.'),
  notYourEyes: () => new AtollError('FORBIDDEN', 'The view of another seat is available only after the end.'),
  otherMatchWithId: () => new AtollError('FORBIDDEN', 'There is another match with this id.'),
  rematchCalledOffTooOften: () =>
    new AtollError(
      'FORBIDDEN',
      'You have called off the rematch too often. Another player of this match must ask for it.',
    ),
  rematchOfAnalysis: () => new AtollError('FORBIDDEN', 'An analysis match has no rematch. Fork its origin again.'),
  rematchSeatsReserved: () => new AtollError('FORBIDDEN', 'The free seats of a rematch are reserved for its players.'),
  idempotencyKeyOfOtherBot: () =>
    new AtollError('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used for a bot of another level.'),
  idempotencyKeyReused: () =>
    new AtollError('IDEMPOTENCY_KEY_REUSED', 'This idempotency key was used for another request.'),
  illegalAction: () =>
    new AtollError('ILLEGAL_ACTION', 'This action is not in the list of legal actions of this seat.'),
  internal: () => new AtollError('INTERNAL', 'Something went wrong on our side.'),
  matchFull: () => new AtollError('MATCH_FULL', 'Every seat of this match is taken.'),
  noFreeSeat: () => new AtollError('MATCH_FULL', 'No seat of this match is free for you.'),
  seatNotFree: (seat: Said) => new AtollError('MATCH_FULL', `Seat ${seat} of this match is not free for you.`),
  cannotResignYet: () => new AtollError('MATCH_NOT_ACTIVE', 'This match has not started yet. Leave it instead.'),
  noPicture: () => new AtollError('MATCH_NOT_ACTIVE', 'There is no picture before the start.'),
  notStarted: () => new AtollError('MATCH_NOT_ACTIVE', 'This match has not started yet.'),
  notStartedThen: () => new AtollError('MATCH_NOT_ACTIVE', 'This match had not started at that version.'),
  rematchOfCancelled: () => new AtollError('MATCH_NOT_ACTIVE', 'This match was cancelled, so it has no rematch.'),
  rematchTooEarly: () => new AtollError('MATCH_NOT_ACTIVE', 'A rematch is possible only after the match is over.'),
  matchOver: (details?: Details) => new AtollError('MATCH_OVER', 'This match is over.', details),
  overThen: () => new AtollError('MATCH_OVER', 'Nothing is left to play at that version.'),
  nameReserved: () =>
    new AtollError('NAME_TAKEN', 'This name looks like that of a bot or of a deleted player. Choose another.'),
  nameTaken: () =>
    new AtollError('NAME_TAKEN', 'This name, or one that looks like it, belongs to somebody else. Choose another.'),
  noEmail: () => new AtollError('NOT_FOUND', 'You have not set an e-mail address.'),
  noSuch: (what: Said) => new AtollError('NOT_FOUND', `You have no such ${what}.`),
  noSuchGame: (id: Said, known: Said) =>
    new AtollError('NOT_FOUND', `There is no game "${id}". The games are: ${known}.`),
  noSuchMatch: () => new AtollError('NOT_FOUND', 'There is no such match, or you may not see it.'),
  noSuchReport: () => new AtollError('NOT_FOUND', 'There is no such report.'),
  noSuchPlayer: () => new AtollError('NOT_FOUND', 'There is no such player.'),
  noSuchPlace: (path: Said) => new AtollError('NOT_FOUND', `There is nothing at ${path}.`),
  noSuchRules: (rules: Said, id: Said) =>
    new AtollError('NOT_FOUND', `The game "${id}" has no rules version ${rules}.`),
  noSuchApp: () => new AtollError('NOT_FOUND', 'You have not allowed such an app.'),
  noSuchToken: () => new AtollError('NOT_FOUND', 'You have no such token.'),
  vanished: () => new AtollError('NOT_FOUND', 'This has just been changed or deleted. Look it up again.'),
  didNotPlay: () => new AtollError('NOT_SEATED', 'You did not play in this match.'),
  forkNeedsSeat: () => new AtollError('NOT_SEATED', 'Only its players can fork a match while it is being played.'),
  mayNotHaveWebhook: () =>
    new AtollError('NOT_SEATED', 'Only its players and its creator may have a webhook for this match.'),
  notSeated: () => new AtollError('NOT_SEATED', 'You have no seat in this match.'),
  notYourTurn: () => new AtollError('NOT_YOUR_TURN', 'This seat may not act now.'),
  cannotUndo: (reason: keyof typeof UNDO_REFUSALS) => new AtollError('CANNOT_UNDO', UNDO_REFUSALS[reason], { reason }),
  matchTooLong: (limit: number) =>
    quotaExceeded(
      'events',
      limit,
      `A match has at most ${limit} events, and this one has reached that limit. You can only resign.`,
    ),
  tooManyBotMatches: (limit: number) =>
    quotaExceeded(
      'bot matches',
      limit,
      `A player may have at most ${limit} running matches with only bots. Wait until one is over.`,
    ),
  tooManyBots: (limit: number) =>
    quotaExceeded('bots', limit, `At most ${limit} bots may play in the matches of one player. Finish a match first.`),
  tooManyIn: (what: string, limit: number, per: 'hour' | 'day', details?: Details) =>
    quotaExceeded(
      what,
      limit,
      `At most ${limit} ${what} are allowed in ${per === 'hour' ? 'an hour' : 'a day'}.`,
      details,
    ),
  tooManyMatches: (limit: number) =>
    quotaExceeded(
      'matches',
      limit,
      `At most ${limit} matches that you opened may be open or running. Finish or cancel one first.`,
    ),
  tooManyOrders: (limit: number) =>
    quotaExceeded('ordered', limit, `A seat may change its standing order at most ${limit} times in a match.`),
  tooManyUndos: (limit: number) =>
    quotaExceeded('undone', limit, `A seat may take back at most ${limit} actions in a match.`),
  enoughCodes: (details?: Details) =>
    new AtollError('RATE_LIMITED', 'Enough codes were sent. Look in your mailbox before you ask for another.', details),
  proverBusy: (details?: Details) =>
    new AtollError('RATE_LIMITED', 'Other documents are being proven. Try again later.', details),
  tooManyAttempts: (details?: Details) =>
    new AtollError('RATE_LIMITED', 'Too many attempts. Try again later, or sign in with a passkey.', details),
  tooManyOperations: (max: Said, details?: Details) =>
    new AtollError('RATE_LIMITED', `A socket may have at most ${max} operations under way.`, details),
  tooManyRequests: (perMinute: Said, seconds: Said, details?: Details) =>
    new AtollError(
      'RATE_LIMITED',
      `At most ${perMinute} requests a minute are allowed. Try again in ${seconds} s.`,
      details,
    ),
  tooMuchWork: (perMinute: Said, retryAfter: number) =>
    new AtollError(
      'RATE_LIMITED',
      `You have asked for more work than ${perMinute} units a minute. Try again in ${retryAfter} s.`,
      { retryAfter },
    ),
  tooManyStreams: (details?: Details) =>
    new AtollError('RATE_LIMITED', 'Too many streams are open. Close one first.', details),
  tooManyCalls: (details?: Details) =>
    new AtollError('RATE_LIMITED', 'Too many calls are under way. Wait for one to end first.', details),
  noBatches: () => new AtollError('BAD_INPUT', 'Send one message at a time. Batches are not accepted.'),
  noSuchNumber: (last: Said) =>
    new AtollError('ILLEGAL_ACTION', `There is no such legal action. The numbers go from 1 to ${last}.`),
  tooManyNodes: (max: Said) => new AtollError('BAD_INPUT', `At most ${max} ids are allowed at a time.`),
  tooManyStates: (max: Said) => new AtollError('BAD_INPUT', `At most ${max} states are allowed at a time.`),
  tooManySubscriptions: (details?: Details) =>
    new AtollError('RATE_LIMITED', 'Too many subscriptions are open. Close one first.', details),
  historyCut: (version: Said, details?: Details) =>
    new AtollError(
      'HISTORY_CUT',
      `The database has lost the latest events of this match, which continues from version ${version}. Read it again.`,
      details,
    ),
  stale: (version: Said, details?: Details) =>
    new AtollError('STALE_VERSION', `This match is now at version ${version}.`, details),
  badSignIn: () =>
    new AtollError('UNAUTHENTICATED', 'This passkey belongs to no account here, or it took too long. Try again.'),
  badStates: (version: Said) =>
    new AtollError(
      'BAD_INPUT',
      `from and to must be versions of this match, from 0 to ${version}, in ascending order.`,
    ),
  badTicket: () =>
    new AtollError('UNAUTHENTICATED', 'This ticket is not valid for this, or it has expired. Ask for another.'),
  badTicketUse: () =>
    new AtollError('BAD_INPUT', 'A ticket for EVENTS or PICTURES must name a match; others must not.'),
  badToken: () =>
    new AtollError('UNAUTHENTICATED', 'This token is not valid: it was revoked, has expired, or never existed.'),
  metricsNeedToken: () => new AtollError('UNAUTHENTICATED', 'The metrics require the token in METRICS_TOKEN.'),
  mineNeedsToken: () => new AtollError('UNAUTHENTICATED', 'mine and myTurn require a token.'),
  needsToken: () =>
    new AtollError(
      'UNAUTHENTICATED',
      'This requires a token. Register first, then send Authorization: Bearer <token>.',
    ),
  sessionEnded: () => new AtollError('UNAUTHENTICATED', 'This session has ended. Sign in again.'),
  wrongSignInCode: () =>
    new AtollError(
      'UNAUTHENTICATED',
      'This code or link is wrong, has already been used, or is too old. Ask for another.',
    ),
  wrongRecoveryCode: () =>
    new AtollError(
      'UNAUTHENTICATED',
      'This recovery code is wrong, has already been used, or was replaced by new ones.',
    ),
  codeNotSent: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'The code could not be sent. Check the address, or try again later.', details),
  archiveUnreadable: (details?: Details) =>
    new AtollError(
      'UNAVAILABLE',
      'The log of this match is in cold storage and cannot be read at the moment. The operator has been alerted.',
      details,
    ),
  databaseDown: (details?: Details) => new AtollError('UNAVAILABLE', 'The database cannot be reached.', details),
  databaseUnreachable: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'The database cannot be reached. Try again soon.', details),
  databaseStalled: (details?: Details) =>
    new AtollError(
      'UNAVAILABLE',
      'The database confirms no changes at the moment, and nothing was changed. Try again soon.',
      details,
    ),
  databaseUnwritable: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'The database accepts no changes at the moment. Try again later.', details),
  migrationsMissing: (names: Said, details?: Details) =>
    new AtollError('UNAVAILABLE', `The database lacks migrations: ${names}.`, details),
  serverTooOld: (migration: Said) =>
    new AtollError(
      'UNAVAILABLE',
      `A newer version of the server has changed this database in a way that this version cannot work with (migration ${migration}): run the newer version.`,
    ),
  notProvenInTime: (seconds: Said, details?: Details) =>
    new AtollError('UNAVAILABLE', `This match could not be proven within ${seconds} s.`, details),
  proverEnded: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'The thread that proves matches has ended. Try again.', details),
  busy: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'The server has too many requests to answer. Try again soon.', details),
  hasLeft: () => new AtollError('UNAVAILABLE', 'The connection was closed before the answer was ready.'),
  picturesBusy: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'Too many pictures are being drawn. Try again soon.', details),
  matchLocked: (details?: Details) =>
    new AtollError(
      'UNAVAILABLE',
      'This match is locked in the database, and nothing was changed. Try again soon.',
      details,
    ),
  notInTime: (details?: Details) =>
    new AtollError(
      'UNAVAILABLE',
      'This could not be confirmed in time. It may or may not have been done. Send the same request again, with the same actionId or idempotency key.',
      details,
    ),
  tooBusy: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'Too many players are acting in this match at once. Try again.', details),
};
