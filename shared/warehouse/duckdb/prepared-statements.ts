import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';

/** How many statements a connection keeps; the same few queries run again and again. */
const KEPT_STATEMENTS = 32;

/** The statements that one connection prepared last: to prepare one takes a good part of what a small query takes. */
export class PreparedStatements {
  readonly #connection: DuckDBConnection;
  readonly #cache: LRUCache<string, DuckDBPreparedStatement>;
  /** An interrupted switch is done again before the next statement. */
  #isOptimizing = true;

  constructor(connection: DuckDBConnection, capacity = KEPT_STATEMENTS) {
    this.#connection = connection;
    this.#cache = new LRUCache({ max: capacity, dispose: (statement) => statement.destroySync() });
  }

  /** Forgets all statements, which may have been prepared over other views. Not while one is in use. */
  clear(): void {
    this.#cache.clear();
  }

  /** Runs `work` with the statement; one whose work fails is not used again. One at a time. */
  async use<T>(sql: string, work: (statement: DuckDBPreparedStatement) => Promise<T>): Promise<T> {
    const statement = this.#cache.get(sql) ?? (await this.#prepare(sql));
    this.#cache.set(sql, statement);
    try {
      return await work(statement);
    } catch (error) {
      this.#cache.delete(sql);
      throw error;
    }
  }
  /**
   * DuckDB's optimizer computes conditions that are constant, also in branches that no row reaches, and their errors end the query. So a
   * statement that cannot be prepared is prepared once more as it is written.
   */
  async #prepare(sql: string): Promise<DuckDBPreparedStatement> {
    await this.#optimize(true);
    try {
      return await this.#connection.prepare(sql);
    } catch (error) {
      await this.#optimize(false);
      try {
        return await this.#connection.prepare(sql);
      } catch {
        throw error;
      } finally {
        await this.#optimize(true);
      }
    }
  }

  async #optimize(isOn: boolean): Promise<void> {
    if (this.#isOptimizing === isOn) return;
    if (!isOn) this.#isOptimizing = false;
    await this.#connection.run(`PRAGMA ${isOn ? 'enable' : 'disable'}_optimizer`);
    this.#isOptimizing = isOn;
  }
}
