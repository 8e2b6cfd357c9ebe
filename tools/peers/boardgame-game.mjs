/**
 * Two players take turns. A move increments a counter and appends to a list of 50 entries, so that a state is about as
 * large as one of ours.
 */
const entry = (i, player) => ({ i, player, x: i % 19, y: (i * 7) % 19, piece: 'knight' });

export const game = {
  name: 'bench',
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ counter: 50, list: Array.from({ length: 50 }, (_, i) => entry(i, String(i % 2))) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID }, x, y) => {
      if (!(x >= 0 && x < 19 && y >= 0 && y < 19)) return 'INVALID_MOVE';
      G.counter++;
      G.list.push(entry(G.counter, playerID));
      if (G.list.length > 50) G.list.shift();
    },
  },
};
