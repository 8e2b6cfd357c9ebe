/** Reports by players about each other, for the operator. */
import type { Database } from '../database/pool.ts';
import { KeyUsed, once, requestKey, writeKeyIn } from '../database/request-keys.ts';
import { refusals } from '../errors.ts';
import { isId, newId } from '../id.ts';
import { namePart, shownName, tagOf } from './name.ts';
import type { Player } from './player.ts';
import { shownPlayer } from './rows.ts';

export interface ReportInput {
  playerId?: string | null;
  matchId?: string | null;
  text: string;
}

export interface Report {
  id: string;
  createdAt: Date;
}

export interface Reports {
  create(reporter: Player, input: ReportInput, key?: string | null): Promise<Report>;
}

/** The mail about a report to the operator. */
export interface ReportMail {
  subject: string;
  text: string;
}

export interface ReportsParts {
  database: Pick<Database, 'prisma' | 'pool'>;
  /** Counts a report against the reporter's limit. Throws QUOTA_EXCEEDED. */
  count(reporterId: string): Promise<void>;
  /** Throws NOT_FOUND if the reporter may not see the match. */
  seeMatch(reporter: Player, matchId: string): Promise<unknown>;
  /** Null if no mail is sent; the operator then finds reports with `atoll admin reports`. */
  mail: ((mail: ReportMail) => Promise<void>) | null;
  warn(message: string, error?: unknown): void;
}

const MAX_REPORT = 2000;

function cleanText(text: string): string {
  const clean = text.trim();
  if (clean.length >= 1 && clean.length <= MAX_REPORT && !/[\0\p{Cs}]/u.test(clean)) return clean;
  throw refusals.badText('A report', MAX_REPORT);
}

const shownReport = { id: true, createdAt: true } as const;

export function openReports({ database: { prisma, pool }, count, seeMatch, mail, warn }: ReportsParts): Reports {
  async function reported(reporter: Player, playerId: string): Promise<string> {
    const row = isId(playerId)
      ? await prisma.player.findUnique({ where: { id: playerId }, select: shownPlayer })
      : null;
    if (!row) throw refusals.noSuchPlayer();
    if (row.id === reporter.id) throw refusals.reportOfOneself();
    return shownName({ name: namePart(row.name), tag: tagOf(row) });
  }

  return {
    async create(reporter, { playerId = null, matchId = null, text }, key) {
      const clean = cleanText(text);
      if (playerId === null && matchId === null) throw refusals.reportOfNothing();
      const request = requestKey(reporter.id, key, 'report', { playerId, matchId, text: clean });
      const again = (id: string) => prisma.report.findUniqueOrThrow({ where: { id }, select: shownReport });
      return once(pool, request, again, async () => {
        const whom = playerId === null ? null : await reported(reporter, playerId);
        if (matchId !== null) await seeMatch(reporter, matchId);
        await count(reporter.id);
        const data = { id: newId(), reporterId: reporter.id, playerId, matchId, text: clean };
        const report = await prisma.$transaction(async (tx) => {
          if (request && !(await writeKeyIn(tx, request, data.id))) throw new KeyUsed();
          return tx.report.create({ data, select: shownReport });
        });
        const about = [whom && `player ${whom} (${playerId})`, matchId && `match ${matchId}`]
          .filter(Boolean)
          .join(', ');
        // The reporter does not wait for the mail server. The report is stored, so it cannot be lost.
        void mail?.({
          subject: `A report about ${whom ?? 'a match'}`,
          text: `${shownName(reporter)} (${reporter.id}) reports ${about}:\n\n${clean}\n\n-- \nAll reports: npx atoll admin reports\nReport ${report.id}\n`,
        }).catch((error) => warn('a report could not be mailed', error));
        return report;
      });
    },
  };
}
