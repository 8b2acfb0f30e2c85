import { DuckDBInstance } from '@duckdb/node-api';
import { compileQuery } from '../../../../../../../shared/warehouse/duckdb/compile-query.ts';
import { toServiceError } from '../../../../../../../shared/warehouse/duckdb/duckdb-errors.ts';
import { defineFunctions } from '../../../../../../../shared/warehouse/duckdb/install-functions.ts';

/** What the clock of evaluated queries shows. */
export const NOW = '2024-05-06 07:08:09.123456';

/** A database in memory that answers GoogleSQL. */
export interface Evaluator {
  /** The JSON of the first column in the first row, of a query or of an expression by itself, with STRING parameters. */
  evaluate(googleSql: string, parameters?: ReadonlyMap<string, string>): Promise<string>;
  /** The message of the error that the query ends in; rejects if it has an answer. */
  fail(googleSql: string): Promise<string>;
  close(): void;
}

export async function openEvaluator(): Promise<Evaluator> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  await defineFunctions(connection);

  const evaluate = async (
    googleSql: string,
    values: ReadonlyMap<string, string> = new Map(),
  ): Promise<string> => {
    const sql = /^(?:SELECT|WITH)\b/i.test(googleSql) ? googleSql : `SELECT ${googleSql} AS value`;
    const types = new Map([...values.keys()].map((name) => [name, 'STRING' as const]));
    const { sql: translated, parameters } = compileQuery(sql, new Map(), types, 1000);
    const bound = parameters.map((name) => (typeof name === 'string' ? values.get(name) : undefined) ?? NOW);
    const rows = (await connection.runAndReadAll(translated, bound)).getRowsJson();
    const row = /^\{"[^"]*":(.*)\}$/s.exec(String(rows[0]?.[0]));
    return row?.[1] ?? 'no row';
  };
  return {
    evaluate,
    async fail(googleSql) {
      let answer: string;
      try {
        answer = await evaluate(googleSql);
      } catch (error) {
        return error instanceof Error && 'kind' in error ? error.message : toServiceError(error).message;
      }
      throw new TypeError(`no error but ${answer}`);
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
