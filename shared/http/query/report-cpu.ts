/** Does work and reports its CPU time, in ms, until it first waits; for work that fails as well. */
export function reportCpu<T>(onCpu: (cpuMs: number) => void, work: () => T): T {
  const before = process.threadCpuUsage();
  try {
    return work();
  } finally {
    const { user, system } = process.threadCpuUsage(before);
    onCpu((user + system) / 1_000);
  }
}
