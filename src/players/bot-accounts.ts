/** The server's own bots. Each level has one account in every database, which may sit at many tables at once. */
import type { Player } from './player.ts';

export type BotLevel = 'EASY' | 'MEDIUM' | 'HARD';

const bot = (id: string, name: string): Player => ({ id, name, kind: 'BOT', tag: null });

/** The same rows as in the first migration. */
export const BOTS: Readonly<Record<BotLevel, Player>> = {
  EASY: bot('00000000-0000-7000-8000-000000000001', 'Easy bot'),
  MEDIUM: bot('00000000-0000-7000-8000-000000000002', 'Medium bot'),
  HARD: bot('00000000-0000-7000-8000-000000000003', 'Hard bot'),
};

export const BOT_NAMES: readonly string[] = Object.values(BOTS).map(({ name }) => name);

export const BOT_IDS: readonly string[] = Object.values(BOTS).map(({ id }) => id);

/** The bot that plays on for a player who has left. */
export const STAND_IN = BOTS.MEDIUM;

export const isBot = (playerId: string | null | undefined): boolean => playerId != null && BOT_IDS.includes(playerId);

export const levelOf = (playerId: string): BotLevel | undefined =>
  (Object.keys(BOTS) as BotLevel[]).find((level) => BOTS[level].id === playerId);
