/** The table: the board, whose turn it is, the possible actions, and everything that happened. */
import { useComputed } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Refusal, sentence } from '../api.ts';
import { ProofPanel } from '../proof/proof.tsx';
import { route } from '../route.ts';
import { session } from '../session.ts';
import { Board, Picture } from '../table/board.tsx';
import { ActionBar, ActionList } from '../table/choose.tsx';
import type { TableMatch } from '../table/feed.ts';
import { Log } from '../table/log.tsx';
import { usePresence } from '../table/presence.ts';
import { openReplay } from '../table/replay.ts';
import { ReplayBar } from '../table/replay-bar.tsx';
import { nameOfSeat, SeatList } from '../table/seats.tsx';
import { openTable, type Table } from '../table/table.ts';
import { Tools } from '../table/tools.tsx';
import { SeatRefused, WaitingRoom } from '../table/waiting.tsx';
import { fits } from '../table/width.ts';
import { Words } from '../table/words.tsx';
import { chime, title } from '../turns.ts';

export function TablePage({ params }: { params: Record<string, string> }) {
  const id = params.id as string;
  const invite = route.value.query.get('invite') ?? undefined;
  const player = session.value?.id;
  const table = useMemo(() => openTable(id, invite), [id, invite, player]);
  useEffect(() => () => table.close(), [table]);
  const match = table.match.value;
  const failure = table.failure.value;
  if (!match && failure) return <NoTable failure={failure} onRetry={() => void table.refresh()} />;
  if (!match) return <main class="page table" id="content" data-match={id} aria-busy="true" />;
  return <Play table={table} match={match} invite={invite} />;
}

function NoTable({ failure, onRetry }: { failure: unknown; onRetry(): void }) {
  const missing = failure instanceof Refusal && ['NOT_FOUND', 'BAD_INPUT'].includes(failure.code);
  return (
    <main class="page narrow" id="content">
      <h1>{missing ? 'This match cannot be found' : 'This table cannot be shown'}</h1>
      <p>
        {missing
          ? 'The address may be misspelt. A private match opens only with its invitation link, or to those who play in it.'
          : sentence(failure)}
      </p>
      <p class="buttons">
        <a class="button primary" href="/">
          Go to the lobby
        </a>
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      </p>
    </main>
  );
}

interface PlayProps {
  table: Table;
  match: TableMatch;
  invite: string | undefined;
}

function Play({ table, match, invite }: PlayProps) {
  const replay = useMemo(() => openReplay(table, invite), [table, invite]);
  useEffect(() => () => replay.close(), [replay]);
  const mayAct = table.mayAct.value;
  const seen = replay.seen.value;
  const live = replay.at.value === null && replay.eyes.value === null;
  const here = usePresence(match.id, invite, match.status === 'OPEN' || match.status === 'ACTIVE', match.version);
  useCalling(match, mayAct);
  useEscape(table);
  return (
    <main
      class="page table"
      id="content"
      data-match={match.id}
      data-status={match.status}
      data-version={match.version}
      data-acting={String(mayAct)}
      data-at={replay.at.value ?? match.version}
    >
      <h1 class="hidden">
        {match.game.name}: {match.seats.map(({ index }) => nameOfSeat(match, index)).join(', ')}
      </h1>
      <div class={fits.value ? 'stage fit' : 'stage'}>
        {match.status === 'OPEN' || (match.status === 'CANCELLED' && !match.board) ? (
          <WaitingRoom table={table} match={match} invite={invite} />
        ) : (
          <>
            {live ? <LiveBoard table={table} match={match} /> : <PastBoard svg={seen ? seen.board : undefined} />}
            <ReplayBar replay={replay} match={match} events={table.events.value} />
          </>
        )}
      </div>
      <aside class="side" aria-label="Match">
        <SeatList match={match} events={table.events.value} here={here} />
        {match.status !== 'OPEN' && <SeatRefused match={match} />}
        {match.status === 'ACTIVE' && <ActionBar table={table} match={match} replay={replay} />}
        {match.status === 'FINISHED' && <Verdict match={match} />}
        {live && <ActionList table={table} />}
        {match.status === 'FINISHED' && <ProofPanel id={match.id} invite={invite} />}
        <Log events={table.events.value} match={match} replay={replay} />
        <Tools table={table} match={match} replay={replay} invite={invite} />
        <Words lines={live ? match.description : seen?.description} />
      </aside>
    </main>
  );
}

function LiveBoard({ table, match }: { table: Table; match: TableMatch }) {
  const { open, chosen, implied, other } = table.narrowed.value;
  const pending = useComputed(() => table.pending.value !== null).value;
  if (!match.board) return <div class="board" data-board />;
  return <Board svg={match.board} {...{ open, chosen, implied, other }} busy={pending} onPoint={table.pointAt} />;
}

const PastBoard = ({ svg }: { svg: string | null | undefined }) =>
  svg ? (
    <Picture svg={svg} />
  ) : (
    <div class="board empty" data-board aria-busy={svg === undefined}>
      {svg === null && <p class="quiet">The match had not started yet.</p>}
    </div>
  );

function Verdict({ match }: { match: TableMatch }) {
  const winners = match.seats.filter(({ index }) => match.result?.ranks[index] === 1);
  const mine = match.mySeat === null ? null : match.result?.ranks[match.mySeat];
  const names = winners.map(({ index }) => nameOfSeat(match, index)).join(' and ');
  return (
    <p class="verdict" role="status">
      {mine === 1 && winners.length === 1 ? 'You won.' : `${names} won.`}
    </p>
  );
}

/** Plays a sound and changes the title once each time the turn comes. */
function useCalling({ game }: TableMatch, mayAct: boolean): void {
  const before = useRef(mayAct);
  useEffect(() => {
    title(mayAct ? `Your turn · ${game.name}` : `${game.name} · Atoll`, mayAct);
    if (mayAct && !before.current) chime();
    before.current = mayAct;
    return () => title('Atoll');
  }, [game.name, mayAct]);
}

/** Escape takes one step back. */
function useEscape(table: Table): void {
  useEffect(() => {
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented && !document.querySelector('dialog[open]')) table.stepBack();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [table]);
}
