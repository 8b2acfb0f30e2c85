import { ServiceError } from '../../errors/service-error.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import type { ParameterType } from '../types/query-parameter.ts';
import { factDifferences, type QueryFacts, queryFacts } from './query-facts.ts';
import { readWithNodeSqlParser } from './read-with-node-sql-parser.ts';

/** A stored query with the types of its parameters. */
export interface StoredText {
  readonly sql: string;
  readonly parameters: readonly { readonly name: string; readonly type: ParameterType }[];
}

/**
 * What a stored query names, where two readers that share no code agree on it. What a function may read rests on
 * this, so that a mistake of one reader must not grant a right. Throws a ServiceError (invalid_argument) that says
 * where they differ, or what one of them refuses.
 */
export async function confirmedFacts(
  { sql, parameters }: StoredText,
  dataset: string,
  tables: TableSchemas,
): Promise<QueryFacts> {
  const types = new Map(parameters.map(({ name, type }) => [name, { kind: type }]));
  const facts = queryFacts(sql, { dataset, tables, parameters: types });
  const differences = factDifferences(facts, await readWithNodeSqlParser(sql, dataset));
  if (differences.length > 0) throw new ServiceError('invalid_argument', differences.join('; '));
  return facts;
}
