/** Measures processor time and memory over a period, where the system provides them (Linux). */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

function statOf(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return []; // the process has ended, or this system has no /proc
  }
}

/** The direct children of a process: PostgreSQL's backends, a server's workers. */
export function childrenOf(pid: number): number[] {
  try {
    const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return all.map(Number).filter((other) => Number(statOf(other)[1]) === pid);
  } catch {
    return [];
  }
}

const family = (pid: number): number[] => [pid, ...childrenOf(pid)];

function secondsOf(pid: number): number {
  const fields = statOf(pid);
  return fields.length === 0 ? 0 : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function machineSeconds(): number {
  try {
    const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]?.trim().split(/\s+/).slice(1, 9) ?? [];
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = fields.map(Number);
    return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

const rounded = (n: number) => Math.round(n * 100) / 100;

/** Cores in use by each group of processes since it was called, and by everything else on the machine. */
export function meter(groups: Record<string, number>): () => Record<string, number> {
  const roots = new Set(Object.values(groups));
  // The driver has started the server: a child that has its own group is not counted twice.
  const members = (root: number) => family(root).filter((pid) => pid === root || !roots.has(pid));
  const snapshot = () =>
    Object.entries(groups).map(([name, root]) => {
      return { name, seconds: new Map(members(root).map((pid) => [pid, secondsOf(pid)])) };
    });
  const started = performance.now();
  const machine = machineSeconds();
  const before = snapshot();
  return () => {
    const elapsed = (performance.now() - started) / 1000;
    const cores: Record<string, number> = {};
    let ours = 0;
    for (const [i, { name, seconds }] of snapshot().entries()) {
      let used = 0;
      for (const [pid, now] of seconds) used += now - (before[i]?.seconds.get(pid) ?? 0);
      cores[name] = rounded(used / elapsed);
      ours += used;
    }
    cores.others = rounded((machineSeconds() - machine - ours) / elapsed);
    return cores;
  };
}

/** Resident memory of a process and its children, in megabytes. */
export function residentMb(pid: number): number {
  let kilobytes = 0;
  for (const member of family(pid)) {
    try {
      kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${member}/status`, 'utf8'))?.[1] ?? 0);
    } catch {} // the process has ended, or this system has no /proc
  }
  return Math.round(kilobytes / 1024);
}
