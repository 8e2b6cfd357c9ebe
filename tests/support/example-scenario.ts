/** Two players meet, play and look back, by REST: every answer and refusal on the way is an example for the reference. */
import { bearer, type Json, type LegalJson, type MatchJson } from './api.ts';
import { accountScenario, type Call } from './example-account.ts';
import type { Mailbox } from './smtp.ts';

export interface Seen {
  method: string;
  path: string;
  request: unknown;
  status: number;
  type: string;
  body: Json;
}

export interface Scenario {
  url: string;
  /** A server whose limits are nearly used up. */
  strictUrl: string;
  mailbox: Mailbox;
  /** Receives what webhooks send. */
  hook: string;
}

export async function exampleScenario({ url, strictUrl, mailbox, hook }: Scenario): Promise<Seen[]> {
  const seen: Seen[] = [];
  const call = async (method: string, path: string, token?: string, request?: unknown, more: Json = {}) => {
    const { base = url, ...headers } = more as { base?: string } & Record<string, string>;
    const sent = request === undefined ? {} : { body: JSON.stringify(request) };
    const content: Record<string, string> = request === undefined ? {} : { 'content-type': 'application/json' };
    const at = path.startsWith('/health') ? path : `/v1${path}`;
    const response = await fetch(base + at, {
      method,
      headers: { ...bearer(token), ...content, ...headers },
      ...sent,
    });
    const type = (response.headers.get('content-type') ?? '').split(';')[0] as string;
    const body = type.endsWith('json') ? ((await response.json()) as Json) : { text: (await response.text()).length };
    seen.push({ method, path: at.split('?')[0] as string, request, status: response.status, type, body });
    return body;
  };
  const register = async (name: string) => (await call('POST', '/players', undefined, { name })).token as string;
  const ann = await register('Ann');
  const ben = await register('Ben');
  await accounts(call, ann, ben);
  const id = await play(call, ann, ben, await register('Cho'));
  await lookBack(call, ann, ben, id);
  await others(call, ann, ben, id);
  await tell(call, ann, id, { mailbox, hook });
  await accountScenario(call, await register('Dee'), { url, mailbox });
  await call('POST', '/matches', ann, { game: 'cacao', seats: 2, bots: ['EASY'] }, { base: strictUrl });
  await call('POST', '/matches', ann, { game: 'cacao', seats: 2, bots: ['EASY'] }, { base: strictUrl });
  for (let n = 0; n < 4; n++) await call('GET', '/games', undefined, undefined, { base: strictUrl });
  await call('DELETE', '/me', ben);
  return seen;
}

async function accounts(call: Call, ann: string, ben: string): Promise<void> {
  await call('GET', '/me', ann);
  await call('GET', '/me', 'wrong');
  const { id } = await call('POST', '/tokens', ann, { name: 'My bot', scopes: ['READ', 'PLAY'] });
  await call('GET', '/tokens', ann);
  await call('DELETE', `/tokens/${id}`, ann);
  const { token } = await call('POST', '/tokens', ben, { name: 'My reader', scopes: ['READ'] });
  await call('POST', '/matches', token as string, { game: 'cacao', seats: 2 });
  await call('POST', '/players', undefined, { name: 'Easy bot' });
  await call('GET', '/games');
  await call('GET', '/games/cacao');
  await call('GET', '/errors');
  for (const path of ['/health/live', '/health/ready']) await call('GET', path);
}

async function act(call: Call, token: string, of: string, more: Json = {}): Promise<Json> {
  const { version, legalActions } = await call('GET', `${of}/legal-actions`, token);
  const { action } = (legalActions as LegalJson[])[0] as LegalJson;
  return call('POST', `${of}/actions`, token, { action, expectedVersion: version, ...more });
}

async function play(call: Call, ann: string, ben: string, cho: string): Promise<string> {
  const input = { game: 'cacao', seats: 2, clock: { bankSeconds: 86_400, incrementSeconds: 3600 } };
  const key = { 'idempotency-key': '7c9e6679-7425-40de-944b-e07fc1f90ae7' };
  const { id } = await call('POST', '/matches', ann, input, key);
  const of = `/matches/${id}`;
  await call('POST', '/matches', ann, { ...input, seats: 3 }, key);
  await call('GET', `${of}/board.svg`, ann);
  await call('GET', '/matches?status=OPEN');
  await call('POST', `${of}/seats`, ben, {});
  await call('DELETE', `${of}/seats`, ben);
  await call('DELETE', of, ben);
  await call('POST', `${of}/seats`, ben, {});
  await call('POST', `${of}/seats`, cho, {});
  const { acting } = (await call('GET', of, ann)) as unknown as MatchJson;
  const [first, second] = acting[0] === 0 ? [ann, ben] : [ben, ann];
  await call('GET', `${of}/view`, first);
  await call('GET', `${of}/description`, first);
  await call('PUT', `${of}/order`, second, { order: null });
  await call('GET', `${of}/order`, second);
  const { version } = (await act(call, first, of, { actionId: 'my first action' })) as { version: number };
  await call('POST', `${of}/actions`, first, { action: { type: 'none' }, actionId: 'my first action' });
  await call('POST', `${of}/actions`, first, { action: { type: 'none' } });
  await call('POST', `${of}/actions`, second, { action: { type: 'none' }, expectedVersion: 0 });
  await call('POST', `${of}/actions`, second, { action: { type: 'none' } });
  await call('POST', `${of}/undo`, first, { expectedVersion: version });
  await call('POST', `${of}/undo`, second, { expectedVersion: version + 1 });
  await call('POST', `${of}/rematch`, first, {});
  for (let n = 0; n < 4; n++) {
    const now = (await call('GET', of, ann)) as unknown as MatchJson;
    await act(call, now.acting[0] === 0 ? ann : ben, of);
  }
  return String(id);
}

async function others(call: Call, ann: string, ben: string, matchId: string): Promise<void> {
  const { id: playerId } = await call('GET', '/me', ben);
  await call('GET', '/players?search=be', ann);
  await call('GET', `/players/${playerId}`, ann);
  await call('GET', `/players/${playerId}/matches`, ann);
  await call('GET', `/matches/${matchId}/presence`, ann);
  await call('GET', '/me/privacy', ann);
  await call('PATCH', '/me/privacy', ann, { online: false });
  await call('GET', '/me/export', ann);
  await call('POST', '/reports', ann, { playerId, matchId, text: 'He calls me names.' });
}

async function lookBack(call: Call, ann: string, ben: string, id: string): Promise<void> {
  const of = `/matches/${id}`;
  await call('GET', `${of}/events?first=3`, ann);
  await call('GET', `${of}/states?from=4&to=5`, ann);
  await call('GET', '/turns', ann);
  await call('POST', '/tickets', ann, { purpose: 'EVENTS', matchId: id });
  await call('GET', '/turns', ben);
  await call('GET', `${of}/board.svg?at=5`, ann);
  await call('GET', `${of}/board.png?at=5`, ann);
  await call('GET', `${of}/view?at=999`, ann);
  await call('GET', '/matches/00000000-0000-7000-8000-000000000000', ann);
  await call('POST', `${of}/resign`, ben);
  await call('POST', `${of}/resign`, ben);
  await call('POST', `${of}/actions`, ann, { action: { type: 'none' } });
  await call('POST', `${of}/forks`, ann, { at: 5 });
  await call('POST', `${of}/rematch`, ann, {});
  const document = await call('GET', `${of}/export`);
  await call('POST', '/matches/import', ann, document);
  const { id: table } = await call('POST', '/matches', ann, { game: 'hashi', seats: 4 });
  await call('POST', `/matches/${table}/bots`, ann, { level: 'EASY' });
  await call('POST', `/matches/${table}/seats`, ben, {});
  await call('DELETE', `/matches/${table}/seats`, ben);
  await call('POST', `/matches/${table}/actions`, ben, { action: { type: 'none' } });
  await call('DELETE', `/matches/${table}`, ann);
  const { id: solo } = await call('POST', '/matches', ann, { game: 'hashi', seats: 1 });
  for (let n = 0; n < 6; n++) {
    const { version } = await act(call, ann, `/matches/${solo}`);
    await call('POST', `/matches/${solo}/undo`, ann, { expectedVersion: version });
  }
}

async function tell(
  call: Call,
  ann: string,
  matchId: string,
  { mailbox, hook }: Pick<Scenario, 'mailbox' | 'hook'>,
): Promise<void> {
  await call('GET', '/push-key');
  const made = await call('POST', '/webhooks', ann, { url: hook, events: ['TURN_GAINED'] });
  const { id } = made.webhook as { id: string };
  await call('POST', '/webhooks', ann, { url: hook, matchId });
  await call('GET', '/webhooks', ann);
  await call('GET', `/webhooks/${id}`, ann);
  await call('PATCH', `/webhooks/${id}`, ann, { events: ['TURN_GAINED', 'MATCH_FINISHED'] });
  await call('POST', `/webhooks/${id}/secret`, ann);
  const delivery = await call('POST', `/webhooks/${id}/test`, ann);
  await call('GET', `/webhooks/${id}/deliveries`, ann);
  await call('POST', `/deliveries/${delivery.id}/redeliver`, ann);
  await call('DELETE', `/webhooks/${id}`, ann);
  await call('PUT', '/me/email', ann, { address: 'ann@example.com' });
  const [mail] = await mailbox.until(1);
  await call('POST', '/me/email/confirm', ann, { code: /this code: (\w+)/.exec(mail?.text ?? '')?.[1] });
  await call('GET', '/me/email', ann);
  await call('DELETE', '/me/email', ann);
}
