import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import * as z from 'zod';
import { isAlive } from '../concurrency/is-alive.ts';

/** Who holds a lock, as its file says. */
const lockHolder = z.strictObject({
  pid: z.int().min(1),
  /** When that process was started, in the words of its system; null where that does not say. */
  started: z.string().nullable(),
  /** Where the pid means something: a machine, and on it a namespace of processes. */
  place: z.string(),
  /** Of this very lock. */
  nonce: z.string(),
});

/** The process that holds a lock. */
export type LockHolder = z.infer<typeof lockHolder>;

/** This process as the holder of a lock. */
export async function currentHolder(nonce: string): Promise<LockHolder> {
  return { pid: process.pid, started: await startOf(process.pid), place: await currentPlace(), nonce };
}

/** The holder that the text of a lock file names; null for text that names none, such as that of earlier versions. */
export function parseHolder(text: string): LockHolder | null {
  try {
    return lockHolder.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Whether the holder has certainly ended: its pid is free, or another process has it by now. A holder elsewhere may
 * run.
 */
export async function isDead({ pid, started, place }: LockHolder): Promise<boolean> {
  if (place !== (await currentPlace())) return false;
  if (!isAlive(pid)) return true;
  const current = await startOf(pid);
  return started !== null && current !== null && current !== started;
}

/** Containers may share a folder and a machine, and count their processes by themselves. */
async function currentPlace(): Promise<string> {
  const machine = await readFile('/etc/machine-id', 'utf8').catch(() => '');
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return [hostname(), machine.trim(), namespace].join(' ');
}

/**
 * When a process was started: on Linux ticks since a boot, elsewhere what ps says; null where neither says it. A process
 * that has ended and that its parent has not looked at yet has another start than any.
 */
async function startOf(pid: number): Promise<string | null> {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    // The command's name, which may hold anything, ends at the last parenthesis; fields 3 and 22 are state and start (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, ticks] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X') return 'ended';
    return ticks === undefined ? null : `${boot.trim()} ${ticks}`;
  } catch {
    return psStart(pid);
  }
}

async function psStart(pid: number): Promise<string | null> {
  try {
    const options = { timeout: 2_000, env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin' } };
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], options);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}
