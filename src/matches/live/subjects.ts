/**
 * Hints on the message bus: a subject for each match, and one for the turns of each player (and the lobby). A server
 * follows the subjects that somebody watches there, and receives nothing else.
 */
import { randomBytes } from 'node:crypto';
import type { Bus } from '../../bus/bus.ts';
import type { Audience, Audiences, Hint } from './watchers.ts';

export type Direction = 'sent' | 'received';

export interface SubjectsOptions {
  hear(hint: Hint): void;
  /** Earlier hints about these were not received. */
  mayHaveMissed(matches: string[], players: string[]): void;
  connected(): void;
  lost(): void;
  count(direction: Direction): void;
}

const MATCH = 'match:';
const TURNS = 'turns:';

const ofKind = (kind: string, subjects: readonly string[]): string[] =>
  subjects.filter((subject) => subject.startsWith(kind)).map((subject) => subject.slice(kind.length));

/** A subject is followed while somebody watches. */
export function audiencesOf(bus: Bus): Audiences {
  const audience = (kind: string): Audience => ({
    came: (id) => bus.follow(kind + id),
    left: (id) => bus.unfollow(kind + id),
  });
  return { matches: audience(MATCH), turns: audience(TURNS) };
}

/** Returns a function that sends a hint. */
export function openSubjects(bus: Bus, options: SubjectsOptions): (hint: Hint) => void {
  const { hear, mayHaveMissed, connected, lost, count } = options;
  /** Named in every message, so that a server ignores its own. */
  const self = randomBytes(6).toString('base64url');

  bus.attach({
    hear(subject, text) {
      const [from, version] = text.split(' ');
      if (from === self) return;
      count('received');
      if (subject.startsWith(MATCH)) {
        hear({ match: subject.slice(MATCH.length), version: Number(version), players: [] });
      } else {
        hear({ match: '', version: 0, players: [subject.slice(TURNS.length)] });
      }
    },
    followed: (subjects) => mayHaveMissed(ofKind(MATCH, subjects), ofKind(TURNS, subjects)),
    connected,
    lost,
  });

  const publish = (subject: string, text: string): void => {
    if (bus.publish(subject, text)) count('sent');
  };
  return ({ match, version, players }) => {
    publish(MATCH + match, `${self} ${version}`);
    for (const player of players) publish(TURNS + player, self);
  };
}
