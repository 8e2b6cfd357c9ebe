/** The schemas of accounts and sessions in the REST face. */
import { Type } from 'typebox';
import { closed, Id, Instant, nullable } from './shared.ts';

export const Passkey = Type.Object(
  { id: Id, name: Type.String(), createdAt: Instant, lastUsedAt: nullable(Instant) },
  { $id: 'Passkey', description: 'A key on a device of its owner that signs in to the account.' },
);
export const Session = Type.Object(
  {
    id: Id,
    device: Type.String({ description: 'The browser and the operating system, as far as they are known.' }),
    createdAt: Instant,
    lastUsedAt: Type.String({ format: 'date-time', description: 'Within ten minutes.' }),
    expiresAt: Type.String({ format: 'date-time', description: 'When it ends if it is not used.' }),
    current: Type.Boolean({ description: 'Whether this request was made in it.' }),
  },
  { $id: 'Session', description: 'A browser that is signed in.' },
);
export const Account = Type.Object(
  {
    player: Type.Ref('Player'),
    kept: Type.Boolean({ description: 'Whether the account owns its name and has a way to sign in again.' }),
    passkeys: Type.Array(Type.Ref('Passkey')),
    sessions: Type.Array(Type.Ref('Session')),
    signInAddress: nullable(Type.String(), 'The e-mail address that signs in to it.'),
    recoveryCodesLeft: Type.Integer(),
    mail: Type.Boolean({ description: 'Whether this server sends mail.' }),
  },
  { $id: 'Account', description: 'What the owner of an account sees of it.' },
);
export const SignedIn = Type.Object(
  {
    player: Type.Ref('Player'),
    token: nullable(Type.String(), 'A new bearer token, shown only once; null if a session was requested.'),
  },
  { $id: 'SignedIn', description: 'The player who is signed in now.' },
);
export const Options = Type.Object(
  { options: Type.Unknown({ description: 'In the JSON form of WebAuthn, for navigator.credentials.' }) },
  { $id: 'PasskeyOptions', description: 'The options for the browser.' },
);
export const components = [Passkey, Session, Account, SignedIn, Options];

const PlayerName = Type.Optional(
  nullable(
    Type.String({ maxLength: 200 }),
    'The name under which to keep a guest whose own name is taken (NAME_TAKEN). Only if the account is not kept yet.',
  ),
);
const Response = Type.Unknown({ description: 'What the browser answered, in the JSON form of WebAuthn.' });
const AsSession = Type.Optional(
  Type.Boolean({ description: 'Sign this browser in with a cookie, instead of answering with a token.' }),
);

export const KeepBody = Type.Object({ playerName: PlayerName }, closed);
export const NewPasskeyBody = Type.Object(
  {
    response: Response,
    name: Type.Optional(
      nullable(Type.String({ maxLength: 200 }), 'A name for it; if left out, the browser and system.'),
    ),
    playerName: PlayerName,
  },
  closed,
);
export const PasskeyBody = Type.Object({ response: Response, session: AsSession }, closed);
export const AddressBody = Type.Object({ address: Type.String({ maxLength: 300 }) }, closed);
export const MailCodeBody = Type.Object(
  {
    id: Type.Optional(
      Type.String({ maxLength: 100, description: 'The id from the answer to the request for the mail.' }),
    ),
    code: Type.Optional(Type.String({ maxLength: 100, description: 'The code in the mail.' })),
    link: Type.Optional(Type.String({ maxLength: 100, description: 'Instead of both: the last part of the link.' })),
    session: AsSession,
  },
  closed,
);
export const RecoveryCodeBody = Type.Object({ code: Type.String({ maxLength: 100 }), session: AsSession }, closed);
export const SignOutBody = Type.Object(
  { tokens: Type.Optional(Type.Boolean({ description: 'Whether to revoke every token too.' })) },
  closed,
);
export const NewSessionBody = Type.Object(
  {
    endToken: Type.Optional(
      Type.Boolean({ description: 'Whether to revoke the token, because it is no longer needed.' }),
    ),
  },
  closed,
);
export const PasskeyParams = Type.Object({ id: Type.String({ description: 'The id of the passkey.' }) });
export const SignedInHere = Type.Object(
  {
    player: Type.Union([Type.Ref('Player'), Type.Null()]),
    kept: Type.Boolean({ description: 'Whether the account has a way to sign in again.' }),
    mail: Type.Boolean({ description: 'Whether this server sends mail, which allows signing in by mail.' }),
  },
  { description: 'The player who is signed in in this browser.' },
);
export const SessionParams = Type.Object({ id: Type.String({ description: 'The id of the session.' }) });
