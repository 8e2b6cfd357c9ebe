/** Every command and query on matches. Both faces of the API call this and nothing below it. */
import type { Pool } from 'pg';
import { type RequestKey, requestKey } from '../database/request-keys.ts';
import { AtollError, refusals } from '../errors.ts';
import type { Registry } from '../games/registry.ts';
import type { Player } from '../players/player.ts';
import { noQuotas, type Quotas } from '../quotas.ts';
import { inSlices } from '../turns.ts';
import { type Changes, openChanges } from './changes.ts';
import { forked, versionToFork } from './commands/fork.ts';
import { type Lengths, lengthsOf } from './commands/lengths.ts';
import type { Live } from './live/hints.ts';
import { Log } from './log/events.ts';
import type { Memo } from './log/memo.ts';
import { rebuilding } from './log/rebuild.ts';
import type { Match } from './log/records.ts';
import type { Store } from './log/store.ts';
import type { Matches } from './matches.ts';
import { documenting, type MatchDocument, writing } from './proof/document.ts';
import { digestOf, type ProvenMatch } from './proof/import.ts';
import { inlineProver, type Prover, type ReadDocument } from './proof/prover.ts';
import { queries } from './queries.ts';
import { submit } from './submission.ts';
import { tableCommands } from './table.ts';

export interface MatchesParts {
  pool: Pool;
  registry: Registry;
  store: Store;
  memo: Memo;
  live: Live;
  now?: () => Date;
  /** Without quotas, everyone may have as much as they want. */
  quotas?: Quotas;
  lengths?: Lengths;
  /** Without a prover, imports are proven in this thread. */
  prover?: Prover;
  /** Called after every submission. The outcome is `ok`, `repeated` or an error code. */
  onSubmission?: (outcome: string, milliseconds: number) => void;
  /** Called before a document is proven. Throws if this player has imported enough for now. */
  onImport?: (player: Player) => void;
  /** Called with every match that was moved on here, so that bots can check whether it is their turn. */
  onCommit?: (match: Match) => void;
}

export function openMatches(given: MatchesParts): Matches {
  const { pool, store, memo, live, onCommit = () => {}, now = () => new Date() } = given;
  const changes = openChanges({ pool, store, memo, live, onCommit });
  const { quotas = noQuotas, lengths = lengthsOf() } = given;
  const parts = { ...given, now, changes, quotas, lengths, prover: given.prover ?? inlineProver(given.registry) };
  return { ...tableCommands(parts), ...queries(parts), ...historyCommands(parts), submit: submitting(parts) };
}

type Parts = MatchesParts & { changes: Changes; now: () => Date; quotas: Quotas; lengths: Lengths; prover: Prover };

/** Runs the submissions to one match one after another, and counts each by its outcome. */
function submitting(parts: Parts): Matches['submit'] {
  const { changes, onSubmission = () => {} } = parts;
  return async (player, submission) => {
    const start = performance.now();
    let outcome = 'ERROR';
    try {
      const receipt = await changes.inTurn(submission.matchId, () => submit(parts, player, submission));
      outcome = receipt.repeated ? 'repeated' : 'ok';
      return receipt;
    } catch (error) {
      if (error instanceof AtollError) outcome = error.code;
      throw error;
    } finally {
      onSubmission(outcome, performance.now() - start);
    }
  };
}

/** What distinguishes two documents without reading them: their text, or their id and the last hash of the chain. */
function markOf(document: unknown): object {
  if (typeof document === 'string') return { digest: digestOf(document) };
  const { id, events } = (document ?? {}) as Partial<MatchDocument>;
  const last: unknown = Array.isArray(events) ? events.at(-1)?.hash : null;
  return { id: String(id).slice(0, 100), last: String(last).slice(0, 100) };
}

function historyCommands({
  registry,
  store,
  memo,
  changes,
  now,
  quotas,
  prover,
  onImport = () => {},
}: Parts): Pick<Matches, 'fork' | 'import'> {
  /** The match that a document describes, if this server has it and it says the same. */
  async function knownMatch({ document: { id, players }, digest }: ReadDocument): Promise<Match | null> {
    const known = await memo.fresh(id);
    if (!known) return null;
    const own = await inSlices(writing(await inSlices(documenting(known, players), id)), id);
    return digestOf(own) === digest ? known : null;
  }

  async function remembered(request: RequestKey | null, match: Match): Promise<Match> {
    await changes.remember(request, match);
    return match;
  }

  return {
    async fork(player, id, at, invite, key) {
      const request = requestKey(player.id, key, 'fork', { id, at });
      return changes.once(player, request, async () => {
        const match = await changes.see(player, id, invite);
        const then = await inSlices(rebuilding(match, versionToFork(match, at)), player.id);
        const fork = forked(match, then, player, now());
        await store.create(fork, { request, guard: quotas.forking(player.id) });
        memo.put(null, fork);
        return fork;
      });
    },

    async import(player, document, key) {
      const request = requestKey(player.id, key, 'import', markOf(document));
      return changes.once(player, request, async () => {
        onImport(player);
        let draft: ReadDocument | undefined;
        // A match that is here already need not be proven again.
        const proven = await prover.run(document, player.id, async (found) => {
          draft = found;
          return knownMatch(found);
        });
        if (!('match' in proven) || !draft) return remembered(request, proven as Match);
        const { newPlayers, document: agreed } = draft;
        const engine = registry.game(agreed.game, agreed.rules);
        const { match, events } = proven as ProvenMatch;
        const row = { ...match, engine, events: Log.of(events), creatorId: player.id, importedAt: now() };
        const guard = quotas.importing(player.id);
        if (!(await store.create(row, { newPlayers, request, guard }))) {
          const known = await knownMatch(draft);
          if (!known) throw refusals.otherMatchWithId();
          return remembered(request, known);
        }
        return (await memo.fresh(row.id)) as Match;
      });
    },
  };
}
