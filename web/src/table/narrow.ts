/** Choosing an action by pointing at things: every click narrows the list of legal actions, in any order. */

export interface Choice {
  action: unknown;
  label: string;
  targets: readonly string[];
}

export interface Narrowed {
  /** The actions that are about everything chosen so far. */
  remaining: readonly Choice[];
  /** What can be pointed at next; each leaves at least one action. */
  open: ReadonlySet<string>;
  /** What was pointed at, or belongs to the action that was picked by its label. */
  chosen: ReadonlySet<string>;
  /** What follows from that: there is nothing else left to point at. */
  implied: ReadonlySet<string>;
  /** Belongs to other actions than those that remain: pointing at it begins anew with it. */
  other: ReadonlySet<string>;
  /** The one action that would be submitted now. */
  action: Choice | null;
  /** The actions that pointing cannot tell apart any more: their labels decide. */
  ask: readonly Choice[];
}

const has = (choice: Choice, targets: readonly string[]) => targets.every((target) => choice.targets.includes(target));

export function narrow(list: readonly Choice[], pointed: readonly string[], picked: Choice | null = null): Narrowed {
  const fits = list.filter((choice) => has(choice, pointed));
  const remaining = picked && fits.includes(picked) ? [picked] : fits;
  const complete = remaining.filter(({ targets }) => targets.every((target) => pointed.includes(target)));
  const [only] = remaining.length === 1 ? remaining : [];
  // An action that is about less than others (place a tile, or place it and turn it) is meant unless more is pointed at.
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

/** What is pointed at after a click on a target: added, taken back, or the beginning of another choice. */
export function point(list: readonly Choice[], pointed: readonly string[], target: string): string[] {
  if (pointed.includes(target)) return pointed.filter((one) => one !== target);
  const { open, implied } = narrow(list, pointed);
  if (open.has(target) || implied.has(target)) return [...pointed, target];
  let kept = [target];
  for (const one of pointed) if (list.some((choice) => has(choice, [...kept, one]))) kept = [...kept, one];
  return kept;
}
