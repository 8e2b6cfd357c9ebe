/** The text of a notice, for programs and for people. It contains no secret of the game. */
import type { NoticeType, WebhookFormat } from '../generated/prisma/enums.ts';

/** Both are null if the server does not know its public address. */
export interface MatchLinks {
  /** The URL of the match in the API. */
  url: string | null;
  /** The page on which people play it. */
  page: string | null;
}

export interface Message extends MatchLinks {
  type: NoticeType;
  at: Date;
  matchId: string | null;
  game: string | null;
  /** The name of the game for people. */
  gameName: string | null;
  version: number | null;
  seat: number | null;
  playerId: string;
  playerName: string;
  deadline: Date | null;
}

/** The name of each type in the body of a webhook. */
export const WIRE: Record<NoticeType, string> = {
  TURN_GAINED: 'turn.gained',
  TURN_REMINDER: 'turn.reminder',
  MATCH_STARTED: 'match.started',
  MATCH_FINISHED: 'match.finished',
  PING: 'ping',
};

/** The body that a receiver gets, depending on the format. */
export function bodyOf(message: Message, format: WebhookFormat): string {
  if (format === 'DISCORD') {
    const content = sentence(message, discordName(message.playerName));
    // A player's name must not be able to mention anyone.
    return JSON.stringify({ content: withLink(content, message.page), allowed_mentions: { parse: [] } });
  }
  if (format === 'SLACK') {
    return JSON.stringify({ text: withLink(sentence(message, slackName(message.playerName)), message.page) });
  }
  return JSON.stringify({ type: WIRE[message.type], timestamp: message.at.toISOString(), data: dataOf(message) });
}

function dataOf({ type, matchId, game, version, seat, playerId, deadline, url, page }: Message) {
  if (type === 'PING') return { playerId };
  return {
    matchId,
    game,
    version,
    seat,
    playerId,
    ...(deadline && { deadline: deadline.toISOString() }),
    ...(url && { url }),
    ...(page && { page }),
  };
}

const withLink = (text: string, url: string | null): string => (url ? `${text} ${url}` : text);

const discordName = (name: string): string => name.replace(/[\\`*_~|<>@#[\]()]/g, '\\$&');
const slackName = (name: string): string =>
  name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** One line for people, without a name if only the player reads it. */
export function sentence({ type, gameName, deadline }: Message, name: string | null): string {
  const until = deadline ? ` Time runs out at ${deadline.toISOString().slice(0, 16).replace('T', ' ')} UTC.` : '';
  const it = name === null ? 'It' : `${name}, it`;
  const whom = name ?? 'you';
  switch (type) {
    case 'TURN_GAINED':
      return `${it} is your turn in ${gameName}.${until}`;
    case 'TURN_REMINDER':
      return `${it} is still your turn in ${gameName}.${until}`;
    case 'MATCH_STARTED':
      return `A match of ${gameName} with ${whom} has started.`;
    case 'MATCH_FINISHED':
      return `A match of ${gameName} with ${whom} is over.`;
    case 'PING':
      return `Atoll can reach this address and will notify ${whom} here.`;
  }
}

export const subjectOf = ({ type, gameName }: Message): string =>
  type === 'TURN_REMINDER' ? `Still your turn in ${gameName}` : `Your turn in ${gameName}`;
