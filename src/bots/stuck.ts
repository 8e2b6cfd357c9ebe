/** When a position occurs for the third time, no player wants to be the one who lets the match end. */
const REPEATS = 3;
/** Longer than any match that is played seriously. */
const LONGEST = 2000;

/**
 * Some rules allow a match to go on for ever, and two bots that both prefer to wait would wait for ever. A bot that is
 * stuck acts at random, which ends every match sooner or later.
 */
export const isStuck = (timesHere: number, actions: number): boolean => timesHere >= REPEATS || actions > LONGEST;
