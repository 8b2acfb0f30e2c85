/** Sees to it that of several rounds of warming that overlap one does the work. */
export interface WarmingLocks {
  /**
   * Takes the lock of an endpoint for at most so many milliseconds, after which it is free by itself. Null when another
   * round has it; else a function that frees it. Neither throws.
   */
  acquire(endpointId: string, durationMs: number): Promise<(() => Promise<void>) | null>;
}

/** Locks within this process. */
export function memoryLocks(): WarmingLocks {
  const taken = new Set<string>();
  return {
    async acquire(endpointId) {
      if (taken.has(endpointId)) return null;
      taken.add(endpointId);
      return async () => void taken.delete(endpointId);
    },
  };
}
