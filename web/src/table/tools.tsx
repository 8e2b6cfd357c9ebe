/** The buttons below the board: undo, resign, rematch, share, download and the like. */
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
import type { Replay } from './replay.ts';
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

/** Runs a command of a button and shows why it failed. */
type Attempt = (command: () => Promise<void>) => () => Promise<void>;

interface ToolProps {
  match: TableMatch;
  invite: string | undefined;
  attempt: Attempt;
}

export function Tools({ table, match, replay, invite }: ToolsProps) {
  const [error, setError] = useState<string | null>(null);
  const [sharing, setSharing] = useState(false);
  const attempt: Attempt = (command) => async () => {
    setError(null);
    try {
      await command();
    } catch (failure) {
      setError(sentence(failure));
    }
  };
  const isSeated = match.mySeat !== null;
  const isPlaying = isSeated && match.status === 'ACTIVE';
  const isOver = match.status === 'FINISHED';
  const mayFork = isOver || (isSeated && match.status === 'ACTIVE');
  const at = replay.at.value ?? match.version;
  const others = othersAt(match);
  const freeSeat = match.seats.find(({ vacant }) => vacant && match.takeover && !isSeated);
  const tool = { match, invite, attempt };
  return (
    <section class="tools" aria-label="Table">
      {match.origin && (
        <p class="quiet">
          An analysis: you act for every seat. It continues{' '}
          <a href={`/matches/${match.origin.matchId}?at=${match.origin.at}`}>this match</a>.
        </p>
      )}
      <div class="buttons small">
        {isPlaying && <UndoButton table={table} match={match} />}
        {isPlaying && !match.origin && <ResignButton table={table} match={match} />}
        {freeSeat && session.value && <TakeOverButton {...tool} table={table} seat={freeSeat.index} />}
        {isOver && isSeated && !match.origin && <RematchButton {...tool} />}
        {session.value && mayFork && <ForkButton {...tool} at={at} />}
        <button type="button" aria-expanded={sharing} onClick={() => setSharing(!sharing)}>
          Share
        </button>
        <DownloadButton {...tool} />
        {session.value && others.length > 0 && <ReportButton players={others} matchId={match.id} />}
        <button type="button" aria-pressed={soundOn.value} onClick={toggleSound}>
          Sound {soundOn.value ? 'on' : 'off'}
        </button>
      </div>
      {isPlaying && !match.origin && <StandingOrder match={match} />}
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

function UndoButton({ table, match }: { table: Table; match: TableMatch }) {
  return (
    <button
      type="button"
      disabled={!match.canUndo.possible}
      title={REASONS[match.canUndo.reason ?? '']}
      onClick={() => void table.run(Undo, { id: match.id, version: match.version }, ({ undo }) => undo.match)}
    >
      Undo
    </button>
  );
}

function TakeOverButton({ table, match, invite, attempt, seat }: ToolProps & { table: Table; seat: number }) {
  const takeOver = attempt(async () => {
    await sitDown(match, invite, seat);
    await table.refresh();
  });
  return (
    <button type="button" onClick={takeOver}>
      Take the free seat over
    </button>
  );
}

function RematchButton({ match, attempt }: ToolProps) {
  const playAgain = attempt(() =>
    once(['rematch', match.id], async ({ idempotencyKey, entropy }) => {
      const { rematch } = await ask(Rematch, { id: match.id, entropy, idempotencyKey });
      keepAgreed(rematch.id, { commitment: rematch.commitment, entropy });
      go(`/matches/${rematch.id}`);
    }),
  );
  return (
    <button type="button" class="primary" data-rematch onClick={playAgain}>
      Rematch
    </button>
  );
}

function ForkButton({ match, invite, attempt, at }: ToolProps & { at: number }) {
  const fork = attempt(() =>
    once(['fork', match.id, at], async ({ idempotencyKey }) => {
      const { forkMatch } = await ask(Fork, { id: match.id, at, idempotencyKey, ...(invite && { invite }) });
      go(`/matches/${forkMatch.id}`);
    }),
  );
  return (
    <button type="button" data-fork onClick={fork}>
      Try something from here
    </button>
  );
}

function DownloadButton({ match, invite, attempt }: ToolProps) {
  const save = attempt(async () => {
    const { match: found } = await ask(Export, { id: match.id, ...(invite && { invite }) });
    download(`${match.game.id}-${match.id}.json`, found?.export);
  });
  return (
    <button type="button" data-export onClick={save}>
      Download
    </button>
  );
}

/** The address of a picture of this position, drawn by the server as the chosen seat sees it. */
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
