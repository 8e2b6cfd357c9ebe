/** Webhooks may lead only to public addresses, whatever a name resolves to. */
import { describe, expect, it } from 'vitest';
import { type Address, checkTarget, type Guard, isPublic, type Resolve } from '../../src/notices/address.ts';
import { post } from '../../src/notices/post.ts';
import { startReceiver } from '../support/receiver.ts';

const names =
  (table: Record<string, string[]>): Resolve =>
  async (host) => {
    const found = table[host];
    if (!found) throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };

const guard = (table: Record<string, string[]> = {}): Guard => ({ allowPrivate: false, resolve: names(table) });

const refusal = (url: string, table?: Record<string, string[]>) =>
  checkTarget(url, guard(table)).then(
    (accepted) => `accepted: ${accepted}`,
    (error) => `${error.code}: ${error.message}`,
  );

describe('an address', () => {
  it.each(['8.8.8.8', '93.184.216.34', '100.128.0.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    (address) => expect(isPublic(address)).toBe(true),
  );

  it.each([
    ...[
      '0.0.0.0',
      '0.1.2.3',
      '10.0.0.1',
      '100.64.0.1',
      '100.127.255.255',
      '127.0.0.1',
      '127.255.0.1',
      '169.254.169.254',
    ],
    ...['172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1'],
    ...['198.19.255.255', '198.51.100.1', '203.0.113.9', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
    ...['::', '::1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1'],
    ...['64:ff9b:1::1', '100::1', '2001::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::'],
    ...['3fff::1', '5f00::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'no address'],
  ])('%s is not', (address) => expect(isPublic(address)).toBe(false));
});

describe('the URL of a webhook', () => {
  it('is stored in its normal form', async () => {
    const table = { 'hooks.example': ['93.184.216.34', '2606:4700::1111'] };
    expect(await checkTarget('HTTPS://Hooks.Example:443/a?b=c#d', guard(table))).toBe('https://hooks.example/a?b=c');
    expect(await checkTarget('http://8.8.8.8:8080', guard())).toBe('http://8.8.8.8:8080/');
  });

  it.each([
    ['http://127.0.0.1/', '127.0.0.1 is not a public address'],
    ['http://2130706433/', '127.0.0.1 is not a public address'],
    ['http://0x7f.1/', '127.0.0.1 is not a public address'],
    ['http://0177.0.0.1/', '127.0.0.1 is not a public address'],
    ['http://[::1]:4000/', '::1 is not a public address'],
    ['http://[::ffff:169.254.169.254]/latest', 'is not a public address'],
    ['http://①⑦②.16.0.1/', '172.16.0.1 is not a public address'],
    ['https://inside.example/', 'inside.example does not lead to a public address'],
    ['https://both.example/', 'both.example does not lead to a public address'],
    ['https://nowhere.example/', 'nowhere.example could not be found'],
    ['https://empty.example/', 'empty.example has no address'],
    ['ftp://hooks.example/', 'it does not begin with https:// or http://'],
    ['file:///etc/passwd', 'it does not begin with https:// or http://'],
    ['https://user:secret@8.8.8.8/', 'it contains a user name or a password'],
    ['hooks.example', 'it is not a URL'],
    ['', 'it is not a URL'],
    [`https://8.8.8.8/${'x'.repeat(2000)}`, 'it has more than 2000 characters'],
  ])('%s is refused', async (url, why) => {
    const table = { 'inside.example': ['10.1.2.3'], 'both.example': ['8.8.8.8', '::1'], 'empty.example': [] };
    expect(await refusal(url, table)).toContain('BAD_INPUT: This URL cannot be a webhook:');
    expect(await refusal(url, table)).toContain(why);
  });
});

describe('at delivery', () => {
  const request = (url: string) => ({ url, headers: {}, body: '{}' });

  it('a name that now leads to a private address is not connected to', async () => {
    await using receiver = await startReceiver();
    const answers: Address[][] = [[{ address: '8.8.8.8', family: 4 }], [{ address: '127.0.0.1', family: 4 }]];
    const rebinding: Guard = { allowPrivate: false, resolve: async () => answers.shift() ?? [] };
    const url = await checkTarget(receiver.url.replace('127.0.0.1', 'rebind.example'), rebinding);
    await expect(post(request(url), { ...rebinding, timeoutMs: 60_000 })).rejects.toThrow(
      'rebind.example does not lead to a public address',
    );
    expect(answers).toEqual([]); // looked up once for the connection, not checked and then looked up again
    expect(receiver.requests).toHaveLength(0);
  });

  it('a private address in the URL is not connected to, however it got there', async () => {
    await using receiver = await startReceiver();
    await expect(post(request(receiver.url), { ...guard(), timeoutMs: 60_000 })).rejects.toThrow(
      '127.0.0.1 is not a public',
    );
    expect(receiver.requests).toHaveLength(0);
  });

  it('both are connected to if the operator allows it, by the address that was checked', async () => {
    await using receiver = await startReceiver();
    const open: Guard = { allowPrivate: true, resolve: names({ 'any.example': ['127.0.0.1'] }) };
    for (const url of [receiver.url, receiver.url.replace('127.0.0.1', 'any.example')]) {
      expect(await post(request(url), { ...open, timeoutMs: 60_000 })).toEqual({ status: 200, retryAfterMs: 0 });
    }
    expect(receiver.requests.map(({ headers }) => headers.host?.split(':')[0])).toEqual(['127.0.0.1', 'any.example']);
  });

  it('an endless answer is cut off, and a missing one is given up', async () => {
    await using receiver = await startReceiver();
    const options = { ...guard(), allowPrivate: true, timeoutMs: 300 };
    receiver.answer('endless');
    expect(await post(request(receiver.url), { ...options, timeoutMs: 60_000 })).toMatchObject({ status: 200 });
    receiver.answer('silent');
    await expect(post(request(receiver.url), options)).rejects.toThrow('No answer within 0.3 seconds');
  });

  it('a receiver that changes the protocol, or closes instead of answering, is a failure at once', async () => {
    await using receiver = await startReceiver();
    const options = { ...guard(), allowPrivate: true, timeoutMs: 60_000 };
    receiver.answer('upgrade');
    expect(await post(request(receiver.url), options)).toEqual({ status: 101, retryAfterMs: 0 });
    receiver.answer('closed');
    await expect(post(request(receiver.url), options)).rejects.toThrow('socket hang up');
  });

  it.each([[['127.0.0.1']], [['127.0.0.1', '::1']]])(
    'a failure does not tell that a name leads to %s',
    async (found) => {
      const open: Guard = { allowPrivate: true, resolve: names({ 'any.example': found }) };
      await using receiver = await startReceiver();
      await receiver.stop();
      const url = receiver.url.replace('127.0.0.1', 'any.example');
      await expect(post(request(url), { ...open, timeoutMs: 60_000 })).rejects.toThrow(
        /^The connection failed: E[A-Z]+$/,
      );
    },
  );
});
