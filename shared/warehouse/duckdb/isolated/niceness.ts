import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;

/**
 * The service answers first, then come queries that have just begun, then those that go on and on: what is short stays
 * so beside what is long.
 */
export const NICENESS = { usual: PRIORITY_BELOW_NORMAL / 2, low: PRIORITY_LOW } as const;

/** Gives all threads of a process a niceness; false where the system does not allow it or the process is gone. */
export function setNiceness(pid: number, niceness: number): boolean {
  try {
    for (const thread of threadsOf(pid)) setPriority(thread, niceness);
    return true;
  } catch {
    return false;
  }
}

/** On Linux a thread has a niceness of its own; elsewhere a process has one. */
function threadsOf(pid: number): readonly number[] {
  if (process.platform !== 'linux') return [pid];
  return readdirSync(`/proc/${pid}/task`).map(Number);
}
