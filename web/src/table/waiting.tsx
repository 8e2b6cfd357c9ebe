/** Before the start: who is there, who is missing, and the link to invite them. */
import { signal } from '@preact/signals';
import { ask, sentence } from '../api.ts';
import { AddBot, CancelMatch, JoinMatch, LeaveMatch } from '../generated/operations.ts';
import { CopyLink } from '../parts/copy.tsx';
import { NameForm } from '../parts/name.tsx';
import { keepAgreed, newEntropy, session } from '../session.ts';
import type { TableMatch } from './feed.ts';
import type { Table } from './table.ts';

interface WaitingRoomProps {
  table: Table;
  match: TableMatch;
  invite: string | undefined;
}

/** Takes a seat with our part of the seed. */
export async function sitDown(match: TableMatch, invite: string | undefined, seat?: number): Promise<TableMatch> {
  const entropy = newEntropy();
  const variables = { id: match.id, entropy, ...(invite && { invite }), ...(seat !== undefined && { seat }) };
  const { joinMatch } = await ask(JoinMatch, variables);
  keepAgreed(match.id, { commitment: joinMatch.commitment, entropy });
  return joinMatch;
}

/**
 * Why no seat could be taken. It is kept outside the waiting room, because a player who comes too late sees the table
 * instead, and a player who has just chosen a name sees it rendered again.
 */
const seatRefused = signal<{ matchId: string; why: string } | null>(null);

export function SeatRefused({ match }: { match: TableMatch }) {
  const refused = seatRefused.value;
  if (refused?.matchId !== match.id || match.mySeat !== null) return null;
  return (
    <p class="notice" role="alert" data-refused>
      {refused.why} <a href={`/games/${match.game.id}`}>Open another table</a>
    </p>
  );
}

export function WaitingRoom({ table, match, invite }: WaitingRoomProps) {
  const seated = match.mySeat !== null;
  const inside = match.invite !== null || seated;
  if (match.status === 'CANCELLED') {
    return (
      <div class="waiting">
        <h2>This match was called off</h2>
        <p>
          Nobody plays it. <a href={`/games/${match.game.id}`}>Open another table</a> or <a href="/">go to the lobby</a>
          .
        </p>
      </div>
    );
  }
  const join = async () => {
    seatRefused.value = null;
    try {
      await sitDown(match, invite ?? match.invite ?? undefined);
    } catch (failure) {
      seatRefused.value = { matchId: match.id, why: sentence(failure) };
    }
    await table.refresh();
  };
  const code = match.invite ?? invite;
  const link = `${location.origin}/matches/${match.id}${match.visibility === 'PRIVATE' && code ? `?invite=${code}` : ''}`;
  const free = match.seats.filter(({ player }) => player === null).length;
  return (
    <div class="waiting">
      <h2>{seated ? 'Waiting for players' : `A table of ${match.game.name}`}</h2>
      <p>
        {free === 1 ? 'One seat is free. ' : `${free} seats are free. `}
        The match starts by itself when the last one is taken.
      </p>
      {!seated &&
        (session.value ? (
          <p>
            <button type="button" class="primary" data-join onClick={() => void join()}>
              Take a seat
            </button>
          </p>
        ) : (
          <NameForm action="Take a seat" onDone={() => void join()} />
        ))}
      <SeatRefused match={match} />
      <CopyLink link={link} label="Share this link with those you want to play with" />
      {inside && (
        <p class="buttons">
          <button
            type="button"
            data-add-bot
            onClick={() => void table.run(AddBot, { id: match.id, level: 'EASY' }, ({ addBot }) => addBot)}
          >
            Add a bot
          </button>
          {seated && (
            <button
              type="button"
              onClick={() => void table.run(LeaveMatch, { id: match.id }, ({ leaveMatch }) => leaveMatch)}
            >
              Leave the table
            </button>
          )}
          {match.mySeat === 0 && (
            <button
              type="button"
              onClick={() => void table.run(CancelMatch, { id: match.id }, ({ cancelMatch }) => cancelMatch)}
            >
              Call it off
            </button>
          )}
        </p>
      )}
      {table.notice.value && (
        <p class="notice" role="alert">
          {table.notice.value}
        </p>
      )}
    </div>
  );
}
