import type { DuckDBConnection } from '@duckdb/node-api';
import { PreparedStatements } from './prepared-statements.ts';

/** A connection with the statements that it has prepared. */
export interface PooledConnection {
  readonly connection: DuckDBConnection;
  readonly statements: PreparedStatements;
  /** Of the views that the statements were prepared over. */
  epoch: number;
}

/** Connections to one database; each query has one to itself, so that interrupting it stops nothing else. */
export class ConnectionPool {
  readonly #connect: () => Promise<DuckDBConnection>;
  readonly #idle: PooledConnection[] = [];
  #epoch = 0;

  /** `first` is used before another one is opened. */
  constructor(connect: () => Promise<DuckDBConnection>, first?: DuckDBConnection) {
    this.#connect = connect;
    if (first !== undefined) this.#idle.push(this.#pooled(first));
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
    const pooled = this.#idle.pop() ?? (await this.#open());
    if (pooled.epoch !== this.#epoch) pooled.statements.clear();
    pooled.epoch = this.#epoch;
    return pooled;
  }

  /** Has all statements be prepared anew from here on. */
  renewStatements(): void {
    this.#epoch += 1;
    for (const { statements } of this.#idle) statements.clear();
  }

  giveBack(pooled: PooledConnection): void {
    this.#idle.push(pooled);
  }

  async #open(): Promise<PooledConnection> {
    return this.#pooled(await this.#connect());
  }

  #pooled(connection: DuckDBConnection): PooledConnection {
    return { connection, statements: new PreparedStatements(connection), epoch: this.#epoch };
  }
}
