import { rm } from 'node:fs/promises';

interface Removal {
  /** Views up to this version may read the file. */
  readonly version: number;
  readonly path: string;
}

/** Removes files when nothing that was begun before can read them any more. */
export class FileLeases {
  readonly #warn: (message: string) => void;
  /** How many hold a view of each version. */
  readonly #held = new Map<number, number>();
  #removals: readonly Removal[] = [];

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** Holds the files of a version until the function that it answers is called. */
  acquire(version: number): () => void {
    this.#held.set(version, (this.#held.get(version) ?? 0) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const left = (this.#held.get(version) ?? 1) - 1;
      if (left > 0) this.#held.set(version, left);
      else this.#held.delete(version);
      this.#removeFree();
    };
  }

  /** Removes a file when no view of this version or an earlier one is held. */
  removeAfter(version: number, path: string): void {
    this.#removals = [...this.#removals, { version, path }];
    this.#removeFree();
  }

  #removeFree(): void {
    if (this.#removals.length === 0) return;
    const oldest = Math.min(...this.#held.keys(), Number.POSITIVE_INFINITY);
    const free = this.#removals.filter(({ version }) => version < oldest);
    this.#removals = this.#removals.filter(({ version }) => version >= oldest);
    for (const { path } of free) {
      rm(path, { force: true }).catch((error: NodeJS.ErrnoException) => {
        // The next start removes what no manifest names.
        this.#warn(`${path} could not be removed (${error.code})`);
      });
    }
  }
}
