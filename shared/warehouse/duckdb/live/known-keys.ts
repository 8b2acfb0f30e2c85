import type { DuckDBConnection } from '@duckdb/node-api';
import { listValue } from '@duckdb/node-api';
import { entryKeySql, idOfKey } from '../loading/entry-key.ts';
import { hashOfNumber, type KeyHash, keyHash, SeenKeys } from './seen-keys.ts';

/** Where the key columns are of all entries of a source that can be seen. */
export interface KeyRelation {
  readonly connection: DuckDBConnection;
  readonly relation: string;
  /** Whether it has the project, besides the id. */
  readonly hasProject: boolean;
}

/** Asks the engine that queries use. */
export type AskEntries = <T>(source: string, work: (entries: KeyRelation) => Promise<T>) => Promise<T>;

/** Knows which keys (`entryKey`) the entries of the sources have. */
export class KnownKeys {
  readonly #ask: AskEntries;
  readonly #seen = new Map<string, SeenKeys>();
  /** Keys of entries that queries do not see yet, by source, with the promise that they will. */
  readonly #recent = new Map<string, Map<string, Promise<void>>>();

  constructor(ask: AskEntries) {
    this.#ask = ask;
  }

  /** Which of these keys no entry has, with their hashes. The others are durable when `others` resolves. */
  async newKeys(
    source: string,
    keys: Iterable<string>,
  ): Promise<{ readonly fresh: ReadonlyMap<string, KeyHash>; readonly others: Promise<unknown> }> {
    const seen = this.#seen.get(source) ?? (await this.#readAll(source));
    const recent = this.#recent.get(source);
    const fresh = new Map<string, KeyHash>();
    const doubtful = new Map<string, KeyHash>();
    const pending = new Set<Promise<void>>();
    for (const key of keys) {
      const durable = recent?.get(key);
      if (durable !== undefined) {
        pending.add(durable);
        continue;
      }
      const hash = keyHash(key);
      if (seen.mayHave(hash)) doubtful.set(key, hash);
      else fresh.set(key, hash);
    }
    if (doubtful.size > 0) {
      const stored = await this.#stored(source, [...doubtful.keys()]);
      for (const [key, hash] of doubtful) if (!stored.has(key)) fresh.set(key, hash);
    }
    return { fresh, others: Promise.all(pending) };
  }

  /** Remembers keys of entries that are stored when `durable` resolves, and are not when it throws. */
  add(source: string, keys: ReadonlyMap<string, KeyHash>, durable: Promise<void>): void {
    const recent = this.#recent.get(source) ?? new Map<string, Promise<void>>();
    this.#recent.set(source, recent);
    const seen = this.#seen.get(source);
    for (const [key, hash] of keys) {
      recent.set(key, durable);
      seen?.add(hash);
    }
    const forget = () => {
      for (const key of keys.keys()) if (recent.get(key) === durable) recent.delete(key);
    };
    durable.then(forget, forget);
  }

  async #readAll(source: string): Promise<SeenKeys> {
    const seen = await this.#ask(source, async ({ connection, relation, hasProject }) => {
      const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${relation}`);
      const made = new SeenKeys(Number(counted.getRowsJS()[0]?.[0] ?? 0) * 2);
      const hashes = await connection.stream(
        `SELECT md5_number_lower(${entryKeySql(hasProject)}) FROM ${relation} WHERE "id" IS NOT NULL`,
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

  #stored(source: string, keys: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#ask(source, async ({ connection, relation, hasProject }) => {
      const reader = await connection.runAndReadAll(
        `SELECT DISTINCT ${entryKeySql(hasProject)} FROM ${relation} WHERE "id" IN (SELECT unnest($1::VARCHAR[]))`,
        [listValue(keys.map(idOfKey))],
      );
      return new Set(reader.getRowsJS().map(([key]) => String(key)));
    });
  }
}
