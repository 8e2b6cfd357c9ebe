import { channel } from 'node:diagnostics_channel';
import { AtollError, type ErrorCode, refusals } from '../../../errors.ts';

/**
 * Hears the code of every error that a caller is told, whichever face tells it. Status codes of HTTP do not show them
 * all: GraphQL and MCP put errors in an answer with 200, and sockets have no status.
 */
export const told = channel('atoll:told');

export function tell(code: ErrorCode): void {
  if (told.hasSubscribers) told.publish(code);
}

/**
 * Codes of pg, PostgreSQL and Prisma for a database that cannot be reached, is overloaded or does not answer in time.
 */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '25P03', // idle for too long in a transaction
  '40001', // rolled back so that others could continue
  '40P01',
  '53000',
  '53200', // out of memory
  '53300', // too many connections
  '53400',
  '55P03', // waited too long for a lock
  '57014', // statement took too long
  '57P01', // terminated by an administrator
  '57P02', // another session crashed
  '57P03', // starting up or shutting down
  '57P05', // idle for too long
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '08P01', // a pooler has no free server connection
  'P1001',
  'P1002',
  'P1008',
  'P1017',
  'P2024',
  'P2028', // no connection for a transaction in time
  'P2037',
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
]);

/** The database answers but cannot write: its disk is full, or it is read-only. An operator has to fix this. */
const UNWRITABLE = new Set(['53100', '25006', '58030']);

/** Values that no column can hold and that passed all validation: NUL in a text, a number beyond its type. */
const UNSTORABLE = new Set(['22003', '22021', '22P02', '22P05', 'P2000', 'P2020', 'P2023']);

/** A row that existed a moment ago and is gone: one to be changed, or one that another row was to refer to. */
const VANISHED = new Set(['P2003', 'P2025']);

/** The last one is the socket of an embedded PostgreSQL that is not running. */
const SAYINGS =
  /timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|connect ENOENT|timeout expired|Query read timeout/;

interface Caught {
  code?: unknown;
  message?: unknown;
  kind?: unknown;
  cause?: unknown;
  errors?: unknown[];
  meta?: { driverAdapterError?: unknown };
  originalCode?: unknown;
}

/** Errors come nested: one of the driver, inside one of the adapter, inside one of Prisma. */
function layers(error: unknown, depth = 0): Caught[] {
  if (typeof error !== 'object' || error === null || depth > 4) return [];
  const { cause, meta, errors = [] } = error as Caught;
  const inner = [cause, meta?.driverAdapterError, ...errors];
  return [error as Caught, ...inner.flatMap((e) => layers(e, depth + 1))];
}

const isOneOf = (names: Set<string>, { code, originalCode, kind }: Caught) =>
  [code, originalCode, kind].some((name) => names.has(String(name)));

/** The error as the caller may see it. An error that was not meant for callers reveals nothing about our internals. */
export function presentable(error: unknown): AtollError {
  const shown = error instanceof AtollError ? error : translated(error);
  tell(shown.code);
  return shown;
}

function translated(error: unknown): AtollError {
  const all = layers(error);
  if (all.some((e) => isOneOf(UNWRITABLE, e))) {
    return refusals.databaseUnwritable({ retryAfter: 10 });
  }
  if (all.some((e) => isOneOf(UNREACHABLE, e) || SAYINGS.test(String(e.message)))) {
    return refusals.databaseUnreachable({ retryAfter: 2 });
  }
  if (all.some((e) => isOneOf(UNSTORABLE, e))) {
    return refusals.unstorable();
  }
  if (all.some((e) => isOneOf(VANISHED, e))) {
    return refusals.vanished();
  }
  return refusals.internal();
}
