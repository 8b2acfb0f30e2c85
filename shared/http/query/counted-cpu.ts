/** Does work and tells its CPU time, in ms, up to where it first waits for something; also of work that fails. */
export function counted<T>(onCpu: (cpuMs: number) => void, work: () => T): T {
  const before = process.threadCpuUsage();
  try {
    return work();
  } finally {
    const { user, system } = process.threadCpuUsage(before);
    onCpu((user + system) / 1_000);
  }
}
