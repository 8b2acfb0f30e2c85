import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** The highest niceness that there is, on Linux. */
const MOST = 19;

/**
 * By how much a query process is nicer than the service, which answers first; then come queries that have just begun, then
 * those that go on and on. What is short stays so beside what is long.
 */
const NICENESS = { usual: 5, low: MOST } as const;

/** Gives all threads of a process a niceness; false where the system does not allow it or the process is gone. */
export function setNiceness(pid: number, niceness: keyof typeof NICENESS): boolean {
  try {
    const value = Math.min(MOST, getPriority() + NICENESS[niceness]);
    for (const thread of threadsOf(pid)) setPriority(thread, value);
    return true;
  } catch {
    return false;
  }
}

/** On Linux a thread has its own niceness; elsewhere a process has one. */
function threadsOf(pid: number): readonly number[] {
  if (process.platform !== 'linux') return [pid];
  return readdirSync(`/proc/${pid}/task`).map(Number);
}
