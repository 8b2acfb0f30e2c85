import { judge } from './judge.ts';
import { Probe } from './probe.ts';

/** A query is given up after so much CPU time, in ms. */
const MAX_CPU_MS = 6_000;
/** An error's message is short however long the values are. */
const MAX_MESSAGE_LENGTH = 1_000;

/** Holds queries to linear time, in an engine of its own; `close` ends that. */
export class Bench {
  readonly #probe = new Probe(MAX_CPU_MS);

  /** What is wrong with the queries at a size, each with its text; empty where all are good. */
  async faultsOf(queries: readonly ((size: number) => string)[], size: number): Promise<string[]> {
    const faults: string[] = [];
    for (const query of queries) {
      const { fault, message } = await judge(this.#probe, query, size);
      if (fault !== null) faults.push(`${query(size)}: ${fault}`);
      if (message.length > MAX_MESSAGE_LENGTH)
        faults.push(`${query(size)}: a message of ${message.length} characters`);
    }
    return faults;
  }

  close(): void {
    this.#probe.close();
  }
}
