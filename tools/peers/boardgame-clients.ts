/** Two ways to play boardgame.io over a socket of one's own: by its official clients, and by as little as its protocol needs. */
import { createRequire } from 'node:module';

const require = createRequire(process.env.PEERS_PACKAGE as string);

export interface Player {
  /** How often a move of the match has reached this player. */
  counter: number;
  awaited: { counter: number; seen(): void } | undefined;
  play(x: number, y: number): void;
  stop(): void;
}

export interface Seat {
  port: number;
  matchID: string;
  playerID: string;
  credentials: string;
}

interface State {
  G: { counter: number };
  _stateID: number;
}

export type Connect = (seat: Seat) => Player;

function see(player: Player, { G }: Pick<State, 'G'>): void {
  player.counter = G.counter;
  if (player.awaited && player.counter >= player.awaited.counter) player.awaited.seen();
}

const SOCKET = { transports: ['websocket'], forceNew: true };
const serverOf = ({ port }: Seat): string => `http://127.0.0.1:${port}`;

interface OfficialClient {
  start(): void;
  stop(): void;
  subscribe(seen: (state: State | null) => void): void;
  moves: { play(x: number, y: number): void };
}

export async function officialClients(): Promise<Connect> {
  const { Client } = require('boardgame.io/client') as { Client(options: object): OfficialClient };
  const { SocketIO } = require('boardgame.io/multiplayer') as { SocketIO(options: object): unknown };
  const { game } = (await import(new URL('boardgame-game.mjs', import.meta.url).href)) as { game: object };
  return (seat) => {
    const { matchID, playerID, credentials } = seat;
    const multiplayer = SocketIO({ server: serverOf(seat), socketOpts: SOCKET });
    const client = Client({ game, matchID, playerID, credentials, numPlayers: 2, debug: false, multiplayer });
    const play = (x: number, y: number) => client.moves.play(x, y);
    const player: Player = { counter: 0, awaited: undefined, play, stop: () => client.stop() };
    client.subscribe((state) => state && see(player, state));
    client.start();
    return player;
  };
}

interface Socket {
  on(event: 'connect', call: () => void): void;
  on(event: 'sync', call: (matchID: string, info: { state: State }) => void): void;
  on(event: 'update', call: (matchID: string, state: State) => void): void;
  emit(event: string, ...values: unknown[]): void;
  close(): void;
}

/** They keep no state and predict nothing, so that less of the machine goes to clients. */
export function bareClients(): Connect {
  const { io } = require('socket.io-client') as { io(url: string, options: object): Socket };
  return (seat) => {
    const { matchID, playerID, credentials } = seat;
    const socket = io(`${serverOf(seat)}/bench`, SOCKET);
    let stateID = 0;
    const player: Player = {
      counter: 0,
      awaited: undefined,
      play(...args) {
        const payload = { type: 'play', args, playerID, credentials };
        socket.emit('update', { type: 'MAKE_MOVE', payload }, stateID, matchID, playerID);
      },
      stop: () => socket.close(),
    };
    const take = (state: State) => {
      stateID = state._stateID;
      see(player, state);
    };
    socket.on('connect', () => socket.emit('sync', matchID, playerID, credentials, 2));
    socket.on('sync', (_matchID, { state }) => take(state));
    socket.on('update', (_matchID, state) => take(state));
    return player;
  };
}
