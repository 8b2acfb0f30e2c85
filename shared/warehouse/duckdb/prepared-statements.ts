import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import type { QueryParameter } from '../../sql/types/query-parameter.ts';
import { bindValue } from './bind-values.ts';
import { SqlVariables } from './sql-variables.ts';

/** How many statements a connection keeps; the same few queries run again and again. */
const KEPT_STATEMENTS = 32;

/** A statement in its two forms, see `Translation`. */
export interface StatementSql {
  /** With `$1`, `$2`, …. */
  readonly sql: string;
  /** With variables in their place; null where each run needs a plan of its own. */
  readonly fixedSql: string | null;
}

/**
 * The statements that one connection prepared last: to prepare one takes a good part of what a small query takes. DuckDB plans a statement
 * with parameters in each run, so that one whose plan may stay is kept for its values.
 */
export class PreparedStatements {
  readonly #connection: DuckDBConnection;
  readonly #variables: SqlVariables;
  readonly #cache: LRUCache<string, DuckDBPreparedStatement>;
  /** An interrupted switch is done again before the next statement. */
  #isOptimizing = true;

  constructor(connection: DuckDBConnection, capacity = KEPT_STATEMENTS) {
    this.#connection = connection;
    this.#variables = new SqlVariables(connection);
    this.#cache = new LRUCache({ max: capacity, dispose: (statement) => statement.destroySync() });
  }

  /** Forgets all statements, which may have been prepared over other views. Not while one is in use. */
  clear(): void {
    this.#cache.clear();
  }

  /** Runs `work` with the statement, its values in place; one whose work fails is not used again. One at a time. */
  async use<T>(
    { sql, fixedSql }: StatementSql,
    values: readonly QueryParameter[],
    work: (statement: DuckDBPreparedStatement) => Promise<T>,
  ): Promise<T> {
    if (fixedSql !== null) {
      return this.#useKept(
        fixedKey(fixedSql, values),
        async () => {
          await this.#variables.set(values);
          return this.#prepare(fixedSql);
        },
        work,
      );
    }
    // What has no parameters is planned when it is prepared.
    if (values.length === 0) return this.#useOnce(sql, work);
    return this.#useKept(
      sql,
      () => this.#prepare(sql),
      (statement) => {
        for (const [index, value] of values.entries()) bindValue(statement, index + 1, value);
        return work(statement);
      },
    );
  }

  async #useKept<T>(
    key: string,
    prepare: () => Promise<DuckDBPreparedStatement>,
    work: (statement: DuckDBPreparedStatement) => Promise<T>,
  ): Promise<T> {
    const statement = this.#cache.get(key) ?? (await prepare());
    this.#cache.set(key, statement);
    try {
      return await work(statement);
    } catch (error) {
      this.#cache.delete(key);
      throw error;
    }
  }

  async #useOnce<T>(sql: string, work: (statement: DuckDBPreparedStatement) => Promise<T>): Promise<T> {
    const statement = await this.#prepare(sql);
    try {
      return await work(statement);
    } finally {
      statement.destroySync();
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

function fixedKey(sql: string, values: readonly QueryParameter[]): string {
  if (values.length === 0) return sql;
  const texts = values.map(({ type, value }) => [
    type,
    typeof value === 'bigint' ? String(value) : numberText(value),
  ]);
  return `${sql}\n${JSON.stringify(texts)}`;
}

/** JSON has no text for some numbers. */
function numberText(value: QueryParameter['value']): unknown {
  if (typeof value !== 'number') return value;
  return Object.is(value, -0) ? '-0' : String(value);
}
