/** Which addresses webhooks may lead to: public ones, unless the operator allows the others. */
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { refusals } from '../errors.ts';

export interface Address {
  address: string;
  family: number;
}

/** Resolves a name to all its addresses. */
export type Resolve = (hostname: string) => Promise<Address[]>;

export const resolveByDns: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

export interface Guard {
  allowPrivate: boolean;
  resolve: Resolve;
}

const MAX_URL = 2000;
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Reserved for protocols such as tunnels and benchmarks. */
const PROTOCOLS = ipaddr.IPv6.parseCIDR('2001::/23');

/** Whether anybody on the Internet could have this address. An IPv4 address that is mapped into IPv6 is judged as the IPv4 address. */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv4) return true;
  return address.match(GLOBAL_UNICAST) && !address.match(PROTOCOLS);
}

export class RefusedTarget extends Error {}

/** The host as it is connected to: an IPv6 address without its brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** The addresses of a host, if all of them are allowed. A name that also leads to a forbidden address is refused. */
export async function allowedAddresses(host: string, { allowPrivate, resolve }: Guard): Promise<Address[]> {
  const literal = ipaddr.isValid(host);
  const found = literal ? [{ address: host, family: host.includes(':') ? 6 : 4 }] : await resolve(host);
  // The error does not say where a name leads, because strangers could use it to explore our own network.
  if (!allowPrivate && !found.every(({ address }) => isPublic(address)))
    throw new RefusedTarget(literal ? `${host} is not a public address` : `${host} does not lead to a public address`);
  if (found.length === 0) throw new RefusedTarget(`${host} has no address`);
  return found;
}

/**
 * Replaces the lookup of Node's sockets: the addresses that are checked are the very ones that are connected to, so a
 * name whose answer changes in between gains nothing. It is not called for literal addresses.
 */
export const guardedLookup =
  (guard: Guard): LookupFunction =>
  (hostname, options, callback) => {
    allowedAddresses(hostname, guard).then(
      (found) => {
        const [first] = found as [Address, ...Address[]];
        if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };

/**
 * Besides these, only ports from 1024 on are allowed. Lower ones belong to mail, name service and the like, which a
 * POST could confuse.
 */
const WEB_PORTS = [80, 443];
/** Ports from 1024 on on which something other than the web answers: databases, caches, queues, chat, telephony. */
const OTHER_SERVICES = new Set([
  1433, 1521, 1719, 1720, 1723, 1883, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 3659, 4045, 4190, 5060, 5061,
  5432, 5433, 5672, 5900, 5984, 6000, 6379, 6380, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 7000, 7001, 8300,
  8500, 9042, 9092, 9200, 9300, 10_080, 10_250, 11_211, 26_257, 27_017, 27_018, 27_019,
]);

/** Null if a web server could listen on the port of this URL; otherwise the reason why not. */
export function portFault(url: URL): string | null {
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const fits = WEB_PORTS.includes(port) || (port >= 1024 && !OTHER_SERVICES.has(port));
  return fits ? null : `port ${port} is not one on which web servers listen`;
}

const bad = (why: string) => refusals.badWebhookUrl(why, { field: 'url' });

/** The URL in normal form, if notices may be sent there. */
export async function checkTarget(text: string, guard: Guard): Promise<string> {
  if (text.length > MAX_URL) throw bad(`it has more than ${MAX_URL} characters`);
  if (!URL.canParse(text)) throw bad('it is not a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw bad('it does not begin with https:// or http://');
  if (url.username !== '' || url.password !== '') throw bad('it contains a user name or a password');
  const fault = portFault(url);
  if (fault) throw bad(fault);
  url.hash = '';
  try {
    await allowedAddresses(hostOf(url), guard);
  } catch (error) {
    throw bad(error instanceof RefusedTarget ? error.message : `${hostOf(url)} could not be found`);
  }
  return url.href;
}
