import { type Board, type Link, MAX_BRIDGES_PER_ISLAND, MAX_BRIDGES_PER_LINK } from './data.ts';
import type { Sheet } from './state.ts';

/** By island: how many more bridges may reach it. A blank island takes 6, because no card shows a higher number. */
export function roomOf(board: Board, sheet: Sheet): number[] {
  const room = sheet.numbers.slice();
  for (let island = 0; island < room.length; island++) room[island] ||= MAX_BRIDGES_PER_ISLAND;
  for (const { id, a, b } of board.links) {
    const count = sheet.bridges[id]!;
    room[a]! -= count;
    room[b]! -= count;
  }
  return room;
}

/** The islands on which this number may be written, whether or not it can ever be completed there. */
export function writable(board: Board, sheet: Sheet, number: number): number[] {
  const room = roomOf(board, sheet);
  const out: number[] = [];
  for (const { id, flag } of board.islands) {
    if (sheet.numbers[id] !== 0) continue;
    const reached = MAX_BRIDGES_PER_ISLAND - room[id]!;
    if (number >= reached && (flag === null || reached > 0)) out.push(id);
  }
  return out;
}

/** The links on which a bridge can be drawn now such that `count` bridges in all can still be drawn. */
export function drawable(board: Board, sheet: Sheet, count: number): number[] {
  const draft = { board, numbers: sheet.numbers, bridges: sheet.bridges.slice(), room: roomOf(board, sheet) };
  const out: number[] = [];
  for (const link of board.links) {
    if (!fits(draft, link)) continue;
    if (count === 1 || completes(draft, link, count, 0)) out.push(link.id);
  }
  return out;
}

/** A sheet on which bridges are tried out. */
interface Draft {
  readonly board: Board;
  readonly numbers: readonly number[];
  readonly bridges: number[];
  readonly room: number[];
}

function fits({ numbers, bridges, room }: Draft, { id, a, b, crosses }: Link): boolean {
  if (room[a]! <= 0 || room[b]! <= 0 || bridges[id]! >= MAX_BRIDGES_PER_LINK) return false;
  if (numbers[a] === 0 && numbers[b] === 0) return false;
  for (const other of crosses) if (bridges[other]! > 0) return false;
  return true;
}

/** Whether, with a bridge on this link, the rest of `count` bridges fits on the links from index `from` on. */
function completes(draft: Draft, link: Link, count: number, from: number): boolean {
  put(draft, link, 1);
  const found = findsRoom(draft, count - 1, from);
  put(draft, link, -1);
  return found;
}

/** All limits are upper bounds, so the order of bridges does not matter and the search tries each set once. */
function findsRoom(draft: Draft, count: number, from: number): boolean {
  const { links } = draft.board;
  for (let i = from; i < links.length; i++) {
    if (!fits(draft, links[i]!)) continue;
    if (count === 1 || completes(draft, links[i]!, count, i)) return true;
  }
  return false;
}

function put({ bridges, room }: Draft, { id, a, b }: Link, count: number): void {
  bridges[id]! += count;
  room[a]! -= count;
  room[b]! -= count;
}

/** By island: numbered and reached by exactly as many bridges. */
export function finishedOn(board: Board, sheet: Sheet): boolean[] {
  return roomOf(board, sheet).map((room, island) => room === 0 && sheet.numbers[island] !== 0);
}

/** The size of the largest group of finished islands that bridges join without an unfinished island in between. */
export function longestChain(board: Board, sheet: Pick<Sheet, 'bridges'>, finished: readonly boolean[]): number {
  const group = finished.map((_, island) => island);
  const size = finished.map((done) => (done ? 1 : 0));
  const rootOf = (island: number): number => (group[island] === island ? island : rootOf(group[island]!));
  for (const { id, a, b } of board.links) {
    if (sheet.bridges[id] === 0 || !finished[a] || !finished[b]) continue;
    const [x, y] = [rootOf(a), rootOf(b)];
    if (x === y) continue;
    group[y] = x;
    size[x]! += size[y]!;
  }
  return Math.max(...size);
}
