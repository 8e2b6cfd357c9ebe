/** Who sits where, whose turn it is, how much time is left. */
import { serverNow } from '../api.ts';
import { Countdown, profileOf } from '../parts/matches.tsx';
import { letterOf, seatName } from '../parts/seat-names.ts';
import { agoText, remainingText } from '../parts/time.ts';
import type { TableEvent, TableMatch } from './feed.ts';

export const nameOfSeat = ({ seats, mySeat }: TableMatch, index: number): string =>
  !seats[index]?.player && index === mySeat ? 'You' : seatName(seats, index);

/** The colour of a seat is up to the game. */
export const Mark = ({ seat }: { seat: number }) => (
  <span class="mark" aria-hidden="true">
    {letterOf(seat)}
  </span>
);

interface SeatListProps {
  match: TableMatch;
  events: readonly TableEvent[];
  /** The seats whose players are online. */
  here: ReadonlySet<number>;
}

export function SeatList({ match, events, here }: SeatListProps) {
  return (
    <ul class="seats" aria-label="Players">
      {match.seats.map((seat) => (
        <li key={seat.index} class={seat.acting && match.status === 'ACTIVE' ? 'seat acting' : 'seat'}>
          <Mark seat={seat.index} />
          <span class="name">
            {seat.player ? (
              seat.player.kind === 'BOT' ? (
                seat.player.name
              ) : (
                <a href={profileOf(seat.player)}>{seat.player.name}</a>
              )
            ) : (
              <i>Free</i>
            )}
            {seat.player?.tag && <small> #{seat.player.tag}</small>}
            {seat.index === match.mySeat && <small> you</small>}
            {seat.player?.kind === 'HUMAN' && seat.index !== match.mySeat && here.has(seat.index) && (
              <span class="here" data-online={seat.index}>
                {' '}
                online
              </span>
            )}
            {seat.vacant && <small> left, a bot plays on</small>}
          </span>
          <SeatState match={match} index={seat.index} events={events} />
        </li>
      ))}
    </ul>
  );
}

interface SeatStateProps {
  match: TableMatch;
  index: number;
  events: readonly TableEvent[];
}

function SeatState({ match, index, events }: SeatStateProps) {
  const seat = match.seats[index];
  if (match.result) {
    const [score, rank] = [match.result.scores[index], match.result.ranks[index]];
    return (
      <span class="state">
        {score} {rank === 1 && <strong>won</strong>}
      </span>
    );
  }
  if (match.status !== 'ACTIVE' || !seat) return null;
  if (seat.deadline) return <Countdown deadline={seat.deadline} />;
  if (seat.acting) return <span class="state">{seat.player?.kind === 'BOT' ? 'thinks…' : 'to act'}</span>;
  if (seat.bankSeconds !== null) return <span class="state quiet">{remainingText(seat.bankSeconds * 1000)}</span>;
  const last = events.findLast((event) => event.seat === index);
  return last && seat.player?.kind === 'HUMAN' && index !== match.mySeat ? (
    <span class="state quiet">acted {agoText(last.at, serverNow())}</span>
  ) : null;
}
