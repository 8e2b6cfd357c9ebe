/** Other players, what each of them shows, and reports: /v1/players, /v1/me/privacy, /v1/me/export, /v1/reports. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { refusals } from '../../errors.ts';
import type { AccountDocument } from '../../players/account-export.ts';
import { callerOf, playerOf } from '../http/callers/identity.ts';
import type { Work } from '../http/limits/work.ts';
import * as present from '../present.ts';
import { answersOf } from './answers.ts';
import { sendJson, writtenList } from './pieces.ts';
import { a, keyOf, paidWork, routesOf, type ServiceOptions } from './route.ts';
import { InviteQuery, MatchParams } from './schemas/matches.ts';
import * as schemas from './schemas/profiles.ts';
import { IdempotencyKey } from './schemas/shared.ts';

const { open, withToken } = routesOf('profiles');
/** The cost of looking up players, or the matches of one. */
const SEARCH_COST = 50;
const EXPORT_COST = 2000;

export const restProfiles: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, options) => {
  await app.register(restOthers, options);
  await app.register(restOneself, options);
};

const restOthers: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { profiles, matches, presence } = services;
  const answers = answersOf(services.players);

  app.get(
    '/players',
    open({
      operationId: 'listPlayers',
      summary: 'Players whose names begin with a text, newest first',
      querystring: schemas.PlayersQuery,
      response: a('PlayerPage'),
    }),
    async (request) => {
      paidWork(services, request, SEARCH_COST);
      const { name, ...query } = request.query;
      if (name !== undefined) {
        const found = await profiles.find(callerOf(request), { name });
        const players = found ? [present.playerJson(found)] : [];
        return { players, pageInfo: { hasNextPage: false, endCursor: found?.id ?? null } };
      }
      const { players, more } = await profiles.search(query);
      return { players, pageInfo: { hasNextPage: more, endCursor: players.at(-1)?.id ?? null } };
    },
  );

  app.get(
    '/players/:id',
    open({
      operationId: 'getPlayer',
      summary: 'One player',
      refuses: ['NOT_FOUND'],
      params: schemas.PlayerParams,
      response: a('Player'),
    }),
    async (request) => {
      const player = await profiles.find(callerOf(request), { id: request.params.id });
      if (!player) throw refusals.noSuchPlayer();
      return present.playerJson(player);
    },
  );

  app.get(
    '/players/:id/matches',
    open({
      operationId: 'listMatchesOfPlayer',
      summary: 'Matches that a player plays or has played, as far as the caller may see them and the player shows them',
      refuses: ['NOT_FOUND'],
      params: schemas.PlayerParams,
      querystring: schemas.PageQuery,
      response: a('MatchPage'),
    }),
    async (request) => {
      paidWork(services, request, SEARCH_COST);
      const caller = callerOf(request);
      const player = await profiles.find(caller, { id: request.params.id });
      if (!player) throw refusals.noSuchPlayer();
      const hidden = !(await profiles.showsMatches(player.id, caller));
      const { matches: found, more } = await matches.list(caller, { ...request.query, player: player.id, hidden });
      const pageInfo = { hasNextPage: more, endCursor: found.at(-1)?.id ?? null };
      return { matches: await answers.matches(request, found), pageInfo };
    },
  );

  app.get(
    '/matches/:id/presence',
    open({
      operationId: 'getPresence',
      summary: 'The seats whose players are online now',
      description:
        'A player is online after a request within the last minute or while holding a stream open, unless they ' +
        'hide it.',
      refuses: ['NOT_FOUND'],
      params: MatchParams,
      querystring: InviteQuery,
      response: a('Presence'),
    }),
    async (request) => {
      const { seats } = await matches.see(callerOf(request), request.params.id, request.query.invite);
      const here = await present.whoIsHere(seats, presence);
      return { online: [...seats.keys()].filter((seat) => here[seat]) };
    },
  );
};

const restOneself: FastifyPluginAsyncTypebox<ServiceOptions> = async (app, { services }) => {
  const { profiles, reports, exportAccount } = services;

  app.get(
    '/me/privacy',
    withToken({ operationId: 'getPrivacy', summary: 'What others may see of the caller', response: a('Privacy') }),
    (request) => profiles.privacy(playerOf(request).id),
  );

  app.patch(
    '/me/privacy',
    withToken({
      operationId: 'setPrivacy',
      summary: 'Choose what others may see; settings that are left out stay as they are',
      body: schemas.PrivacyBody,
      response: a('Privacy'),
    }),
    (request) => profiles.setPrivacy(playerOf(request), request.body),
  );

  app.get(
    '/me/export',
    withToken({
      operationId: 'exportAccount',
      summary: 'Everything that is stored about the caller, as one document',
      refuses: ['QUOTA_EXCEEDED'],
      response: a('AccountDocument'),
    }),
    async (request, reply) => {
      const work = paidWork(services, request, EXPORT_COST);
      const bytes = await accountText(await exportAccount(playerOf(request)), work);
      reply.header('content-disposition', 'attachment; filename="atoll-account.json"');
      return sendJson(reply, bytes);
    },
  );

  app.post(
    '/reports',
    withToken({
      operationId: 'report',
      summary: 'Report a player or a match to the operator',
      refuses: ['NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'QUOTA_EXCEEDED'],
      headers: IdempotencyKey,
      body: schemas.ReportBody,
      response: a('Report', 201),
    }),
    async (request, reply) =>
      reply.code(201).send(await reports.create(playerOf(request), request.body, keyOf(request))),
  );
};

/** A player who has played for years has tens of thousands of rows. */
async function accountText({ data, ...rest }: AccountDocument, work: Work): Promise<Buffer> {
  const pieces = [Buffer.from(JSON.stringify({ ...rest, data: {} }).slice(0, -'}}'.length))];
  let before = '';
  for (const [table, rows] of Object.entries(data)) {
    pieces.push(Buffer.from(`${before}"${table}":`));
    for await (const piece of writtenList(rows, work)) pieces.push(piece);
    before = ',';
  }
  return Buffer.concat([...pieces, Buffer.from('}}')]);
}
