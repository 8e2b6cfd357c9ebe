/** Stores matches in the database and reads them back: the rows behind match.ts. */
import type { Database } from '../../database/pool.ts';
import type { Guard } from '../../quotas.ts';
import type { OnArchiveRead } from '../archive/reader.ts';
import { type AlsoWrite, type Append, appending } from './append.ts';
import { appender } from './batches.ts';
import { firstDeadline } from './clock.ts';
import { type Lists, listing } from './lists.ts';
import { type LogReader, reading } from './reading.ts';
import type { Match, Summary } from './records.ts';
import { appendingGuarded, type Create, creating, openRow } from './rows.ts';

export interface Store extends LogReader, Lists {
  /** Resolves to false, with nothing changed, if another append came first. Throws if the guard does. */
  append(append: Append, guard?: Guard): Promise<boolean>;
  /** How many appends are waiting for their turn. */
  readonly waiting: number;
  create: Create;
  row(id: string): Promise<Summary | null>;
  /** The current versions of these matches. */
  versions(ids: readonly string[]): Promise<Map<string, number>>;
  /** Rewrites the earliest deadline of a match after an outage has moved it, which no event does. */
  postpone(match: Match): Promise<void>;
  /** The id of the rematch of a match. */
  rematch(id: string): Promise<string | null>;
}

export interface StoreOptions {
  /** Called with the duration of each append. */
  onAppend?: (seconds: number) => void;
  alsoWrite?: AlsoWrite;
  onArchiveRead?: OnArchiveRead;
}

export function openStore(
  database: Database,
  { onAppend = () => {}, alsoWrite, onArchiveRead }: StoreOptions = {},
): Store {
  const { pool, prisma, seal, writes, pooled } = database;
  const opened = openRow(database);
  const appendAll = appending(alsoWrite, pooled);
  const append = appender({ pool, appendAll, writes, ...(alsoWrite && { onAlsoWrote: alsoWrite.written }) });
  const guarded = appendingGuarded({ pool, writes, appendAll, alsoWrite });
  return {
    async append(one, guard) {
      const start = performance.now();
      try {
        return await (guard ? guarded(one, guard) : append(one));
      } finally {
        onAppend((performance.now() - start) / 1000);
      }
    },

    get waiting() {
      return append.waiting;
    },

    create: creating({ pool, seal, writes, appendAll, alsoWrite }),
    ...reading(database, onArchiveRead),
    ...listing(database),

    async row(id) {
      const found = await prisma.match.findUnique({ where: { id } });
      if (!found) return null;
      // Only matches with a clock need the outages, and there are few.
      const outages = found.clock ? await prisma.outage.findMany({ where: { to: { gt: found.createdAt } } }) : [];
      return { ...opened(found), outages };
    },

    async versions(ids) {
      const found = await prisma.match.findMany({
        where: { id: { in: [...ids] } },
        select: { id: true, version: true },
      });
      return new Map(found.map(({ id, version }) => [id, version]));
    },

    async postpone({ id, version, ...match }) {
      await prisma.match.updateMany({ where: { id, version }, data: { deadline: firstDeadline(match) } });
    },

    async rematch(id) {
      const found = await prisma.rematch.findUnique({ where: { rematchOf: id } });
      // A server of the previous version, which may still run during an upgrade, writes it only to the match.
      const rematch =
        found?.matchId ?? (await prisma.match.findFirst({ where: { rematchOf: id }, select: { id: true } }))?.id;
      return rematch ?? null;
    },
  };
}
