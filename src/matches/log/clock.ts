/** Thinking time. It follows from the log alone, which tells who could act from when until when. */
import { isBot } from '../../players/bot-accounts.ts';
import type { Clock, Clocks, Match, Outage } from './records.ts';

type Clocked = Pick<
  Match,
  'clock' | 'clocks' | 'seats' | 'acting' | 'status' | 'seatCount' | 'outages' | 'state' | 'engine'
>;

export const firstClocks = (clock: Clock | null, seats: number): Clocks | null =>
  clock && { bank: new Array(seats).fill(clock.bankSeconds * 1000), since: new Array(seats).fill(null) };

/** Milliseconds between two instants, not counting the time in which no server was up. */
function spent(outages: readonly Outage[], from: number, to: number): number {
  let out = to - from;
  for (const outage of outages) {
    out -= Math.max(0, Math.min(to, outage.to.getTime()) - Math.max(from, outage.from.getTime()));
  }
  return Math.max(0, out);
}

/**
 * The clocks after an event: those of seats that may act run, the others stand still, and a finished turn earns time.
 */
export function tick(before: Clocked, after: Clocked, at: Date): Clocks | null {
  const { clock, clocks, outages } = before;
  if (!clock || !clocks) return null;
  const now = at.getTime();
  // A seat that could act before and after may still have begun a new turn, for example when a round in which all seats
  // act at once is over.
  const newTurn = epochOf(after) > epochOf(before);
  const bank = [...clocks.bank];
  const since = [...clocks.since];
  for (let seat = 0; seat < before.seatCount; seat++) {
    // A player who takes over a vacant seat begins with a full bank.
    if (isBot(before.seats[seat]) && !isBot(after.seats[seat])) bank[seat] = clock.bankSeconds * 1000;
    const runs = after.status === 'ACTIVE' && after.acting.includes(seat) && !isBot(after.seats[seat]);
    const from = since[seat] ?? null;
    if (from !== null && (!runs || newTurn)) {
      const left = (bank[seat] as number) - spent(outages, from, now) + clock.incrementSeconds * 1000;
      bank[seat] = Math.max(0, Math.min(clock.capSeconds * 1000, left));
      since[seat] = null;
    }
    if (runs) since[seat] ??= now;
  }
  return { bank, since };
}

const epochOf = ({ state, engine }: Clocked): number => (state ? engine.epoch(state) : 0);

/** When the time of each seat runs out if it goes on thinking; null where the clock stands still. */
export function deadlines({
  clocks,
  seatCount,
  outages,
}: Pick<Clocked, 'clocks' | 'seatCount' | 'outages'>): (Date | null)[] {
  if (!clocks) return new Array(seatCount).fill(null);
  return Array.from({ length: seatCount }, (_, seat) => {
    const from = clocks.since[seat] ?? null;
    if (from === null) return null;
    let until = from + (clocks.bank[seat] as number);
    for (const outage of outages) {
      const cut = Math.max(from, outage.from.getTime());
      if (cut < until && outage.to.getTime() > cut) until += outage.to.getTime() - cut;
    }
    return new Date(until);
  });
}

/** The earliest deadline of a match: the sweep looks for those that have passed. */
export function firstDeadline(match: Clocked): Date | null {
  if (!match.clocks) return null;
  const running = deadlines(match).filter((at) => at !== null);
  return running.length > 0 ? new Date(Math.min(...running.map(Number))) : null;
}
