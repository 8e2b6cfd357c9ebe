/** The end of a campaign: checks that what the clients were told is in the log exactly once, and proves the log. */
import { openDatabase } from '../../src/database/pool.ts';
import { registry } from '../../src/games/registry.ts';
import { checkDatabase } from '../../src/matches/proof/check-database.ts';
import type { Record } from './record.ts';

interface Row {
  match: string;
  version: number;
  hash: string;
  actionId: string | null;
}

export async function audit(url: string, record: Record): Promise<{ matches: number; events: number }> {
  const database = openDatabase({ url, poolSize: 4, patient: true });
  try {
    const { rows } = await database.pool.query<Row>(
      `SELECT match_id AS match, version, encode(hash, 'hex') AS hash, action_id AS "actionId" FROM events`,
    );
    compareActions(rows, record);
    compareStreams(rows, record);
    const { matches, events, faults } = await checkDatabase(database, registry, () => {});
    for (const { id, fault } of faults) record.violate(`${id} is not proven: ${fault}`);
    return { matches, events };
  } finally {
    await database.close();
  }
}

function compareActions(rows: readonly Row[], record: Record): void {
  const byAction = new Map<string, Row[]>();
  for (const row of rows) {
    if (row.actionId === null) continue;
    const key = `${row.match} ${row.actionId}`;
    byAction.set(key, [...(byAction.get(key) ?? []), row]);
  }
  for (const { match, actionId, version, hash } of record.acknowledged) {
    const found = byAction.get(`${match} ${actionId}`) ?? [];
    if (found.length !== 1)
      record.violate(`${match} ${actionId} was acknowledged and is ${found.length} times in the log`);
    else if (found[0]?.version !== version || found[0].hash !== hash)
      record.violate(`${match} ${actionId} was acknowledged as ${version} and is ${found[0]?.version} in the log`);
  }
}

function compareStreams(rows: readonly Row[], record: Record): void {
  const logs = new Map<string, Map<number, string>>();
  for (const { match, version, hash } of rows) {
    const log = logs.get(match) ?? new Map<number, string>();
    logs.set(match, log.set(version, hash));
  }
  for (const { match, transport, seen } of record.streams) {
    const log = logs.get(match);
    if (seen.length !== (log?.size ?? 0))
      record.violate(`${transport} ${match} saw ${seen.length} events of ${log?.size ?? 0}`);
    for (const [version, hash] of seen)
      if (log?.get(version) !== hash)
        record.violate(`${transport} ${match} saw another event ${version} than the log has`);
  }
}
