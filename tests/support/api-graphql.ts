import { expect } from 'vitest';
import type { ErrorCode } from '../../src/errors.ts';
import { type Api, bearer, type EventJson, type Face, inTurn, type Json, type MatchJson, Refusal } from './api.ts';

const PLAYER = 'id name kind tag';
const TOKEN = 'id name scopes createdAt expiresAt revokedAt lastUsedAt lastUsedFrom';
const GAME = 'id name rules minSeats maxSeats minutes { min max } optionsSchema actionSchema viewSchema effectSchema';
export const EVENT = 'version type seat action label targets effects { type data text } acting at undone hash';
const SEAT = `index player { ${PLAYER} } acting`;
const fields = (seat: string) => `id game { id } rules options status visibility invite version seats { ${seat} }
  acting mySeat clock { bankSeconds incrementSeconds capSeconds onTimeout } takeover rematchOf origin { matchId at seat }
  importedAt result { scores ranks } commitment seed createdAt startedAt endedAt`;
const SUMMARY = fields(SEAT);
export const MATCH = `${fields(`${SEAT} deadline bankSeconds vacant`)} canUndo { possible reason }`;
export const RECEIPT = `version event { ${EVENT} } match { ${MATCH} }`;

type Run = <T>(query: string, variables?: Json) => Promise<T>;

export function graphqlRun(urls: readonly string[], token?: string): Run {
  const next = inTurn(urls);
  return async <T>(query: string, variables: Json = {}) => {
    const response = await fetch(`${next()}/graphql`, {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data?: T; errors?: [{ message: string; extensions: Json }] };
    if (!errors) return data as T;
    expect(errors).toHaveLength(1);
    const [{ message, extensions }] = errors;
    const { code, ...details } = extensions;
    throw new Refusal(code as ErrorCode, message, details, response.headers);
  };
}

/** GraphQL shows a game as an object where REST names its id. */
export const plain = (match: object): MatchJson => {
  const { game, ...rest } = match as Omit<MatchJson, 'game'> & { game: { id: string } };
  return { ...rest, game: game.id };
};

/** GraphQL answers with null where REST answers with a status. */
function present<T>(value: T | null | undefined, code: ErrorCode): T {
  if (value === null || value === undefined) throw new Refusal(code, 'null', {}, new Headers());
  return value;
}

export function graphqlApi(run: Run): Api {
  const query = async (id: string, args: Json, fields: string, params = '', invite?: unknown) => {
    const text = `query ($id: ID!, $invite: String${params}) { match(id: $id, invite: $invite) { ${fields} } }`;
    const { match } = await run<{ match: Json | null }>(text, { ...args, id, invite });
    return present(match, 'NOT_FOUND');
  };
  const look = ({ invite, ...args }: Json = {}, id: string, field: string) =>
    query(id, args, `${field}(at: $at, seat: $seat)`, ', $at: Int, $seat: Int', invite);
  const one = async <T>(answer: Promise<Json>) => Object.values(await answer)[0] as T;
  const receiptOf = async (answer: Promise<Json>) => {
    const receipt = await one<{ version: number; event: EventJson; match: object }>(answer);
    return { ...receipt, match: plain(receipt.match) };
  };
  const matchOf = async (answer: Promise<Json>) => plain(await one<object>(answer));

  return {
    register: (name) =>
      one(run(`mutation ($name: String!) { register(name: $name) { player { ${PLAYER} } token } }`, { name })),
    me: async () => present((await run<Json>(`{ me { ${PLAYER} } }`)).me, 'UNAUTHENTICATED') as never,
    tokens: async () =>
      (present((await run<Json>(`{ me { tokens { ${TOKEN} } } }`)).me, 'UNAUTHENTICATED') as Json).tokens as never,
    createToken: (name, wish) =>
      one(
        run(
          `mutation ($name: String!, $scopes: [Scope!], $expiresAt: DateTime) {
             createToken(name: $name, scopes: $scopes, expiresAt: $expiresAt) { id name scopes expiresAt token }
           }`,
          { name, ...wish },
        ),
      ),
    revokeToken: (id) => one(run(`mutation ($id: ID!) { revokeToken(id: $id) { ${TOKEN} } }`, { id })),
    deletePlayer: () => one(run(`mutation { deletePlayer { ${PLAYER} } }`)),
    games: () => one(run(`{ games { ${GAME} } }`)),
    game: async (id) => present(await one(run(`query ($id: ID!) { game(id: $id) { ${GAME} } }`, { id })), 'NOT_FOUND'),
    createMatch: (input, idempotencyKey) =>
      matchOf(
        run(`mutation ($input: CreateMatchInput!) { createMatch(input: $input) { ${MATCH} } }`, {
          input: idempotencyKey ? { ...input, idempotencyKey } : input,
        }),
      ),
    match: async (id, invite) => plain(await query(id, {}, MATCH, '', invite)),
    async matches(filter = {}) {
      const text = `query ($game: ID, $status: MatchStatus, $mine: Boolean, $myTurn: Boolean, $first: Int, $after: String) {
        matches(game: $game, status: $status, mine: $mine, myTurn: $myTurn, first: $first, after: $after) {
          edges { cursor node { ${SUMMARY} } } pageInfo { hasNextPage endCursor } } }`;
      const page = await one<{ edges: { cursor: string; node: object }[]; pageInfo: never }>(run(text, filter));
      expect(page.edges.map(({ cursor }) => cursor)).toEqual(page.edges.map(({ node }) => (node as MatchJson).id));
      return { matches: page.edges.map(({ node }) => plain(node)), pageInfo: page.pageInfo };
    },
    join: (matchId, input = {}) =>
      matchOf(
        run(
          `mutation ($matchId: ID!, $seat: Int, $invite: String, $entropy: String) {
             joinMatch(matchId: $matchId, seat: $seat, invite: $invite, entropy: $entropy) { ${MATCH} } }`,
          { ...input, matchId },
        ),
      ),
    leave: (id) => matchOf(run(`mutation ($id: ID!) { leaveMatch(matchId: $id) { ${MATCH} } }`, { id })),
    view: async (id, args) => (await look(args, id, 'view')).view as Json | null,
    async board(id, { invite, ...args } = {}) {
      const params = ', $at: Int, $seat: Int, $width: BoardWidth';
      const { board } = await query(id, args, 'board(at: $at, seat: $seat, width: $width)', params, invite);
      return present(board, 'MATCH_NOT_ACTIVE') as string;
    },
    description: async (id, args) => (await look(args, id, 'description')).description as string[] | null,
    legalActions: async (id, invite) =>
      (await query(id, {}, 'legalActions { action label targets }', '', invite)).legalActions as never,
    events: async (id, { invite, ...page } = {}) =>
      (await query(id, page, `events(after: $after, first: $first) { ${EVENT} }`, ', $after: Int, $first: Int', invite))
        .events as EventJson[],
    async submit(matchId, submission) {
      const input = { ...submission, matchId };
      const text = `mutation ($input: SubmitActionInput!) { submitAction(input: $input) { ${RECEIPT} } }`;
      return receiptOf(run(text, { input }));
    },
    undo: (matchId, expectedVersion) =>
      receiptOf(
        run(
          `mutation ($matchId: ID!, $expectedVersion: Int!) {
             undo(matchId: $matchId, expectedVersion: $expectedVersion) { ${RECEIPT} } }`,
          { matchId, expectedVersion },
        ),
      ),
    setOrder: (id, order) =>
      receiptOf(
        run(`mutation ($id: ID!, $order: JSON) { setOrder(matchId: $id, order: $order) { ${RECEIPT} } }`, {
          id,
          order,
        }),
      ),
    order: async (id) => (await query(id, {}, 'myOrder')).myOrder,
    resign: (id) => receiptOf(run(`mutation ($id: ID!) { resign(matchId: $id) { ${RECEIPT} } }`, { id })),
    addBot: (id, level) =>
      matchOf(
        run(`mutation ($id: ID!, $level: BotLevel) { addBot(matchId: $id, level: $level) { ${MATCH} } }`, {
          id,
          level,
        }),
      ),
    cancel: (id) => matchOf(run(`mutation ($id: ID!) { cancelMatch(matchId: $id) { ${MATCH} } }`, { id })),
    rematch: (id) => matchOf(run(`mutation ($id: ID!) { rematch(matchId: $id) { ${MATCH} } }`, { id })),
    fork: (matchId, at, invite) =>
      matchOf(
        run(
          `mutation ($matchId: ID!, $at: Int!, $invite: String) {
             forkMatch(matchId: $matchId, at: $at, invite: $invite) { ${MATCH} } }`,
          { matchId, at, invite },
        ),
      ),
    export: async (id, { invite, ...args } = {}) =>
      (await query(id, args, 'export(names: $names)', ', $names: Boolean', invite)).export as Json,
    import: (document) =>
      matchOf(run(`mutation ($document: JSON!) { importMatch(document: $document) { ${MATCH} } }`, { document })),
  };
}

export const graphql: Face = { name: 'GraphQL', client: (urls, token) => graphqlApi(graphqlRun(urls, token)) };
