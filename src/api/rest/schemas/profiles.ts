/** The schemas of profiles: other players, what they show, and reports to the operator. */
import { Type } from 'typebox';
import { closed, Id, Instant, PageInfo, page } from './shared.ts';

const privacy = {
  listed: Type.Boolean({ description: 'Whether the player can be found by name and by search.' }),
  matches: Type.Boolean({ description: "Whether the profile shows the player's public matches." }),
  online: Type.Boolean({ description: 'Whether tables show that the player is online.' }),
};

export const PlayerPage = Type.Object(
  { players: Type.Array(Type.Ref('Player')), pageInfo: PageInfo },
  { $id: 'PlayerPage', description: 'A page of a list of players.' },
);
export const Privacy = Type.Object(privacy, { $id: 'Privacy', description: 'What others may see of a player.' });
export const Presence = Type.Object(
  { online: Type.Array(Type.Integer(), { description: 'The seats whose players are online.' }) },
  { $id: 'Presence', description: 'Who is online at a table.' },
);
export const Report = Type.Object(
  { id: Id, createdAt: Instant },
  { $id: 'Report', description: 'Confirms that a report was stored.' },
);
export const AccountDocument = Type.Object(
  {
    format: Type.Literal('atoll/account'),
    exportedAt: Instant,
    playerId: Id,
    shortened: Type.Array(Type.String(), { description: 'The tables whose oldest rows were left out.' }),
    data: Type.Record(Type.String(), Type.Array(Type.Unknown()), { description: 'Rows, by table.' }),
  },
  { $id: 'AccountDocument', description: 'Everything that is stored about a player, except secrets.' },
);

export const PlayerParams = Type.Object({ id: Type.String({ description: 'The id of the player.' }) });
export const PlayersQuery = Type.Object(
  {
    search: Type.Optional(Type.String({ maxLength: 100, description: 'The beginning of a name, in any case.' })),
    name: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The whole name, with its tag for a guest ("Ann #7KQ2"). The list then holds one player or none.',
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
      Type.String({ maxLength: 100, description: 'The match it is about, which the caller must be able to see.' }),
    ),
    text: Type.String({ maxLength: 4000, description: 'What happened, in 1 to 2000 characters.' }),
  },
  closed,
);
export const DeleteQuery = Type.Object(
  {
    confirm: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'The name of the account. Anything else is refused, and nothing is deleted.',
      }),
    ),
  },
  closed,
);

export const components = [PlayerPage, Privacy, Presence, Report, AccountDocument];
