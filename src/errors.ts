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
  BAD_INPUT: 'The request is not what the contract asks for. The message names the field; sending it again is no use.',
  UNAUTHENTICATED: 'A token is needed and none came, or it is not, or no longer, valid. Get a new one.',
  FORBIDDEN: 'This caller may not do that. Where the token lacks a scope, scope names it.',
  NOT_SEATED: 'Only a seat of this match may do that.',
  NOT_FOUND: 'There is no such thing, or the caller may not know of it.',
  STALE_VERSION:
    'The match has moved on since the decision was made. version is the current one: look and decide again.',
  HISTORY_CUT:
    'The database has lost the last events of this match, after a failover. version is what is left: begin anew from there.',
  NAME_TAKEN: 'The name belongs to somebody else. Choose another.',
  MATCH_FULL: 'Every seat is taken.',
  MATCH_NOT_ACTIVE: 'The match has not begun, or no longer waits for players.',
  MATCH_OVER: 'The match has ended.',
  NOT_YOUR_TURN: 'The seat may not act now. Wait for its turn.',
  CANNOT_UNDO: 'The last action cannot be taken back. reason says why.',
  ILLEGAL_ACTION: 'The action is not in the list of legal actions, which is the only explanation that reveals nothing.',
  ACTION_ID_REUSED: 'The actionId was used for another action of this seat. Use a new one for every action.',
  IDEMPOTENCY_KEY_REUSED:
    'The idempotency key was used for another request. Use a new one for everything that is made.',
  RATE_LIMITED: 'Too many requests, or too much work, for now. Wait for retryAfter seconds.',
  QUOTA_EXCEEDED: 'The caller has as much of something as one player may have. quota and limit say what.',
  INTERNAL:
    'A fault of the server, which has been logged. The request may or may not have been carried out: send it again with its key.',
  UNAVAILABLE:
    'The server or its database cannot answer now. Wait for retryAfter seconds, then send it again with its key.',
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
  NOT_ACTIVE: 'Only in a running match can something be taken back.',
  NOTHING_TO_UNDO: 'There is nothing of yours to take back.',
  OTHERS_ACTED: 'Another seat has acted since.',
  CHANCE_DRAWN: 'Chance was drawn by it.',
  SECRETS_REVEALED: 'It ended a step whose secrets are public now.',
} as const;

/** Every sentence that a caller can be refused with, each once. */
export const refusals = {
  actionIdReused: (details?: Details) =>
    new AtollError('ACTION_ID_REUSED', 'This actionId was used for another action.', details),
  alreadySeated: (seat: Said) => new AtollError('BAD_INPUT', `You already have seat ${seat}.`),
  answerTooLong: (bytes: Said) =>
    new AtollError('BAD_INPUT', `The answer would be longer than ${bytes} bytes: ask for less at a time.`),
  banned: (reason: Said, until: Said, details?: Details) =>
    new AtollError('FORBIDDEN', `This account was banned by the operator${until}: ${reason}`, details),
  idOrName: () => new AtollError('BAD_INPUT', 'Name a player by id or by name, not by both and not by neither.'),
  notConfirmed: (name: Said) =>
    new AtollError('BAD_INPUT', `Nothing was deleted: to confirm, send the name of the account, "${name}".`),
  botsKeepTheirNames: () => new AtollError('BAD_INPUT', 'The bots of this server keep their names.'),
  noInvite: () => new AtollError('BAD_INPUT', 'Only a private match has an invite.'),
  severalPlayers: (list: Said) =>
    new AtollError('BAD_INPUT', `Several players have this name; name one by id or with its tag:\n${list}`),
  reportOfNothing: () => new AtollError('BAD_INPUT', 'A report is about a player, a match, or both: name one.'),
  reportOfOneself: () => new AtollError('BAD_INPUT', 'You cannot report yourself.'),
  badAction: () =>
    new AtollError('BAD_INPUT', 'An action must be a plain JSON object, copied from the list of legal actions.'),
  badAfter: (version: Said, details?: Details) =>
    new AtollError('BAD_INPUT', `after must be a version of this match, from 0 to ${version}.`, details),
  badAfterVersion: () => new AtollError('BAD_INPUT', 'after must be a version, 0 or more.'),
  badClock: () =>
    new AtollError(
      'BAD_INPUT',
      'A clock needs a bank of 1 second to a year, an increment, and a cap that is no less than the bank.',
    ),
  badCode: () => new AtollError('BAD_INPUT', 'This code is wrong, was used already, or is older than a day.'),
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
      'This passkey could not be checked, or took too long: ask for new options and try again.',
    ),
  badSeat: (last: Said) => new AtollError('BAD_INPUT', `This match has the seats 0 to ${last}.`),
  badSeatCount: (game: Said, range: Said, seats: Said) =>
    new AtollError('BAD_INPUT', `${game} is played by ${range} seats, not ${seats}.`),
  badText: (what: Said, max: Said) =>
    new AtollError('BAD_INPUT', `${what} must be a text of 1 to ${max} characters, without NUL or half a character.`),
  badVersion: (version: Said, details?: Details) =>
    new AtollError('BAD_INPUT', `at must be a version of this match, from 0 to ${version}.`, details),
  badWebhookUrl: (why: Said, details?: Details) =>
    new AtollError('BAD_INPUT', `This URL cannot be a webhook: ${why}.`, details),
  nameHasLink: () => new AtollError('BAD_INPUT', 'A player name must not contain a link: put a space after a dot.'),
  nameHasTag: () => new AtollError('BAD_INPUT', 'A player name must not end with a tag.'),
  emailNotConfirmed: () => new AtollError('BAD_INPUT', 'Confirm your e-mail address first, by the code in the mail.'),
  nameIsOwn: () => new AtollError('BAD_INPUT', 'This account has a name of its own already.'),
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
    new AtollError('BAD_INPUT', `An account has at most ${max} passkeys: remove one first.`),
  tooManyApps: (max: Said) =>
    new AtollError('BAD_INPUT', `A player allows at most ${max} apps: take a permission back first.`),
  tooManyTokens: (max: Said) => new AtollError('BAD_INPUT', `A player has at most ${max} tokens: revoke one first.`),
  tooManyWebhooks: (max: Said) =>
    new AtollError('BAD_INPUT', `A player has at most ${max} webhooks: delete one first.`),
  twoActionIds: () => new AtollError('BAD_INPUT', 'actionId and Idempotency-Key differ: send one of them.'),
  unstorable: () => new AtollError('BAD_INPUT', 'A value holds something that cannot be stored.'),
  keysOfBrowserOnly: () => new AtollError('BAD_INPUT', 'Only a webhook of the format WEB_PUSH takes keys.'),
  formatOfBrowserFixed: () =>
    new AtollError('BAD_INPUT', 'A webhook cannot change from WEB_PUSH to another format, or to it.'),
  secretOfBrowserFixed: () =>
    new AtollError('BAD_INPUT', 'The keys of a browser are its own: subscribe again for new ones.'),
  webhookDisabled: () => new AtollError('BAD_INPUT', 'This webhook is disabled: enable it first.'),
  addressOpensAnother: () =>
    new AtollError('FORBIDDEN', 'This address already opens another account: sign in to that one, or use another.'),
  cannotCancel: () => new AtollError('FORBIDDEN', 'A match can be cancelled only before its start.'),
  cannotLeave: () => new AtollError('FORBIDDEN', 'A match can be left only before its start: resign instead.'),
  crossSite: () =>
    new AtollError(
      'FORBIDDEN',
      'A session acts only for pages of this server: send JSON, or the header X-Requested-With, from its own origin.',
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
    new AtollError('FORBIDDEN', `This token does not have the scope ${scope}, which this needs.`, { scope }),
  keepFirst: () => new AtollError('FORBIDDEN', 'Keep the account first, by a passkey or an e-mail address.'),
  lastWayIn: () =>
    new AtollError('FORBIDDEN', 'This is the last way into the account: add a passkey or an e-mail address first.'),
  mayNotAddBots: () =>
    new AtollError(
      'FORBIDDEN',
      'Only the player who opened the table can add bots or, once that player has left, those who sit there.',
    ),
  noMailServer: () => new AtollError('FORBIDDEN', 'This server sends no e-mail.'),
  noPasskeysHere: () =>
    new AtollError('FORBIDDEN', 'Passkeys need the https address of PUBLIC_URL, or localhost by its name.'),
  noSessionsHere: () => new AtollError('FORBIDDEN', 'A session needs https, or this machine itself: use a token here.'),
  tokenEnds: () =>
    new AtollError('FORBIDDEN', 'A token that ends by itself cannot make a way into the account that does not.'),
  notTheCreator: () => new AtollError('FORBIDDEN', 'Only the player who opened a match can cancel it.'),
  notYourEyes: () => new AtollError('FORBIDDEN', 'The view of another seat can be asked for only after the end.'),
  otherMatchWithId: () => new AtollError('FORBIDDEN', 'There is another match with this id.'),
  rematchCalledOffTooOften: () =>
    new AtollError(
      'FORBIDDEN',
      'You have called off its rematch too often: another of its players must ask for it now.',
    ),
  rematchOfAnalysis: () => new AtollError('FORBIDDEN', 'An analysis match has no rematch: fork its origin again.'),
  rematchSeatsReserved: () => new AtollError('FORBIDDEN', 'The free seats of a rematch are kept for its players.'),
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
  cannotResignYet: () => new AtollError('MATCH_NOT_ACTIVE', 'This match has not started yet: leave it instead.'),
  noPicture: () => new AtollError('MATCH_NOT_ACTIVE', 'There is no picture before the start.'),
  notStarted: () => new AtollError('MATCH_NOT_ACTIVE', 'This match has not started yet.'),
  notStartedThen: () => new AtollError('MATCH_NOT_ACTIVE', 'This match had not started at that version.'),
  rematchOfCancelled: () =>
    new AtollError('MATCH_NOT_ACTIVE', 'This match was cancelled: there is nothing to play again.'),
  rematchTooEarly: () => new AtollError('MATCH_NOT_ACTIVE', 'A rematch can be asked for once the match is over.'),
  matchOver: (details?: Details) => new AtollError('MATCH_OVER', 'This match is over.', details),
  overThen: () => new AtollError('MATCH_OVER', 'Nothing is left to play at that version.'),
  nameReserved: () =>
    new AtollError('NAME_TAKEN', 'This name looks like that of a bot or of a deleted player: take another.'),
  nameTaken: () =>
    new AtollError('NAME_TAKEN', 'This name, or one that looks like it, belongs to somebody: take another.'),
  noEmail: () => new AtollError('NOT_FOUND', 'You have given no e-mail address.'),
  noSuch: (what: Said) => new AtollError('NOT_FOUND', `You have no such ${what}.`),
  noSuchGame: (id: Said, known: Said) => new AtollError('NOT_FOUND', `There is no game "${id}"; there are: ${known}.`),
  noSuchMatch: () => new AtollError('NOT_FOUND', 'There is no such match, or you may not see it.'),
  noSuchReport: () => new AtollError('NOT_FOUND', 'There is no such report.'),
  noSuchPlayer: () => new AtollError('NOT_FOUND', 'There is no such player.'),
  noSuchPlace: (path: Said) => new AtollError('NOT_FOUND', `There is nothing at ${path}.`),
  noSuchRules: (rules: Said, id: Said) =>
    new AtollError('NOT_FOUND', `There are no rules ${rules} of the game "${id}".`),
  noSuchApp: () => new AtollError('NOT_FOUND', 'You have allowed no such app.'),
  noSuchToken: () => new AtollError('NOT_FOUND', 'You have no such token.'),
  vanished: () =>
    new AtollError('NOT_FOUND', 'What this was about has just been changed or deleted: look it up again.'),
  didNotPlay: () => new AtollError('NOT_SEATED', 'You did not play in this match.'),
  forkNeedsSeat: () => new AtollError('NOT_SEATED', 'Only its players can fork a match that is still being played.'),
  mayNotHaveWebhook: () =>
    new AtollError('NOT_SEATED', 'Only its seats and its creator may have a webhook for this match.'),
  notSeated: () => new AtollError('NOT_SEATED', 'You have no seat in this match.'),
  notYourTurn: () => new AtollError('NOT_YOUR_TURN', 'This seat may not act now.'),
  cannotUndo: (reason: keyof typeof UNDO_REFUSALS) => new AtollError('CANNOT_UNDO', UNDO_REFUSALS[reason], { reason }),
  matchTooLong: (limit: number) =>
    quotaExceeded(
      'events',
      limit,
      `A match has no more than ${limit} events, and this one has reached that: all that is left is to resign.`,
    ),
  tooManyBotMatches: (limit: number) =>
    quotaExceeded(
      'bot matches',
      limit,
      `No more than ${limit} matches of bots alone may run for one player: wait until one is over.`,
    ),
  tooManyBots: (limit: number) =>
    quotaExceeded('bots', limit, `No more than ${limit} bots may play at tables of one player: finish a match first.`),
  tooManyIn: (what: string, limit: number, per: 'hour' | 'day', details?: Details) =>
    quotaExceeded(what, limit, `No more than ${limit} ${what} in ${per === 'hour' ? 'an hour' : 'a day'}.`, details),
  tooManyMatches: (limit: number) =>
    quotaExceeded(
      'matches',
      limit,
      `No more than ${limit} matches that you opened may be open or running: finish or cancel one first.`,
    ),
  tooManyOrders: (limit: number) =>
    quotaExceeded('ordered', limit, `A seat changes its standing order no more than ${limit} times in a match.`),
  tooManyUndos: (limit: number) =>
    quotaExceeded('undone', limit, `A seat takes back no more than ${limit} actions in a match.`),
  enoughCodes: (details?: Details) =>
    new AtollError(
      'RATE_LIMITED',
      'Enough codes were sent: look into the mailbox before you ask for another.',
      details,
    ),
  proverBusy: (details?: Details) =>
    new AtollError('RATE_LIMITED', 'Other documents are being proven: try again when they are.', details),
  tooManyAttempts: (details?: Details) =>
    new AtollError('RATE_LIMITED', 'Too many attempts: try again later, or sign in with a passkey.', details),
  tooManyOperations: (max: Said, details?: Details) =>
    new AtollError('RATE_LIMITED', `A socket may have no more than ${max} operations open.`, details),
  tooManyRequests: (perMinute: Said, seconds: Said, details?: Details) =>
    new AtollError('RATE_LIMITED', `No more than ${perMinute} requests a minute: try again in ${seconds} s.`, details),
  tooMuchWork: (perMinute: Said, retryAfter: number) =>
    new AtollError(
      'RATE_LIMITED',
      `You have asked for more work than ${perMinute} units a minute: try again in ${retryAfter} s.`,
      { retryAfter },
    ),
  tooManyStreams: (details?: Details) =>
    new AtollError('RATE_LIMITED', 'Too many streams are open: close one first.', details),
  noBatches: () => new AtollError('BAD_INPUT', 'Send one message at a time: batches are not accepted.'),
  noSuchNumber: (last: Said) =>
    new AtollError('ILLEGAL_ACTION', `There is no such legal action: their numbers go from 1 to ${last}.`),
  tooManyNodes: (max: Said) => new AtollError('BAD_INPUT', `At most ${max} ids at a time.`),
  tooManyStates: (max: Said) => new AtollError('BAD_INPUT', `At most ${max} states at a time.`),
  tooManySubscriptions: (details?: Details) =>
    new AtollError('RATE_LIMITED', 'Too many subscriptions are open: close one first.', details),
  historyCut: (version: Said, details?: Details) =>
    new AtollError(
      'HISTORY_CUT',
      `The database has lost the latest events of this match, which goes on from version ${version}: read it again.`,
      details,
    ),
  stale: (version: Said, details?: Details) =>
    new AtollError('STALE_VERSION', `This match is at version ${version} by now.`, details),
  badSignIn: () =>
    new AtollError('UNAUTHENTICATED', 'This passkey opens no account here, or it took too long: try again.'),
  badStates: (version: Said) =>
    new AtollError('BAD_INPUT', `from and to must be versions of this match, from 0 to ${version}, in their order.`),
  badTicket: () =>
    new AtollError('UNAUTHENTICATED', 'This ticket is not good for this, or no longer: ask for another.'),
  badTicketUse: () => new AtollError('BAD_INPUT', 'A ticket for EVENTS or PICTURES names a match; others do not.'),
  badToken: () => new AtollError('UNAUTHENTICATED', 'This token is not valid: it was revoked, or never was one.'),
  metricsNeedToken: () => new AtollError('UNAUTHENTICATED', 'The metrics need the token of METRICS_TOKEN.'),
  mineNeedsToken: () => new AtollError('UNAUTHENTICATED', 'mine and myTurn need a token.'),
  needsToken: () =>
    new AtollError('UNAUTHENTICATED', 'This needs a token: register first, then send Authorization: Bearer <token>.'),
  sessionEnded: () => new AtollError('UNAUTHENTICATED', 'This session has ended: sign in again.'),
  wrongSignInCode: () =>
    new AtollError('UNAUTHENTICATED', 'This code or link is wrong, was used already, or is too old: ask for another.'),
  codeNotSent: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'The code could not be sent: check the address, or try again later.', details),
  databaseDown: (details?: Details) => new AtollError('UNAVAILABLE', 'The database cannot be reached.', details),
  databaseUnreachable: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'The database cannot be reached: try again soon.', details),
  databaseStalled: (details?: Details) =>
    new AtollError(
      'UNAVAILABLE',
      'The database confirms no changes at the moment, and nothing was changed: try again soon.',
      details,
    ),
  databaseUnwritable: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'The database takes no changes at the moment: try again later.', details),
  migrationsMissing: (names: Said, details?: Details) =>
    new AtollError('UNAVAILABLE', `The database lacks migrations: ${names}.`, details),
  notProvenInTime: (seconds: Said, details?: Details) =>
    new AtollError('UNAVAILABLE', `This match could not be proven within ${seconds} s.`, details),
  proverEnded: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'The thread that proves matches has ended: try again.', details),
  hasLeft: () => new AtollError('UNAVAILABLE', 'The connection was closed before its answer was ready.'),
  picturesBusy: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'Too many pictures are being drawn: try again soon.', details),
  matchLocked: (details?: Details) =>
    new AtollError(
      'UNAVAILABLE',
      'This match is locked in the database, and nothing was changed: try again soon.',
      details,
    ),
  notInTime: (details?: Details) =>
    new AtollError(
      'UNAVAILABLE',
      'This could not be confirmed in time: it may or may not have been done. Send the same again, with the same actionId or idempotency key.',
      details,
    ),
  tooBusy: (details?: Details) =>
    new AtollError('UNAVAILABLE', 'Too many players are acting in this match at once: try again.', details),
};
