import type { DuckDBConnection } from '@duckdb/node-api';
import { listValue } from '@duckdb/node-api';
import { hashOfNumber, type IdHash, idHash, SeenIds } from './seen-ids.ts';

/** Asks the engine that queries use, over all entries of a source that can be seen; `relation` is where they are. */
export type AskEntries = <T>(
  source: string,
  work: (connection: DuckDBConnection, relation: string) => Promise<T>,
) => Promise<T>;

/** Knows which ids the entries of the sources have. */
export class KnownIds {
  readonly #ask: AskEntries;
  readonly #seen = new Map<string, SeenIds>();
  /** Ids of entries that queries do not see yet, by source, with the promise that they will. */
  readonly #recent = new Map<string, Map<string, Promise<void>>>();

  constructor(ask: AskEntries) {
    this.#ask = ask;
  }

  /** Which of these ids no entry has, with their hashes. The others are durable when `others` resolves. */
  async newIds(
    source: string,
    ids: Iterable<string>,
  ): Promise<{ readonly fresh: ReadonlyMap<string, IdHash>; readonly others: Promise<unknown> }> {
    const seen = this.#seen.get(source) ?? (await this.#readAll(source));
    const recent = this.#recent.get(source);
    const fresh = new Map<string, IdHash>();
    const doubtful = new Map<string, IdHash>();
    const pending = new Set<Promise<void>>();
    for (const id of ids) {
      const durable = recent?.get(id);
      if (durable !== undefined) {
        pending.add(durable);
        continue;
      }
      const hash = idHash(id);
      if (seen.mayHave(hash)) doubtful.set(id, hash);
      else fresh.set(id, hash);
    }
    if (doubtful.size > 0) {
      const stored = await this.#stored(source, [...doubtful.keys()]);
      for (const [id, hash] of doubtful) if (!stored.has(id)) fresh.set(id, hash);
    }
    return { fresh, others: Promise.all(pending) };
  }

  /** Remembers ids of entries that are stored when `durable` resolves, and are not when it throws. */
  add(source: string, ids: ReadonlyMap<string, IdHash>, durable: Promise<void>): void {
    const recent = this.#recent.get(source) ?? new Map<string, Promise<void>>();
    this.#recent.set(source, recent);
    const seen = this.#seen.get(source);
    for (const [id, hash] of ids) {
      recent.set(id, durable);
      seen?.add(hash);
    }
    const forget = () => {
      for (const id of ids.keys()) if (recent.get(id) === durable) recent.delete(id);
    };
    durable.then(forget, forget);
  }

  async #readAll(source: string): Promise<SeenIds> {
    const seen = await this.#ask(source, async (connection, relation) => {
      const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${relation}`);
      const made = new SeenIds(Number(counted.getRowsJS()[0]?.[0] ?? 0) * 2);
      const hashes = await connection.stream(
        `SELECT md5_number_lower("id") FROM ${relation} WHERE "id" IS NOT NULL`,
      );
      for (;;) {
        const chunk = await hashes.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) break;
        for (const hash of chunk.getColumnValues(0)) made.add(hashOfNumber(hash as bigint));
      }
      return made;
    });
    this.#seen.set(source, seen);
    return seen;
  }

  #stored(source: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#ask(source, async (connection, relation) => {
      const reader = await connection.runAndReadAll(
        `SELECT DISTINCT "id" FROM ${relation} WHERE "id" IN (SELECT unnest($1::VARCHAR[]))`,
        [listValue([...ids])],
      );
      return new Set(reader.getRowsJS().map(([id]) => String(id)));
    });
  }
}
