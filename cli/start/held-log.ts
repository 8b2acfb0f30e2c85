/** The log of a service that starts: its lines wait until people have read how to call it. */
export interface HeldLog {
  write(line: string): void;
  /** Writes what has waited; from now on lines are written at once. */
  release(): void;
}

/** No one else's requests, such as those of a page that is still open, come above the welcome. */
export function heldLog(write: (line: string) => void): HeldLog {
  let held: string[] | null = [];
  return {
    write: (line) => {
      if (held === null) write(line);
      else held.push(line);
    },
    release: () => {
      for (const line of held ?? []) write(line);
      held = null;
    },
  };
}
