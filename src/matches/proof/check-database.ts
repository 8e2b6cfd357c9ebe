/** Proves every match of a database, and checks that the cached columns agree with the log. */
import type { Database } from '../../database/pool.ts';
import { canonical } from '../../games/canonical.ts';
import type { Registry } from '../../games/registry.ts';
import { Log } from '../log/events.ts';
import { emptyMatch } from '../log/match.ts';
import { advance } from '../log/rebuild.ts';
import type { LoggedEvent, Summary } from '../log/records.ts';
import { openStore } from '../log/store.ts';
import { documentOf, numbered, playersOf } from './document.ts';
import { verify } from './verify.ts';

export interface DatabaseReport {
  matches: number;
  events: number;
  /** How many of the matches lie in cold storage. */
  archived: number;
  faults: { id: string; fault: string }[];
}

const PAGE = 200;

export async function checkDatabase(
  database: Database,
  registry: Registry,
  progress: (done: number, total: number) => void,
): Promise<DatabaseReport> {
  const store = openStore(database);
  const total = await database.prisma.match.count();
  const report: DatabaseReport = {
    matches: 0,
    events: 0,
    archived: await database.prisma.archivedLog.count(),
    faults: [],
  };
  for (let last: string | undefined; ; ) {
    const page = await database.prisma.match.findMany({
      select: { id: true },
      orderBy: { id: 'asc' },
      take: PAGE,
      ...(last !== undefined && { where: { id: { gt: last } } }),
    });
    for (const { id } of page) {
      const row = (await store.row(id)) as Summary;
      try {
        report.events += prove(registry, row, await store.whole(row));
      } catch (error) {
        const { message, cause } = error as Error;
        report.faults.push({ id, fault: cause instanceof Error ? `${message} (${cause.message})` : message });
      }
      progress(++report.matches, total);
    }
    last = page.at(-1)?.id;
    if (page.length < PAGE) return report;
  }
}

/** Throws at the first thing that is wrong. Returns the number of events. */
export function prove(registry: Registry, row: Summary, events: readonly LoggedEvent[]): number {
  const rows = { ...emptyMatch(registry.game(row.game, row.rules), row), events: Log.of(events) };
  const stored = { ...rows, version: events.length, status: row.status, result: row.result };
  const { match } = verify(registry, documentOf(stored, numbered(playersOf(stored))));
  const folded = advance(emptyMatch(rows.engine, row), events);
  const cached = ({ version, status, seats, acting, result }: Summary) =>
    canonical({ version, status, seats, acting, result });
  if (cached(row) !== cached(folded))
    throw new Error(`The cached columns say ${cached(row)}, the log says ${cached(folded)}`);
  if (canonical(folded.state) !== canonical(match.state))
    throw new Error('Two ways to replay it end in different states');
  return events.length;
}
