/** Whether a process of this machine runs, whoever's it is. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives and is another user's.
    const isUnknown =
      typeof error === 'object' && error !== null && 'code' in error && error.code === 'ESRCH';
    return !isUnknown;
  }
}
