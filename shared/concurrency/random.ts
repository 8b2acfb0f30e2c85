import { randomUUID } from 'node:crypto';

/** Chance, as a process draws it. */
export interface Random {
  /** A number that is at least 0 and less than 1. */
  fraction(): number;
  /** A UUID that no other process draws. */
  id(): string;
}

/** The machine's own chance. */
export const systemRandom: Random = { fraction: Math.random, id: randomUUID };
