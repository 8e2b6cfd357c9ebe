import { CACAO_SPACES, JUNGLE_TILES, SUN_SPACES, WATER_TRACK } from './data.ts';
import type { Edge, State, Village } from './state.ts';
import { type Cell, jungleOn, type Kind, NEIGHBOURS, NONE, opposite, sidesOf } from './table.ts';

const isPlantation = JUNGLE_TILES.map(({ use }) => use === 'plantation');
export const atPlantation = (edge: Edge): boolean => isPlantation[edge.kind]!;
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

/** Surplus is lost. */
export function harvest(village: Village, edge: Edge): void {
  village.cacao = Math.min(village.cacao + yieldOf(edge), CACAO_SPACES);
}

export function sell(village: Village, edge: Edge, count: number): void {
  village.cacao -= count;
  village.gold += count * JUNGLE_TILES[edge.kind]!.value;
}
