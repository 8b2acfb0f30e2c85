import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';

/** How many statements a connection keeps; the same few queries run again and again. */
const KEPT_STATEMENTS = 32;

/** The statements that one connection prepared last: to prepare one takes a good part of what a small query takes. */
export class PreparedStatements {
  readonly #connection: DuckDBConnection;
  readonly #capacity: number;
  readonly #kept = new Map<string, DuckDBPreparedStatement>();

  constructor(connection: DuckDBConnection, capacity = KEPT_STATEMENTS) {
    this.#connection = connection;
    this.#capacity = capacity;
  }

  /** Runs `work` with the statement; one whose work fails is not used again. One at a time. */
  async use<T>(sql: string, work: (statement: DuckDBPreparedStatement) => Promise<T>): Promise<T> {
    const statement = this.#kept.get(sql) ?? (await this.#connection.prepare(sql));
    this.#kept.delete(sql);
    try {
      const result = await work(statement);
      this.#kept.set(sql, statement);
      this.#dropOldest();
      return result;
    } catch (error) {
      statement.destroySync();
      throw error;
    }
  }

  #dropOldest(): void {
    const [oldest] = this.#kept;
    if (oldest === undefined || this.#kept.size <= this.#capacity) return;
    const [sql, statement] = oldest;
    this.#kept.delete(sql);
    statement.destroySync();
  }
}
