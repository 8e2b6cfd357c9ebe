import type { Seat, Tell } from '../game.ts';
import type { ActionOf } from './actions.ts';
import { CACAO_SPACES, JUNGLE_TILE_NAMES, JUNGLE_TILES, SIDES, SUN_SPACES, WATER_TRACK } from './data.ts';
import type { Effect } from './effects.ts';
import type { Edge, State, Village } from './state.ts';
import { type Cell, cellAt, colOf, jungleOn, type Kind, NEIGHBOURS, NONE, opposite, rowOf, sidesOf } from './table.ts';

const isPlantation = JUNGLE_TILES.map(({ use }) => use === 'plantation');
const atPlantation = (edge: Edge): boolean => isPlantation[edge.kind]!;
const yieldOf = (edge: Edge): number => edge.workers * JUNGLE_TILES[edge.kind]!.value;

/** Activates the workers of the tile just laid, and those of older tiles of any seat that face a cell just filled. */
export function activate(state: State, tell?: Tell<Effect>): void {
  const { table, last, filled } = state;
  for (let side = 0; side < 4; side++) {
    const kind = jungleOn(table, last + NEIGHBOURS[side]!);
    if (kind !== NONE) activateSide(state, last, side, kind, tell);
  }
  for (const cell of filled) {
    const kind = jungleOn(table, cell);
    for (let side = 0; side < 4; side++) {
      const beside = cell + NEIGHBOURS[side]!;
      if (beside !== last) activateSide(state, beside, opposite(side), kind, tell);
    }
  }
  state.villages.forEach((village, seat) => {
    settle(village, seat, tell);
  });
}

function activateSide({ table, villages }: State, cell: Cell, side: number, kind: Kind, tell?: Tell<Effect>): void {
  const at = table.workers.cells.indexOf(cell);
  if (at < 0) return;
  const workers = sidesOf(table.workers.faces[at]!)[side]!;
  const seat = table.workers.seats[at]!;
  if (workers > 0) begin(villages[seat]!, seat, { cell, side, workers, kind }, tell);
}

/** How effects identify an edge. */
const named = (seat: Seat, { cell, side, workers, kind }: Edge) => ({
  seat,
  row: rowOf(cell),
  col: colOf(cell),
  side: SIDES[side]!,
  workers,
  tile: JUNGLE_TILE_NAMES[kind]!,
});

/**
 * Mines, water and sun sites are used in full at once, because declining them can never help (R9). The other edges wait
 * for a decision.
 */
function begin(village: Village, seat: Seat, edge: Edge, tell?: Tell<Effect>): void {
  const { use, value } = JUNGLE_TILES[edge.kind]!;
  const { workers } = edge;
  if (use === 'gold_mine') {
    village.gold += workers * value;
    tell?.({ type: 'mined', ...named(seat, edge), gold: workers * value });
  } else if (use === 'water') {
    const steps = Math.min(workers, WATER_TRACK.length - 1 - village.water);
    village.water += steps;
    tell?.({ type: 'carried', ...named(seat, edge), steps, lost: workers - steps });
  } else if (use === 'sun_site') {
    const tokens = Math.min(workers, SUN_SPACES - village.sun);
    village.sun += tokens;
    tell?.({ type: 'worshipped', ...named(seat, edge), tokens, lost: workers - tokens });
  } else if (use !== 'temple') village.edges.push(edge);
}

/**
 * Resolves the edges that leave no choice. The order of harvests and sales matters only where cacao could be sold and
 * could be lost for want of space; with an empty storage and a single harvest, that harvest has to come first.
 */
export function settle(village: Village, seat: Seat, tell?: Tell<Effect>): void {
  if (village.edges.length === 0) return;
  let harvests = 0;
  let crop = 0;
  for (const edge of village.edges) {
    if (!atPlantation(edge)) continue;
    harvests++;
    crop += yieldOf(edge);
  }
  const noMarket = harvests === village.edges.length;
  const allFits = village.cacao + crop <= CACAO_SPACES;
  if (noMarket || allFits || (village.cacao === 0 && harvests === 1)) {
    for (const edge of village.edges) if (atPlantation(edge)) harvest(village, seat, edge, tell);
    village.edges = village.edges.filter((edge) => !atPlantation(edge));
    harvests = 0;
  }
  if (village.cacao > 0 || harvests > 0) return;
  if (tell) for (const edge of village.edges) tell({ type: 'soldNothing', ...named(seat, edge) });
  village.edges = [];
}

/** What does not fit into the storage is lost. */
function harvest(village: Village, seat: Seat, edge: Edge, tell?: Tell<Effect>): void {
  const crop = yieldOf(edge);
  const cacao = Math.min(crop, CACAO_SPACES - village.cacao);
  village.cacao += cacao;
  tell?.({ type: 'harvested', ...named(seat, edge), cacao, lost: crop - cacao });
}

/** What a seat may decide about its edges. */
export function listWork({ edges, cacao }: Village): ActionOf<'harvest' | 'sell'>[] {
  const actions: ActionOf<'harvest' | 'sell'>[] = [];
  for (const edge of edges) {
    const row = rowOf(edge.cell);
    const col = colOf(edge.cell);
    const side = SIDES[edge.side]!;
    if (isPlantation[edge.kind]) actions.push({ type: 'harvest', row, col, side });
    // With an empty storage there is nothing to decide at a market before the harvest.
    else if (cacao > 0) {
      const most = Math.min(edge.workers, cacao);
      for (let count = 0; count <= most; count++) actions.push({ type: 'sell', row, col, side, count });
    }
  }
  return actions;
}

/** Does what was decided, and then what follows from it without a choice. */
export function doWork(village: Village, seat: Seat, work: ActionOf<'harvest' | 'sell'>, tell?: Tell<Effect>): void {
  const cell = cellAt(work.row, work.col);
  const side = SIDES.indexOf(work.side);
  const at = village.edges.findIndex((edge) => edge.cell === cell && edge.side === side);
  const [edge] = village.edges.splice(at, 1);
  if (work.type === 'harvest') {
    harvest(village, seat, edge!);
  } else {
    village.cacao -= work.count;
    village.gold += work.count * JUNGLE_TILES[edge!.kind]!.value;
  }
  settle(village, seat, tell);
}
