import type { ActionOf } from './actions.ts';
import { CACAO_SPACES, JUNGLE_TILES, SIDES, SUN_SPACES, WATER_TRACK } from './data.ts';
import type { Edge, State, Village } from './state.ts';
import { type Cell, cellAt, colOf, jungleOn, type Kind, NEIGHBOURS, NONE, opposite, rowOf, sidesOf } from './table.ts';

const isPlantation = JUNGLE_TILES.map(({ use }) => use === 'plantation');
const atPlantation = (edge: Edge): boolean => isPlantation[edge.kind]!;
const yieldOf = (edge: Edge): number => edge.workers * JUNGLE_TILES[edge.kind]!.value;

/** The workers of the tile just laid, and those of older tiles of any seat that face a cell just filled. */
export function activate(state: State): void {
  const { table, last, filled } = state;
  for (let side = 0; side < 4; side++) {
    const kind = jungleOn(table, last + NEIGHBOURS[side]!);
    if (kind !== NONE) activateSide(state, last, side, kind);
  }
  for (const cell of filled) {
    const kind = jungleOn(table, cell);
    for (let side = 0; side < 4; side++) {
      const beside = cell + NEIGHBOURS[side]!;
      if (beside !== last) activateSide(state, beside, opposite(side), kind);
    }
  }
  for (const village of state.villages) settle(village);
}

function activateSide({ table, villages }: State, cell: Cell, side: number, kind: Kind): void {
  const at = table.workers.cells.indexOf(cell);
  if (at < 0) return;
  const workers = sidesOf(table.workers.faces[at]!)[side]!;
  if (workers > 0) begin(villages[table.workers.seats[at]!]!, { cell, side, workers, kind });
}

/** Mines, water and sun sites are used in full at once: to decline them can never help. The rest waits for its order. */
function begin(village: Village, edge: Edge): void {
  const { use, value } = JUNGLE_TILES[edge.kind]!;
  if (use === 'gold_mine') village.gold += edge.workers * value;
  else if (use === 'water') village.water = Math.min(village.water + edge.workers, WATER_TRACK.length - 1);
  else if (use === 'sun_site') village.sun = Math.min(village.sun + edge.workers, SUN_SPACES);
  else if (use !== 'temple') village.edges.push(edge);
}

/**
 * Resolves the edges that leave no choice. The order of harvests and sales matters only where cacao could be sold and
 * could be lost for want of space; with an empty storage and a single harvest, that harvest has to come first.
 */
export function settle(village: Village): void {
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
    village.cacao = Math.min(village.cacao + crop, CACAO_SPACES);
    village.edges = village.edges.filter((edge) => !atPlantation(edge));
    harvests = 0;
  }
  if (village.cacao === 0 && harvests === 0) village.edges = [];
}

/** What a seat may decide about its edges. */
export function listWork({ edges, cacao }: Village): ActionOf<'harvest' | 'sell'>[] {
  const actions: ActionOf<'harvest' | 'sell'>[] = [];
  for (const edge of edges) {
    const row = rowOf(edge.cell);
    const col = colOf(edge.cell);
    const side = SIDES[edge.side]!;
    if (isPlantation[edge.kind]) actions.push({ type: 'harvest', row, col, side });
    // With nothing in stock a market waits for the harvest: to sell nothing now is to sell nothing later.
    else if (cacao > 0) {
      const most = Math.min(edge.workers, cacao);
      for (let count = 0; count <= most; count++) actions.push({ type: 'sell', row, col, side, count });
    }
  }
  return actions;
}

export function doWork(village: Village, work: ActionOf<'harvest' | 'sell'>): void {
  const cell = cellAt(work.row, work.col);
  const side = SIDES.indexOf(work.side);
  const at = village.edges.findIndex((edge) => edge.cell === cell && edge.side === side);
  const [edge] = village.edges.splice(at, 1);
  if (work.type === 'harvest') {
    village.cacao = Math.min(village.cacao + yieldOf(edge!), CACAO_SPACES); // surplus is lost
  } else {
    village.cacao -= work.count;
    village.gold += work.count * JUNGLE_TILES[edge!.kind]!.value;
  }
  settle(village);
}
