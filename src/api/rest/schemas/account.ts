/** The shapes of accounts and sessions in the REST face. */
import { Type } from 'typebox';
import { closed, Id, Instant, nullable } from './shared.ts';

export const Passkey = Type.Object(
  { id: Id, name: Type.String(), createdAt: Instant, lastUsedAt: nullable(Instant) },
  { $id: 'Passkey', description: 'A key on a device of its owner, by which the account is signed in to.' },
);
export const Session = Type.Object(
  {
    id: Id,
    device: Type.String({ description: 'Which browser on which system, as far as it said.' }),
    createdAt: Instant,
    lastUsedAt: Type.String({ format: 'date-time', description: 'Within ten minutes.' }),
    expiresAt: Type.String({ format: 'date-time', description: 'When it ends unless it is used before.' }),
    current: Type.Boolean({ description: 'Whether this request was made in it.' }),
  },
  { $id: 'Session', description: 'A browser that is signed in.' },
);
export const Account = Type.Object(
  {
    player: Type.Ref('Player'),
    kept: Type.Boolean({ description: 'Whether its name is its own, and there is a way to come back to it.' }),
    passkeys: Type.Array(Type.Ref('Passkey')),
    sessions: Type.Array(Type.Ref('Session')),
    signInAddress: nullable(Type.String(), 'The e-mail address by which it is signed in to.'),
    recoveryCodesLeft: Type.Integer(),
    mail: Type.Boolean({ description: 'Whether this server sends mail.' }),
  },
  { $id: 'Account', description: 'What its owner is shown of an account.' },
);
export const SignedIn = Type.Object(
  {
    player: Type.Ref('Player'),
    token: nullable(Type.String(), 'A new bearer token, shown this once; null where a session was asked for.'),
  },
  { $id: 'SignedIn', description: 'Who is signed in now.' },
);
export const Options = Type.Object(
  { options: Type.Unknown({ description: 'As navigator.credentials takes them, in the JSON form of WebAuthn.' }) },
  { $id: 'PasskeyOptions', description: 'What a browser is to be asked for.' },
);
export const components = [Passkey, Session, Account, SignedIn, Options];

const PlayerName = Type.Optional(
  nullable(
    Type.String({ maxLength: 200 }),
    'The name under which a guest is kept, if its own is taken (NAME_TAKEN). Only where the account is not kept yet.',
  ),
);
const Response = Type.Unknown({ description: 'What the browser answered, in the JSON form of WebAuthn.' });
const AsSession = Type.Optional(
  Type.Boolean({ description: 'Sign this browser in by a cookie, instead of answering with a token.' }),
);

export const KeepBody = Type.Object({ playerName: PlayerName }, closed);
export const NewPasskeyBody = Type.Object(
  {
    response: Response,
    name: Type.Optional(
      nullable(Type.String({ maxLength: 200 }), 'What its owner calls it; left out: browser and system.'),
    ),
    playerName: PlayerName,
  },
  closed,
);
export const PasskeyBody = Type.Object({ response: Response, session: AsSession }, closed);
export const AddressBody = Type.Object({ address: Type.String({ maxLength: 300 }) }, closed);
export const MailCodeBody = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 100, description: 'What asking for the mail was answered with.' })),
    code: Type.Optional(Type.String({ maxLength: 100, description: 'The code in the mail.' })),
    link: Type.Optional(Type.String({ maxLength: 100, description: 'Instead of both: what the link ends with.' })),
    session: AsSession,
  },
  closed,
);
export const RecoveryCodeBody = Type.Object({ code: Type.String({ maxLength: 100 }), session: AsSession }, closed);
export const SignOutBody = Type.Object(
  { tokens: Type.Optional(Type.Boolean({ description: 'Whether to revoke every token, too.' })) },
  closed,
);
export const NewSessionBody = Type.Object(
  {
    endToken: Type.Optional(Type.Boolean({ description: 'Whether to revoke the token: nobody needs it any more.' })),
  },
  closed,
);
export const PasskeyParams = Type.Object({ id: Type.String({ description: 'The id of the passkey.' }) });
export const SignedInHere = Type.Object(
  {
    player: Type.Union([Type.Ref('Player'), Type.Null()]),
    kept: Type.Boolean({ description: 'Whether there is a way to come back to the account.' }),
    mail: Type.Boolean({ description: 'Whether this server sends mail, by which one could sign in.' }),
  },
  { description: 'Who is signed in in this browser.' },
);
export const SessionParams = Type.Object({ id: Type.String({ description: 'The id of the session.' }) });
