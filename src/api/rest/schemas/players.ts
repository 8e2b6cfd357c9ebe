/** The shapes of accounts and tokens. */
import { Type } from 'typebox';
import { closed, Id, Instant, nullable } from './shared.ts';

export const Player = Type.Object(
  {
    id: Id,
    name: Type.String(),
    kind: Type.Enum(['HUMAN', 'BOT']),
    tag: nullable(
      Type.String(),
      'Tells a guest from others of the same name: show it beside the name. Null where nobody else can have the name.',
    ),
  },
  { $id: 'Player', description: 'An account, human or bot.' },
);
export const Registration = Type.Object(
  { player: Type.Ref('Player'), token: Type.String({ description: 'Shown this once: only its hash is kept.' }) },
  { $id: 'Registration', description: 'A new player and its token.' },
);
export const Token = Type.Object(
  { id: Id, name: Type.String(), createdAt: Instant, revokedAt: nullable(Instant) },
  { $id: 'Token', description: 'A token, without its secret.' },
);
export const NewToken = Type.Object(
  { id: Id, name: Type.String(), token: Type.String() },
  { $id: 'NewToken', description: 'A new token. The secret is shown this once.' },
);
export const NameBody = Type.Object({ name: Type.String({ maxLength: 200 }) }, closed);
export const TokenParams = Type.Object({ id: Type.String({ description: 'The id of the token.' }) });

export const components = [Player, Registration, Token, NewToken];
