/** The audit of operators' commands: every change they make is recorded here and can be printed. */
import type { Database } from '../database/pool.ts';
import type { Prisma } from '../generated/prisma/client.ts';

export interface Deed {
  action: string;
  playerId?: string | null;
  matchId?: string | null;
  details?: Record<string, unknown>;
}

export interface AuditRow {
  at: Date;
  operator: string;
  action: string;
  playerId: string | null;
  matchId: string | null;
  details: unknown;
}

/** Records a deed. Run it alone, or in the same transaction as the deed. */
export const recording = (prisma: Pick<Database['prisma'], 'auditEntry'>, operator: string, deed: Deed) =>
  prisma.auditEntry.create({
    data: {
      operator,
      action: deed.action,
      playerId: deed.playerId ?? null,
      matchId: deed.matchId ?? null,
      details: (deed.details ?? {}) as Prisma.InputJsonValue,
    },
    select: { id: true },
  });

export interface AuditFilter {
  playerId?: string | undefined;
  matchId?: string | undefined;
  first: number;
}

/** Newest first. */
export const readAudit = ({ prisma }: Database, { playerId, matchId, first }: AuditFilter): Promise<AuditRow[]> =>
  prisma.auditEntry.findMany({
    where: { ...(playerId && { playerId }), ...(matchId && { matchId }) },
    orderBy: { id: 'desc' },
    take: first,
    select: { at: true, operator: true, action: true, playerId: true, matchId: true, details: true },
  });
