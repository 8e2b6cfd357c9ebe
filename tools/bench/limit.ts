/** Limits processes to a part of a core, by control groups of Linux. */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Limit {
  /** Gives each process this part of a core; 1 ends the limit. */
  set(part: number): void;
  /** To be called when the processes have ended. */
  close(): Promise<void>;
}

export const NO_LIMIT: Limit = { set() {}, close: async () => {} };

/** Short, so that a process that has used up its part waits for milliseconds and not for a tenth of a second. */
const PERIOD_US = 10_000;

/** Version 1 has a folder for each controller, version 2 has one for all. */
const VERSION_1 = '/sys/fs/cgroup/cpu';
const VERSION_2 = '/sys/fs/cgroup';

const isVersion1 = () => existsSync(join(VERSION_1, 'cgroup.procs'));

function makeGroup(name: string): string {
  const group = join(isVersion1() ? VERSION_1 : VERSION_2, `atoll-bench-${process.pid}-${name}`);
  if (!isVersion1()) writeFileSync(join(VERSION_2, 'cgroup.subtree_control'), '+cpu');
  mkdirSync(group);
  return group;
}

function setPart(group: string, part: number): void {
  const quota = Math.round(part * PERIOD_US);
  if (isVersion1()) {
    writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(join(group, 'cpu.cfs_quota_us'), part < 1 ? String(quota) : '-1');
  } else {
    writeFileSync(join(group, 'cpu.max'), `${part < 1 ? quota : 'max'} ${PERIOD_US}`);
  }
}

/** Whether this user may make control groups. */
export function canLimit(): boolean {
  try {
    const group = makeGroup('try');
    try {
      setPart(group, 0.5);
    } finally {
      rmdirSync(group);
    }
    return true;
  } catch {
    return false;
  }
}

export function openLimit(pids: readonly number[]): Limit {
  const groups = pids.map((pid) => {
    const group = makeGroup(String(pid));
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
    return group;
  });
  return {
    set(part) {
      for (const group of groups) setPart(group, part);
    },
    async close() {
      // It takes the kernel a moment to find that a group is empty.
      for (const group of groups) {
        for (let tries = 0; existsSync(group) && tries < 50; tries++) {
          try {
            rmdirSync(group);
          } catch {
            await sleep(100);
          }
        }
      }
    },
  };
}
