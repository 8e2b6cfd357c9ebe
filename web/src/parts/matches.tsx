/** Matches as shown in lists. */
import { useEffect, useState } from 'preact/hooks';
import { serverNow } from '../api.ts';
import type { CardFieldsFragment } from '../generated/operations.ts';
import { pictureOf } from './games.ts';
import { seatName } from './seat-names.ts';
import { remainingText } from './time.ts';

export type Card = CardFieldsFragment;

export const nodesOf = <T,>(connection: { edges: { node: T }[] }): T[] => connection.edges.map(({ node }) => node);

export const isMyTurn = ({ mySeat, acting }: Card): boolean => mySeat !== null && acting.includes(mySeat);

const deadlineOf = (match: Card): string | null =>
  match.seats
    .filter(({ index, deadline }) => match.acting.includes(index) && deadline !== null)
    .map(({ deadline }) => deadline as string)
    .sort()[0] ?? null;

/** Matches with my turn come first, ordered by deadline. */
export function byUrgency(a: Card, b: Card): number {
  const turn = Number(isMyTurn(b)) - Number(isMyTurn(a));
  if (turn !== 0) return turn;
  return (deadlineOf(a) ?? '9').localeCompare(deadlineOf(b) ?? '9') || b.createdAt.localeCompare(a.createdAt);
}

export function stateOf(match: Card): string {
  if (match.status === 'OPEN') {
    const free = match.seats.filter(({ player }) => player === null).length;
    return free === 1 ? 'One seat is free' : `${free} seats are free`;
  }
  if (match.status === 'CANCELLED') return 'Called off';
  if (match.status === 'FINISHED') {
    const rank = match.mySeat === null ? null : match.result?.ranks[match.mySeat];
    if (rank === 1) return match.result?.ranks.filter((r) => r === 1).length === 1 ? 'You won' : 'You share the win';
    const winners = match.seats.filter(({ index }) => match.result?.ranks[index] === 1);
    const names = winners.map(({ index }) => seatName(match.seats, index));
    return names.length > 0 ? `${names.join(' and ')} won` : 'Ended';
  }
  if (isMyTurn(match)) return 'Your turn';
  const names = match.acting.map((index) => seatName(match.seats, index));
  return names.length > 0 ? `${names.join(', ')} to act` : 'Being played';
}

/** Guests may share a name; the tag distinguishes them. */
export const shown = ({ name, tag }: { name: string; tag: string | null }): string => (tag ? `${name} #${tag}` : name);

export const profileOf = (player: { name: string; tag: string | null }): string =>
  `/players/${encodeURIComponent(shown(player))}`;

export function MatchRow({ match, invite }: { match: Card; invite?: string }) {
  const picture = pictureOf(match.game.id);
  const players = match.seats.map(({ player }) => (player ? shown(player) : 'free seat')).join(' · ');
  const deadline = match.status === 'ACTIVE' ? deadlineOf(match) : null;
  return (
    <li>
      <a
        class={isMyTurn(match) ? 'match-row turn' : 'match-row'}
        href={`/matches/${match.id}${invite ? `?invite=${invite}` : ''}`}
      >
        {picture ? <img src={picture} alt="" width="72" height="54" loading="lazy" /> : <span class="no-picture" />}
        <span class="what">
          <strong>{match.game.name}</strong>
          <span>{players}</span>
        </span>
        <span class="state">
          {stateOf(match)}
          {deadline && <Countdown deadline={deadline} />}
        </span>
      </a>
    </li>
  );
}

/** The time left, counted down on the page. */
export function Countdown({ deadline }: { deadline: string }) {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Date.parse(deadline) - now);
  return (
    <time class={left < 60_000 ? 'countdown urgent' : 'countdown'} dateTime={deadline}>
      {remainingText(left)}
    </time>
  );
}
