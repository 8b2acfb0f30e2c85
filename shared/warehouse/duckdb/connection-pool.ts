import type { DuckDBConnection } from '@duckdb/node-api';
import { PreparedStatements } from './prepared-statements.ts';

/** A connection with the statements that it has prepared. */
export interface PooledConnection {
  readonly connection: DuckDBConnection;
  readonly statements: PreparedStatements;
}

/** Connections to one database; each query has one to itself, so that interrupting it stops nothing else. */
export class ConnectionPool {
  readonly #connect: () => Promise<DuckDBConnection>;
  readonly #idle: PooledConnection[] = [];

  constructor(connect: () => Promise<DuckDBConnection>) {
    this.#connect = connect;
  }

  /** Runs `work` with a connection that no one else uses meanwhile. */
  async use<T>(work: (pooled: PooledConnection) => Promise<T>): Promise<T> {
    const pooled = await this.take();
    try {
      return await work(pooled);
    } finally {
      this.giveBack(pooled);
    }
  }

  /** A connection that no one else uses until it is given back. */
  async take(): Promise<PooledConnection> {
    return this.#idle.pop() ?? (await this.#open());
  }

  giveBack(pooled: PooledConnection): void {
    this.#idle.push(pooled);
  }

  async #open(): Promise<PooledConnection> {
    const connection = await this.#connect();
    return { connection, statements: new PreparedStatements(connection) };
  }
}
