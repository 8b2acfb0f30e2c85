import type { DuckDBConnection, DuckDBPreparedStatement } from '@duckdb/node-api';
import type { QueryParameter } from '../../sql/types/query-parameter.ts';
import { bindValue } from './bind-values.ts';

/** The value of a connection's variable by its number, in SQL. It is a constant of the plan. */
export function variableSql(number: number): string {
  return `getvariable('${variableName(number)}')`;
}

const variableName = (number: number): string => `lqe_value_${number}`;

/** The SQL variables of one connection. */
export class SqlVariables {
  readonly #connection: DuckDBConnection;
  readonly #statements: DuckDBPreparedStatement[] = [];

  constructor(connection: DuckDBConnection) {
    this.#connection = connection;
  }

  /** Gives the variables from 1 on these values. They are bound: no value is ever a part of a statement's text. */
  async set(values: readonly QueryParameter[]): Promise<void> {
    for (const [index, value] of values.entries()) {
      this.#statements[index] ??= await this.#connection.prepare(
        `SET VARIABLE ${variableName(index + 1)} = $1`,
      );
      const statement = this.#statements[index];
      bindValue(statement, 1, value);
      await statement.run();
    }
  }
}
