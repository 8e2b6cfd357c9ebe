/** Writes the types of the resolvers, from the SDL. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { parse } from 'graphql';

const dir = new URL('../schema/', import.meta.url);
const files = (await readdir(dir)).filter((file) => file.endsWith('.graphql')).sort();
const sdl = (await Promise.all(files.map((file) => readFile(new URL(file, dir), 'utf8')))).join('\n');
const out = new URL('../src/generated/graphql.ts', import.meta.url);
const config = {
  useTypeImports: true,
  enumsAsTypes: true,
  skipTypename: true,
  immutableTypes: false,
  strictScalars: true,
  avoidOptionals: { field: true, defaultValue: true },
  scalars: {
    ID: 'string',
    JSON: { input: 'unknown', output: 'unknown' },
    DateTime: { input: 'Date', output: 'Date' },
  },
  contextType: '../api/graphql/resolvers/context.ts#Context',
  makeResolverTypeCallable: true,
  // The parents of resolvers: the services' own data, presented field by field.
  mappers: {
    Game: '../games/game.ts#Game as GameRules',
    Match: '../matches/log/records.ts#Summary',
    MatchEvent: '../api/present.ts#SeenEvent',
    Player: '../players/player.ts#Player as KnownPlayer',
    Seat: '../api/graphql/resolvers/node.ts#SeatOfMatch',
    Receipt: '../api/present.ts#PresentReceipt',
    Turn: '../matches/live/streams.ts#Turn as TurnChange',
    MatchState: '../api/states.ts#StateThen',
    PageInfo: '../api/graphql/resolvers/connection.ts#LazyPageInfo',
    Node: '../api/graphql/resolvers/node.ts#AnyNode',
    Webhook: '../notices/webhooks.ts#Webhook as OwnedWebhook',
  },
};
const content = await codegen({
  filename: out.pathname,
  schema: parse(sdl),
  documents: [],
  config,
  plugins: [{ typescript: {} }, { resolvers: {} }],
  pluginMap: { typescript, resolvers },
});
await mkdir(new URL('.', out), { recursive: true });
await writeFile(out, `/* Generated from schema/*.graphql by npm run generate. Do not edit. */\n${content}`);
