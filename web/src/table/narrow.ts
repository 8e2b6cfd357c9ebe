/** Choosing an action by clicking things: every click narrows the list of legal actions, in any order. */

export interface Choice {
  action: unknown;
  label: string;
  targets: readonly string[];
}

export interface Narrowed {
  /** The actions that involve everything chosen so far. */
  remaining: readonly Choice[];
  /** What can be clicked next; each leaves at least one action. */
  open: ReadonlySet<string>;
  /** What was clicked, or belongs to the action that was picked by its label. */
  chosen: ReadonlySet<string>;
  /** What follows from that, because there is nothing else left to click. */
  implied: ReadonlySet<string>;
  /** Belongs only to other actions: clicking it starts a new choice. */
  other: ReadonlySet<string>;
  /** The one action that would be submitted now. */
  action: Choice | null;
  /** The actions that can no longer be distinguished by clicking: their labels decide. */
  ask: readonly Choice[];
}

const has = (choice: Choice, targets: readonly string[]) => targets.every((target) => choice.targets.includes(target));

export function narrow(list: readonly Choice[], pointed: readonly string[], picked: Choice | null = null): Narrowed {
  const fits = list.filter((choice) => has(choice, pointed));
  const remaining = picked && fits.includes(picked) ? [picked] : fits;
  const complete = remaining.filter(({ targets }) => targets.every((target) => pointed.includes(target)));
  const [only] = remaining.length === 1 ? remaining : [];
  // If one action involves less than others (place a tile, or place and turn it), it is meant unless more is clicked.
  const meant = only ?? (complete.length === 1 && pointed.length > 0 ? complete[0] : undefined);
  const chosen = new Set(only && only === picked ? [...pointed, ...only.targets] : pointed);
  const implied = new Set(only?.targets.filter((target) => !chosen.has(target)));
  const open = new Set<string>();
  if (!only)
    for (const { targets } of remaining) for (const target of targets) if (!chosen.has(target)) open.add(target);
  const other = new Set<string>();
  for (const { targets } of list) {
    for (const target of targets)
      if (!chosen.has(target) && !open.has(target) && !implied.has(target)) other.add(target);
  }
  const ask = complete.length > 1 && pointed.length > 0 ? complete : [];
  return { remaining, open, chosen, implied, other, action: meant ?? null, ask };
}

/** What is chosen after a click on a target: added, taken back, or the start of another choice. */
export function point(list: readonly Choice[], pointed: readonly string[], target: string): string[] {
  if (pointed.includes(target)) return pointed.filter((one) => one !== target);
  const { open, implied } = narrow(list, pointed);
  if (open.has(target) || implied.has(target)) return [...pointed, target];
  let kept = [target];
  for (const one of pointed) if (list.some((choice) => has(choice, [...kept, one]))) kept = [...kept, one];
  return kept;
}
