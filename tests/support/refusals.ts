/** Every kind of refused request, and the error code that it gets. */
import type { ErrorCode } from '../../src/errors.ts';
import type { Api, Json } from './api.ts';
import { ACTION_ID, NOWHERE, type World } from './world.ts';

export const LONG = 'x'.repeat(101);
type Case = [what: string, code: ErrorCode, run: (world: World) => Promise<unknown>];

const needsToken: [string, (api: Api, world: World) => Promise<unknown>][] = [
  ['me', (api) => api.me()],
  ['tokens', (api) => api.tokens()],
  ['a new token', (api) => api.createToken('laptop')],
  ['revoking a token', (api) => api.revokeToken(NOWHERE)],
  ['opening a match', (api) => api.createMatch({ game: 'highest', seats: 2 })],
  ['joining', (api, { open }) => api.join(open.id)],
  ['leaving', (api, { open }) => api.leave(open.id)],
  ['acting', (api, { active, taken }) => api.submit(active.id, { action: taken.action })],
  ['taking back', (api, { active }) => api.undo(active.id, 4)],
  ['resigning', (api, { active }) => api.resign(active.id)],
  ['a standing order', (api, { active }) => api.setOrder(active.id, { play: 'lowest' })],
  ['adding a bot', (api, { open }) => api.addBot(open.id)],
  ['cancelling', (api, { open }) => api.cancel(open.id)],
  ['a rematch', (api, { finished }) => api.rematch(finished.id)],
  ['forking', (api, { finished }) => api.fork(finished.id, 3)],
  ['importing', (api) => api.import({})],
  ['deleting the account', (api) => api.deletePlayer()],
  ['a list of mine', (api) => api.matches({ mine: true })],
  ['a list of my turns', (api) => api.matches({ myTurn: true })],
];

const hiddenFrom: [string, (api: Api, id: string) => Promise<unknown>][] = [
  ['match', (api, id) => api.match(id)],
  ['match with a wrong invite', (api, id) => api.match(id, 'guessed')],
  ['view', (api, id) => api.view(id)],
  ['board', (api, id) => api.board(id)],
  ['legal actions', (api, id) => api.legalActions(id)],
  ['events', (api, id) => api.events(id)],
  ['export', (api, id) => api.export(id)],
  ['taking back', (api, id) => api.undo(id, 1)],
  ['resigning', (api, id) => api.resign(id)],
  ['a standing order', (api, id) => api.setOrder(id, { play: 'lowest' })],
  ['adding a bot', (api, id) => api.addBot(id)],
  ['cancelling', (api, id) => api.cancel(id)],
  ['a rematch', (api, id) => api.rematch(id)],
  ['forking', (api, id) => api.fork(id, 1)],
  ['joining', (api, id) => api.join(id)],
  ['joining with a wrong invite', (api, id) => api.join(id, { invite: 'guessed' })],
  ['leaving', (api, id) => api.leave(id)],
  ['acting', (api, id) => api.submit(id, { action: { type: 'card', card: 1 } })],
];

/** A document in which somebody seems to have played another card. */
function changed(document: Json): Json {
  const events = structuredClone(document.events) as { action: Json | null }[];
  const last = events.findLast(({ action }) => action !== null);
  (last as { action: Json }).action = { type: 'card', card: 99 };
  return { ...document, events };
}

const deep = (levels: number): Json => Array.from({ length: levels }).reduce<Json>((inner) => ({ a: inner }), {});

/** A document with something wrong in it. */
const importing = (fault: Json) => async (world: World) =>
  world.ann.import({ ...(await world.ann.export(world.finished.id)), ...fault });

const create = (more: Json) => (world: World) => world.ann.createMatch({ game: 'highest', seats: 2, ...more });

export const refusals: Case[] = [
  ...needsToken.map(([what, run]): Case => [`${what} without a token`, 'UNAUTHENTICATED', (w) => run(w.anybody, w)]),
  ...needsToken.map(([what, run]): Case => [`${what} with a wrong one`, 'UNAUTHENTICATED', (w) => run(w.stranger, w)]),
  ...hiddenFrom.map(([what, run]): Case => [`${what} of no match`, 'NOT_FOUND', (w) => run(w.cho, NOWHERE)]),
  ...hiddenFrom.map(([what, run]): Case => [`${what} of what is no id`, 'NOT_FOUND', (w) => run(w.cho, 'nonsense')]),
  ...hiddenFrom.map(([what, run]): Case => [`${what} of a private match`, 'NOT_FOUND', (w) => run(w.cho, w.hidden.id)]),
  ['a name that is blank', 'BAD_INPUT', (w) => w.anybody.register(' \t ')],
  ['a name that is too long', 'BAD_INPUT', (w) => w.anybody.register('x'.repeat(41))],
  ['a name with a line break', 'BAD_INPUT', (w) => w.anybody.register('Ann\nBen')],
  ['a name with a link', 'BAD_INPUT', (w) => w.anybody.register('evil.example')],
  ['a name like that of a bot', 'NAME_TAKEN', (w) => w.anybody.register('HARD B0T')],
  ['a name that is a number', 'BAD_INPUT', (w) => w.anybody.register(7)],
  ['a name that is missing', 'BAD_INPUT', (w) => w.anybody.register(undefined)],
  ['a token name that is blank', 'BAD_INPUT', (w) => w.ann.createToken('')],
  ['a token that is not there', 'NOT_FOUND', (w) => w.ann.revokeToken(NOWHERE)],
  ['a token of nobody', 'NOT_FOUND', (w) => w.ann.revokeToken('nonsense')],
  ['a game that is not there', 'NOT_FOUND', (w) => w.anybody.game('poker')],
  ['a match of a game that is not there', 'NOT_FOUND', create({ game: 'poker' })],
  ['too few seats', 'BAD_INPUT', create({ seats: 1 })],
  ['too many seats', 'BAD_INPUT', create({ seats: 4 })],
  ['half a seat', 'BAD_INPUT', create({ seats: 2.5 })],
  ['seats in words', 'BAD_INPUT', create({ seats: 'two' })],
  ['no seats', 'BAD_INPUT', create({ seats: undefined })],
  ['an option that is not there', 'BAD_INPUT', create({ options: { jokers: 2 } })],
  ['options that are none', 'BAD_INPUT', create({ options: [1] })],
  ['a visibility that is not there', 'BAD_INPUT', create({ visibility: 'SECRET' })],
  ['a field that is not there', 'BAD_INPUT', create({ colour: 'red' })],
  ['entropy that is too long', 'BAD_INPUT', create({ entropy: LONG })],
  ['entropy that is empty', 'BAD_INPUT', create({ entropy: '' })],
  ['entropy with a NUL', 'BAD_INPUT', create({ entropy: 'a\0b' })],
  ['entropy with half a character', 'BAD_INPUT', create({ entropy: 'a\ud800b' })],
  ['options that have no end', 'BAD_INPUT', create({ options: deep(1000) })],
  ['a seat that is taken', 'MATCH_FULL', (w) => w.ben.join(w.open.id, { seat: 0 })],
  ['a seat that is not there', 'BAD_INPUT', (w) => w.ben.join(w.open.id, { seat: 2 })],
  ['a seat below zero', 'BAD_INPUT', (w) => w.ben.join(w.open.id, { seat: -1 })],
  ['a second seat', 'BAD_INPUT', (w) => w.ann.join(w.open.id, { seat: 1 })],
  ['entropy of a guest that is too long', 'BAD_INPUT', (w) => w.ben.join(w.open.id, { entropy: LONG })],
  ['joining a full match', 'MATCH_FULL', (w) => w.cho.join(w.active.id)],
  ['joining a finished match', 'MATCH_OVER', (w) => w.cho.join(w.finished.id)],
  ['joining a cancelled match', 'MATCH_OVER', (w) => w.cho.join(w.cancelled.id)],
  ['leaving without a seat', 'NOT_SEATED', (w) => w.cho.leave(w.open.id)],
  ['leaving after the start', 'FORBIDDEN', (w) => w.ann.leave(w.active.id)],
  ['leaving after the end', 'FORBIDDEN', (w) => w.ann.leave(w.finished.id)],
  ["another seat's eyes before the end", 'FORBIDDEN', (w) => w.ann.view(w.active.id, { seat: 1 })],
  ["a seat's eyes for a spectator", 'FORBIDDEN', (w) => w.anybody.view(w.active.id, { seat: 0 })],
  ["a picture with another's eyes", 'FORBIDDEN', (w) => w.ann.board(w.active.id, { seat: 1 })],
  ['eyes of no seat', 'BAD_INPUT', (w) => w.ann.view(w.finished.id, { seat: 2 })],
  ['a version to come', 'BAD_INPUT', (w) => w.ann.view(w.active.id, { at: 5 })],
  ['a version below zero', 'BAD_INPUT', (w) => w.ann.view(w.active.id, { at: -1 })],
  ['a picture of a version to come', 'BAD_INPUT', (w) => w.ann.board(w.active.id, { at: 99 })],
  ['a version in words', 'BAD_INPUT', (w) => w.ann.view(w.active.id, { at: 'now' })],
  ['a picture before the start', 'MATCH_NOT_ACTIVE', (w) => w.ann.board(w.open.id)],
  ['events after a version below zero', 'BAD_INPUT', (w) => w.ann.events(w.active.id, { after: -1 })],
  ['no events at a time', 'BAD_INPUT', (w) => w.ann.events(w.active.id, { first: 0 })],
  ['too many events at a time', 'BAD_INPUT', (w) => w.ann.events(w.active.id, { first: 501 })],
  ['matches of a game with a NUL', 'BAD_INPUT', (w) => w.ann.matches({ game: '\0' })],
  ['no matches on a page', 'BAD_INPUT', (w) => w.ann.matches({ first: 0 })],
  ['too many matches on a page', 'BAD_INPUT', (w) => w.ann.matches({ first: 101 })],
  ['a cursor that is none', 'BAD_INPUT', (w) => w.ann.matches({ after: 'nonsense' })],
  ['a status that is not there', 'BAD_INPUT', (w) => w.ann.matches({ status: 'LOST' })],
  ['acting without a seat', 'NOT_SEATED', (w) => w.cho.submit(w.active.id, { action: w.taken.action })],
  ['acting before the start', 'MATCH_NOT_ACTIVE', (w) => w.ann.submit(w.open.id, { action: w.taken.action })],
  ['acting after the end', 'MATCH_OVER', (w) => w.ann.submit(w.finished.id, { action: w.taken.action })],
  ['acting out of turn', 'NOT_YOUR_TURN', (w) => w.ann.submit(w.active.id, { action: w.taken.action })],
  ['a card that is not in the hand', 'ILLEGAL_ACTION', (w) => w.ben.submit(w.active.id, { action: w.taken.action })],
  ['an action that is no object', 'BAD_INPUT', (w) => w.ben.submit(w.active.id, { action: 'card' })],
  ['an action that is a list', 'BAD_INPUT', (w) => w.ben.submit(w.active.id, { action: [] })],
  ['taking back without a seat', 'NOT_SEATED', (w) => w.cho.undo(w.active.id, 4)],
  ['taking back what one has not done', 'CANNOT_UNDO', (w) => w.ben.undo(w.active.id, 4)],
  ['taking back before the start', 'CANNOT_UNDO', (w) => w.ann.undo(w.open.id, 1)],
  ['taking back after the end', 'CANNOT_UNDO', (w) => w.ann.undo(w.finished.id, 9)],
  ['taking back on an old version', 'STALE_VERSION', (w) => w.ann.undo(w.active.id, 3)],
  ['taking back on no version', 'BAD_INPUT', (w) => w.ann.undo(w.active.id, 'now')],
  ['a standing order without a seat', 'NOT_SEATED', (w) => w.cho.setOrder(w.active.id, null)],
  ['a standing order before the start', 'MATCH_NOT_ACTIVE', (w) => w.ann.setOrder(w.open.id, null)],
  ['a standing order after the end', 'MATCH_OVER', (w) => w.ann.setOrder(w.finished.id, null)],
  ['a standing order that the game does not know', 'BAD_INPUT', (w) => w.ann.setOrder(w.active.id, { play: 'well' })],
  ['resigning without a seat', 'NOT_SEATED', (w) => w.cho.resign(w.active.id)],
  ['resigning before the start', 'MATCH_NOT_ACTIVE', (w) => w.ann.resign(w.open.id)],
  ['resigning after the end', 'MATCH_OVER', (w) => w.ann.resign(w.finished.id)],
  ["a bot at somebody else's table", 'FORBIDDEN', (w) => w.cho.addBot(w.open.id)],
  ['a bot of no level', 'BAD_INPUT', (w) => w.ann.addBot(w.open.id, 'GENIUS')],
  ['a bot at a full table', 'MATCH_FULL', (w) => w.ann.addBot(w.active.id)],
  ['a bot after the end', 'MATCH_OVER', (w) => w.ann.addBot(w.finished.id)],
  [
    'a key that was used for another match',
    'IDEMPOTENCY_KEY_REUSED',
    async (w) => {
      await w.ann.createMatch({ game: 'highest', seats: 2 }, 'used');
      return w.ann.createMatch({ game: 'highest', seats: 3 }, 'used');
    },
  ],
  ['too many bots', 'MATCH_FULL', create({ bots: ['EASY', 'EASY'] })],
  ['a clock without time', 'BAD_INPUT', create({ clock: { bankSeconds: 0 } })],
  ['a clock with a cap below its bank', 'BAD_INPUT', create({ clock: { bankSeconds: 60, capSeconds: 30 } })],
  ['a clock of more than a year', 'BAD_INPUT', create({ clock: { bankSeconds: 2_000_000_000 } })],
  ["cancelling somebody else's match", 'FORBIDDEN', (w) => w.ben.cancel(w.open.id)],
  ['cancelling after the start', 'FORBIDDEN', (w) => w.ann.cancel(w.active.id)],
  ['a rematch before the end', 'MATCH_NOT_ACTIVE', (w) => w.ann.rematch(w.active.id)],
  ['a rematch of others', 'NOT_SEATED', (w) => w.cho.rematch(w.finished.id)],
  ['forking without a seat', 'NOT_SEATED', (w) => w.cho.fork(w.active.id, 4)],
  ['forking before the start', 'MATCH_NOT_ACTIVE', (w) => w.ann.fork(w.finished.id, 2)],
  ['forking a version to come', 'BAD_INPUT', (w) => w.ann.fork(w.active.id, 99)],
  ['importing what is no document', 'BAD_INPUT', (w) => w.ann.import({ format: 'atoll-match-1' })],
  ['importing a match that is not over', 'BAD_INPUT', async (w) => w.ann.import(await w.ann.export(w.active.id))],
  ['importing a time that is none', 'BAD_INPUT', importing({ createdAt: '2026-06-31T00:00:00.000Z' })],
  ['importing a time that is nonsense', 'BAD_INPUT', importing({ createdAt: '2026-99-99T99:99:99.999Z' })],
  ['importing a name with a NUL', 'BAD_INPUT', importing({ players: ['\0', 'Ben'] })],
  ['importing a state that somebody made up', 'BAD_INPUT', importing({ position: {} })],
  ['importing what was changed', 'BAD_INPUT', async (w) => w.ann.import(changed(await w.ann.export(w.finished.id)))],
  ['an action id with a NUL', 'BAD_INPUT', (w) => w.ben.submit(w.active.id, { action: {}, actionId: '\0' })],
  ['an action that has no end', 'BAD_INPUT', (w) => w.ben.submit(w.active.id, { action: deep(1000) })],
  ['no action', 'BAD_INPUT', (w) => w.ben.submit(w.active.id, {})],
  ['an action id that is too long', 'BAD_INPUT', (w) => w.ben.submit(w.active.id, { action: {}, actionId: LONG })],
  [
    'an action id for another action',
    'ACTION_ID_REUSED',
    (w) => w.ann.submit(w.active.id, { action: { type: 'card', card: 99 }, actionId: ACTION_ID }),
  ],
  [
    'a decision on an old version',
    'STALE_VERSION',
    (w) => w.ben.submit(w.active.id, { action: w.taken.action, expectedVersion: 1 }),
  ],
  [
    'a decision on a version to come',
    'STALE_VERSION',
    (w) => w.ben.submit(w.active.id, { action: w.taken.action, expectedVersion: 9 }),
  ],
];
