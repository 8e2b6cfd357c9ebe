/** The shapes of profiles: who others are, what they show, and reports to the operator. */
import { Type } from 'typebox';
import { closed, Id, Instant, PageInfo, page } from './shared.ts';

const privacy = {
  listed: Type.Boolean({ description: 'Whether the player is found by name and by search.' }),
  matches: Type.Boolean({ description: "Whether the profile shows the player's public matches." }),
  online: Type.Boolean({ description: 'Whether tables say that the player is here.' }),
};

export const PlayerPage = Type.Object(
  { players: Type.Array(Type.Ref('Player')), pageInfo: PageInfo },
  { $id: 'PlayerPage', description: 'A page of a list of players.' },
);
export const Privacy = Type.Object(privacy, { $id: 'Privacy', description: 'What others see of a player.' });
export const Presence = Type.Object(
  { online: Type.Array(Type.Integer(), { description: 'The seats whose players are here.' }) },
  { $id: 'Presence', description: 'Who is at a table now.' },
);
export const Report = Type.Object(
  { id: Id, createdAt: Instant },
  { $id: 'Report', description: 'That a report was kept.' },
);
export const AccountDocument = Type.Object(
  {
    format: Type.Literal('atoll/account'),
    exportedAt: Instant,
    playerId: Id,
    shortened: Type.Array(Type.String(), { description: 'Tables of which the oldest rows were left out.' }),
    data: Type.Record(Type.String(), Type.Array(Type.Unknown()), { description: 'Rows, by table.' }),
  },
  { $id: 'AccountDocument', description: 'Everything that is stored about a player, but for secrets.' },
);

export const PlayerParams = Type.Object({ id: Type.String({ description: 'The id of the player.' }) });
export const PlayersQuery = Type.Object(
  {
    search: Type.Optional(
      Type.String({ maxLength: 100, description: 'How a name begins, in small or capital letters.' }),
    ),
    name: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The whole name, that of a guest with its tag ("Ann #7KQ2"): the list then holds one player or none.',
      }),
    ),
    ...page,
  },
  closed,
);
export const PageQuery = Type.Object({ ...page }, closed);
export const PrivacyBody = Type.Object(
  {
    listed: Type.Optional(privacy.listed),
    matches: Type.Optional(privacy.matches),
    online: Type.Optional(privacy.online),
  },
  closed,
);
export const ReportBody = Type.Object(
  {
    playerId: Type.Optional(Type.String({ maxLength: 100, description: 'The player it is about.' })),
    matchId: Type.Optional(
      Type.String({ maxLength: 100, description: 'The match it is about; one that the caller may see.' }),
    ),
    text: Type.String({ maxLength: 4000, description: 'What happened, 1 to 2000 characters.' }),
  },
  closed,
);
export const DeleteQuery = Type.Object(
  {
    confirm: Type.Optional(
      Type.String({
        maxLength: 200,
        description: "The account's own name: anything else is refused, and nothing is deleted.",
      }),
    ),
  },
  closed,
);

export const components = [PlayerPage, Privacy, Presence, Report, AccountDocument];
