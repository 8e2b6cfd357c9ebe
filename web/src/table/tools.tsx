/** Everything else that one can do at a table. */
import { useRef, useState } from 'preact/hooks';
import { ask, sentence } from '../api.ts';
import { Export, Fork, Rematch, Resign, Undo } from '../generated/operations.ts';
import { once } from '../once.ts';
import { CopyLink } from '../parts/copy.tsx';
import { download } from '../parts/download.ts';
import { shown } from '../parts/matches.tsx';
import { ReportButton } from '../parts/report.tsx';
import { go } from '../route.ts';
import { keepAgreed, session } from '../session.ts';
import { soundOn, toggleSound } from '../turns.ts';
import type { TableMatch } from './feed.ts';
import { StandingOrder } from './orders.tsx';
import type { Replay } from './replay.tsx';
import type { Table } from './table.ts';
import { sitDown } from './waiting.tsx';

interface ToolsProps {
  table: Table;
  match: TableMatch;
  replay: Replay;
  invite: string | undefined;
}

const REASONS: Record<string, string> = {
  OTHERS_ACTED: 'Others have acted since.',
  CHANCE_DRAWN: 'Something was drawn.',
  SECRETS_REVEALED: 'Something hidden was revealed.',
};

export function Tools({ table, match, replay, invite }: ToolsProps) {
  const [error, setError] = useState<string | null>(null);
  const [sharing, setSharing] = useState(false);
  const seated = match.mySeat !== null;
  const over = match.status === 'FINISHED';
  const attempt = (command: () => Promise<void>) => async () => {
    setError(null);
    try {
      await command();
    } catch (failure) {
      setError(sentence(failure));
    }
  };
  const at = replay.at.value ?? match.version;
  const others = othersAt(match);
  const takeOver = match.seats.find(({ vacant }) => vacant && match.takeover && !seated);
  return (
    <section class="tools" aria-label="Table">
      {match.origin && (
        <p class="quiet">
          An analysis: you act for every seat. It continues{' '}
          <a href={`/matches/${match.origin.matchId}?at=${match.origin.at}`}>this match</a>.
        </p>
      )}
      <div class="buttons small">
        {seated && match.status === 'ACTIVE' && (
          <button
            type="button"
            disabled={!match.canUndo.possible}
            title={REASONS[match.canUndo.reason ?? '']}
            onClick={() => void table.run(Undo, { id: match.id, version: match.version }, ({ undo }) => undo.match)}
          >
            Undo
          </button>
        )}
        {seated && match.status === 'ACTIVE' && !match.origin && <ResignButton table={table} match={match} />}
        {takeOver && session.value && (
          <button
            type="button"
            onClick={attempt(async () => {
              await sitDown(match, invite, takeOver.index);
              await table.refresh();
            })}
          >
            Take the free seat over
          </button>
        )}
        {over && seated && !match.origin && (
          <button
            type="button"
            class="primary"
            data-rematch
            onClick={attempt(() =>
              once(['rematch', match.id], async ({ idempotencyKey, entropy }) => {
                const { rematch } = await ask(Rematch, { id: match.id, entropy, idempotencyKey });
                keepAgreed(rematch.id, { commitment: rematch.commitment, entropy });
                go(`/matches/${rematch.id}`);
              }),
            )}
          >
            Rematch
          </button>
        )}
        {session.value && match.status !== 'OPEN' && match.status !== 'CANCELLED' && (over || seated) && (
          <button
            type="button"
            data-fork
            onClick={attempt(() =>
              once(['fork', match.id, at], async ({ idempotencyKey }) => {
                const { forkMatch } = await ask(Fork, { id: match.id, at, idempotencyKey, ...(invite && { invite }) });
                go(`/matches/${forkMatch.id}`);
              }),
            )}
          >
            Try something from here
          </button>
        )}
        <button type="button" aria-expanded={sharing} onClick={() => setSharing(!sharing)}>
          Share
        </button>
        <button
          type="button"
          data-export
          onClick={attempt(async () => {
            const { match: found } = await ask(Export, { id: match.id, ...(invite && { invite }) });
            download(`${match.game.id}-${match.id}.json`, found?.export);
          })}
        >
          Download
        </button>
        {session.value && others.length > 0 && <ReportButton players={others} matchId={match.id} />}
        <button type="button" aria-pressed={soundOn.value} onClick={toggleSound}>
          Sound {soundOn.value ? 'on' : 'off'}
        </button>
      </div>
      {seated && match.status === 'ACTIVE' && !match.origin && <StandingOrder match={match} />}
      {sharing && (
        <>
          <CopyLink link={location.origin + replay.link(at)} label="A link to this position" />
          {match.board && (
            <a href={pictureOf(match.id, at, replay.eyes.value, invite)} download={`${match.game.id}-${at}.png`}>
              This position as a picture
            </a>
          )}
        </>
      )}
      {error && (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}

/** The server draws it, through the same eyes. */
function pictureOf(id: string, at: number, eyes: number | null, invite: string | undefined): string {
  const query = new URLSearchParams({ at: String(at), ...(eyes !== null && { seat: String(eyes) }) });
  if (invite) query.set('invite', invite);
  return `/v1/matches/${id}/board.png?${query}`;
}

const othersAt = ({ seats, mySeat }: TableMatch) =>
  seats.flatMap(({ index, player }) =>
    player?.kind === 'HUMAN' && index !== mySeat ? [{ id: player.id, name: shown(player) }] : [],
  );

function ResignButton({ table, match }: { table: Table; match: TableMatch }) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Resign
      </button>
      <dialog ref={dialog} aria-label="Resign">
        <p>
          Give this match up?{' '}
          {match.seats.length === 2 ? 'The other seat wins.' : 'A bot plays on for you, and your seat ranks last.'}
        </p>
        <div class="buttons">
          <button type="button" onClick={() => dialog.current?.close()}>
            Go on playing
          </button>
          <button
            type="button"
            class="danger"
            onClick={() => {
              dialog.current?.close();
              void table.run(Resign, { id: match.id }, ({ resign }) => resign.match);
            }}
          >
            Resign
          </button>
        </div>
      </dialog>
    </>
  );
}
