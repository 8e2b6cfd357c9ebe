/**
 * Workers of one machine tell each other of committed events directly, with the events themselves, so that the others
 * need not read them from the log. Each worker listens on a socket in a folder that they share. Its siblings connect to
 * it and say what they want to be told. What is lost here is found by polling, like any other hint.
 */
import { readdirSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { shaped } from '../log/events.ts';
import type { Continuation } from '../log/memo.ts';
import type { LoggedEvent, Match } from '../log/records.ts';
import { type Interest, type Kind, openInterest } from './interest.ts';
import { type Lines, openLines } from './lines.ts';
import type { Direction } from './subjects.ts';
import type { Audiences, Hint } from './watchers.ts';

/** Where the workers of one machine find each other. */
export interface Place {
  /** Only they can open it. */
  folder: string;
  /** The number of this worker. Another worker that takes its place has another number. */
  worker: number;
}

/** What was committed: the match after it, and the version before it. */
export interface Committed {
  match: Match;
  after: number;
}

export interface Siblings {
  /** Rejects if the socket cannot be made; then nobody is told here. */
  open(): Promise<void>;
  /** Tells the siblings that follow the match or one of the players. */
  tell(hint: Hint, committed: Committed | undefined): void;
  /** This match is no longer followed, unless somebody watches it here. */
  playedElsewhere(match: string): void;
  /** Whether the server with this name is told here of everything that it follows. */
  isTold(name: string): boolean;
  /** How many siblings are told here. */
  readonly size: number;
  audiences: Required<Audiences>;
  close(): void;
}

export interface SiblingsOptions extends Place {
  /** By which other servers know this one. */
  name: string;
  hear(hint: Hint): void;
  /** Called before the hint about these events. */
  take(continuation: Continuation): void;
  /** The version at which the match is remembered here, or 0. */
  remembered(match: string): number;
  /** Hints may have been lost. */
  mayHaveMissed(): void;
  /** How many matches are followed without being watched. */
  mostUsed: number;
  count(direction: Direction): void;
}

/**
 * The number is the version of the messages: a worker that was replaced after an update of the program may use others,
 * and must not be spoken to.
 */
const SOCKET = /^1-(\d+)\.socket$/;
export const socketOf = (worker: number): string => `1-${worker}.socket`;

const LONGEST_PAUSE_MS = 2000;

/** Longer continuations are read from the log, in slices, and so is an undo, which may have to replay many events. */
const MOST_EVENTS = 16;

type Request =
  | ['hello', name: string, worker: number]
  | ['+', Kind, id: string, version: number]
  | ['-', Kind, id: string];

/** The fields of an event in a fixed order, without their names, which would take as long to read as the rest. */
type PackedEvent = ReturnType<typeof packedEvent>;

type Message = [match: string, version: number, players: string[], hash?: string, events?: PackedEvent[]];

export function openSiblings(options: SiblingsOptions): Siblings {
  const { folder, worker, remembered } = options;
  const followers = new Set<Follower>();
  const links = new Map<number, Link>();
  const closing = new AbortController();
  const sendAll = (request: Request) => {
    for (const { lines } of links.values()) lines?.send(request);
  };
  const interest = openInterest({
    follow: (kind, id) => sendAll(['+', kind, id, kind === 'match' ? remembered(id) : 0]),
    unfollow: (kind, id) => sendAll(['-', kind, id]),
    mostUsed: options.mostUsed,
  });

  function link(to: number): void {
    if (to === worker || links.has(to) || closing.signal.aborted) return;
    const made: Link = { lines: undefined };
    links.set(to, made);
    void stayLinked(join(folder, socketOf(to)), made, interest, options, closing.signal).then(() => links.delete(to));
  }

  const server = createServer((socket) => followers.add(accept(socket, followers, link, remembered)));

  return {
    async open() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        // Exclusive, because otherwise all workers would share one socket, as they share the port.
        server.listen({ path: join(folder, socketOf(worker)), exclusive: true }, resolve);
      });
      server.unref();
      // A sibling that starts later finds this one, and is linked to when it has connected.
      for (const file of readdirSync(folder)) {
        const found = SOCKET.exec(file)?.[1];
        if (found !== undefined) link(Number(found));
      }
    },
    tell(hint, committed) {
      // Whoever only opens a table or sits down here may play elsewhere.
      if (committed?.match.events.at(-1)?.type === 'ACTED') interest.used(hint.match);
      let text: string | undefined;
      for (const follower of followers) {
        const message = follower.messageOf(hint, () => (text ??= JSON.stringify(packed(hint, committed))));
        if (message === undefined) continue;
        options.count('sent');
        follower.lines.sendText(message);
      }
    },
    playedElsewhere: interest.playedElsewhere,
    isTold(name) {
      for (const follower of followers) if (follower.name === name) return true;
      return false;
    },
    get size() {
      return [...followers].filter(({ name }) => name !== undefined).length;
    },
    audiences: interest.audiences,
    close() {
      closing.abort();
      server.close();
      for (const { socket } of followers) socket.destroy();
    },
  };
}

/** A sibling that has connected in order to be told. */
interface Follower {
  socket: Socket;
  lines: Lines;
  /** Undefined until it has said everything that it follows. */
  name: string | undefined;
  /** What this sibling is to be sent for a hint, if anything. */
  messageOf(hint: Hint, whole: () => string): string | undefined;
}

function accept(
  socket: Socket,
  all: Set<Follower>,
  linkBack: (worker: number) => void,
  remembered: SiblingsOptions['remembered'],
): Follower {
  const follows = { match: new Set<string>(), turns: new Set<string>() };
  const lines = openLines(socket, (message) => {
    const request = message as Request;
    if (request[0] === 'hello') {
      follower.name = request[1];
      linkBack(request[2]);
    } else if (request[0] === '+') {
      const [, kind, id, version] = request;
      follows[kind].add(id);
      // What was committed before this request arrived was not told.
      if (kind === 'match' && remembered(id) > version) lines.send([id, remembered(id), []]);
      if (kind === 'turns' && follower.name !== undefined) lines.send(['', 0, [id]]);
    } else {
      follows[request[1]].delete(request[2]);
    }
  });
  const follower: Follower = {
    socket,
    lines,
    name: undefined,
    messageOf(hint, whole) {
      if (follows.match.has(hint.match)) return whole();
      const players = hint.players.filter((player) => follows.turns.has(player));
      return players.length > 0 ? JSON.stringify(['', 0, players]) : undefined;
    },
  };
  socket.on('error', () => {}); // followed by close
  socket.on('close', () => all.delete(follower));
  socket.unref();
  return follower;
}

/** The connection to a sibling, by which this process is told. */
interface Link {
  /** Undefined while it is not connected. */
  lines: Lines | undefined;
}

/** Resolves when the sibling has ended. */
async function stayLinked(
  path: string,
  link: Link,
  interest: Interest,
  options: SiblingsOptions,
  signal: AbortSignal,
): Promise<void> {
  let pause = 50;
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const socket = connect(path).unref();
    const abort = () => socket.destroy();
    signal.addEventListener('abort', abort);
    const lines = openLines(socket, (message) => hear(message as Message, interest, options));
    socket.on('connect', () => {
      pause = 50;
      link.lines = lines;
      for (const [kind, id] of interest.all()) {
        lines.send(['+', kind, id, kind === 'match' ? options.remembered(id) : 0]);
      }
      lines.send(['hello', options.name, options.worker]);
      if (!isFirst) options.mayHaveMissed();
    });
    const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      socket.once('error', resolve);
      socket.once('close', () => resolve(undefined));
    });
    signal.removeEventListener('abort', abort);
    socket.destroy();
    const wasLinked = link.lines !== undefined;
    link.lines = undefined;
    if (signal.aborted) return;
    if (wasLinked) options.mayHaveMissed(); // it may have ended between a commit and telling
    if (error?.code === 'ENOENT' || error?.code === 'ECONNREFUSED') return;
    await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }
}

function hear([match, version, players, hash, events]: Message, interest: Interest, options: SiblingsOptions): void {
  options.count('received');
  if (hash && events?.[0]) {
    const after = { version: events[0][0] - 1, hash };
    options.take({ match, after, events: events.map(unpackedEvent) });
  }
  interest.heard(match);
  options.hear({ match, version, players });
}

function packed({ match, version, players }: Hint, committed: Committed | undefined): Message {
  if (!committed || committed.after === 0) return [match, version, players];
  const [before, ...events] = committed.match.events.slice(committed.after - 1) as [LoggedEvent, ...LoggedEvent[]];
  const isShort = events.length <= MOST_EVENTS && events.every(({ type }) => type !== 'UNDONE');
  return isShort ? [match, version, players, before.hash, events.map(packedEvent)] : [match, version, players];
}

export const packedEvent = (event: LoggedEvent) =>
  [
    event.version,
    event.type,
    event.seat,
    event.playerId,
    event.action,
    event.actionId,
    event.entropy,
    event.label,
    event.targets,
    event.effects,
    event.secret,
    event.epoch,
    event.drew,
    event.acting,
    event.stateHash,
    event.hash,
    event.at.getTime(),
  ] as const;

function unpackedEvent(packed: PackedEvent): LoggedEvent {
  const [version, type, seat, playerId, action, actionId, entropy, label, targets, effects, secret, ...rest] = packed;
  const [epoch, drew, acting, stateHash, hash, at] = rest;
  return shaped({
    version,
    type,
    seat,
    playerId,
    action,
    actionId,
    entropy,
    label,
    targets,
    effects,
    secret,
    epoch,
    drew,
    acting,
    stateHash,
    hash,
    at: new Date(at),
  });
}
