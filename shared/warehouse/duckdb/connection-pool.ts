import type { DuckDBConnection } from '@duckdb/node-api';

/** Connections to one database; each query has one to itself, so that interrupting it stops nothing else. */
export class ConnectionPool {
  readonly #connect: () => Promise<DuckDBConnection>;
  readonly #idle: DuckDBConnection[] = [];

  constructor(connect: () => Promise<DuckDBConnection>) {
    this.#connect = connect;
  }

  /** Runs `work` with a connection that nobody else uses meanwhile. */
  async use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = this.#idle.pop() ?? (await this.#connect());
    try {
      return await work(connection);
    } finally {
      this.#idle.push(connection);
    }
  }
}
