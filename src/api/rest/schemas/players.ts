/** The schemas of players and tokens. */
import { Type } from 'typebox';
import { SCOPES } from '../../../players/player.ts';
import { closed, Id, Instant, nullable } from './shared.ts';

export const Player = Type.Object(
  {
    id: Id,
    name: Type.String(),
    kind: Type.Enum(['HUMAN', 'BOT']),
    tag: nullable(
      Type.String(),
      'Distinguishes a guest from others of the same name: show it beside the name. Null if nobody else can have ' +
        'the name.',
    ),
  },
  { $id: 'Player', description: 'An account, human or bot.' },
);
export const Registration = Type.Object(
  {
    player: Type.Ref('Player'),
    token: Type.String({ description: 'Shown only once, because only its hash is stored.' }),
  },
  { $id: 'Registration', description: 'A new player and its token.' },
);
const Scopes = Type.Array(Type.Enum([...SCOPES]), { description: 'What it allows.' });
export const Token = Type.Object(
  {
    id: Id,
    name: Type.String(),
    scopes: Scopes,
    createdAt: Instant,
    expiresAt: nullable(Instant, 'When it expires or expired; null if never.'),
    revokedAt: nullable(Instant),
    lastUsedAt: nullable(Instant, 'To the minute; null if it has not been used since this is recorded.'),
    lastUsedFrom: nullable(Type.Enum(['IPV4', 'IPV6']), 'The kind of address from which it was last used.'),
  },
  { $id: 'Token', description: 'A token, without its secret.' },
);
export const NewToken = Type.Object(
  { id: Id, name: Type.String(), scopes: Scopes, expiresAt: nullable(Instant), token: Type.String() },
  { $id: 'NewToken', description: 'A new token. The secret is shown only once.' },
);
export const App = Type.Object(
  {
    id: Id,
    name: Type.String({ description: 'What the app calls itself: a URL or any name. It has not been verified.' }),
    scopes: Scopes,
    createdAt: Instant,
    expiresAt: { ...Instant, description: 'When it ends if the app does not use it.' },
    lastUsedAt: nullable(Instant, 'To the minute.'),
    lastUsedFrom: nullable(Type.Enum(['IPV4', 'IPV6']), 'The kind of address from which it was last used.'),
  },
  { $id: 'App', description: 'A permission that the caller gave to a third-party app.' },
);
export const NameBody = Type.Object({ name: Type.String({ maxLength: 200 }) }, closed);
export const TokenBody = Type.Object(
  {
    name: Type.String({ maxLength: 200 }),
    scopes: Type.Optional(
      nullable(
        Type.Array(Type.Enum([...SCOPES]), { maxItems: 100 }),
        "What it allows: at most what the caller's own token allows, which is also the default.",
      ),
    ),
    expiresAt: Type.Optional(
      nullable(Instant, "When it expires. If left out, when the caller's own token does, which may be never."),
    ),
  },
  closed,
);
export const TokenParams = Type.Object({ id: Type.String({ description: 'The id of the token.' }) });

export const AppParams = Type.Object({ id: Type.String({ description: 'The id of the permission.' }) });

export const components = [Player, Registration, Token, NewToken, App];
