import { AtollError } from '../errors.ts';

/** What pg, PostgreSQL and Prisma call a database that cannot be reached or cannot take more. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '53300', // too many connections
  '57014', // took too long
  '57P01', // terminated by an administrator
  '57P02', // crash of another session
  '57P03', // starting up or shutting down
  '08000',
  '08003',
  '08006',
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2037',
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** The last one: the socket of an embedded PostgreSQL that does not run. */
const SAYINGS =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|connect ENOENT/;

interface Caught {
  code?: unknown;
  message?: unknown;
  kind?: unknown;
  cause?: unknown;
  errors?: unknown[];
  meta?: { driverAdapterError?: unknown };
  originalCode?: unknown;
}

function unreachable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false;
  const { code, message, cause, errors, meta, originalCode, kind } = error as Caught;
  if ([code, originalCode, kind].some((name) => UNREACHABLE.has(String(name)))) return true;
  if (typeof message === 'string' && SAYINGS.test(message)) return true;
  return [cause, meta?.driverAdapterError, ...(errors ?? [])].some((inner) => unreachable(inner, depth + 1));
}

/** The error as the caller may see it: one that was not meant for callers says nothing about our insides. */
export function presentable(error: unknown): AtollError {
  if (error instanceof AtollError) return error;
  if (unreachable(error)) {
    return new AtollError('UNAVAILABLE', 'The database cannot be reached: try again soon.', { retryAfter: 2 });
  }
  return new AtollError('INTERNAL', 'Something went wrong on our side.');
}
