/** Names what keeps files from being read: each once for as long as it lasts. */
export interface FaultReports {
  /** What is at fault now, by path. What was gone and is back is named again. */
  update(faults: ReadonlyMap<string, string>): void;
}

/**
 * A fault is named when it is seen for the second time: a file may go while its folder is listed. Those in `named`, by
 * their path and message, are known already.
 */
export function faultReports(
  warn: (message: string) => void,
  named: ReadonlyMap<string, string> = new Map(),
): FaultReports {
  let last = new Map([...named].map(([path, message]) => [path, { message, isNamed: true }]));
  return {
    update: (faults) => {
      const now = new Map<string, { message: string; isNamed: boolean }>();
      for (const [path, message] of faults) {
        const before = last.get(path);
        const isSame = before?.message === message;
        if (isSame && !before.isNamed) warn(message);
        now.set(path, { message, isNamed: isSame });
      }
      last = now;
    },
  };
}
