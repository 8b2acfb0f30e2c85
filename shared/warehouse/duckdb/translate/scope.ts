import type { Sql } from './duck/sql.ts';
import type { Relation } from './relation.ts';

/** What an expression or scan may refer to where it stands: the columns of its input and of the queries around it. */
export interface Scope {
  /** The SQL of a column; null for one that is not there. */
  readonly lookup: (id: number) => Sql | null;
  /** Inside a lambda DuckDB runs no subqueries. */
  readonly isLambda: boolean;
  /** In the condition of a join DuckDB runs few subqueries. */
  readonly isJoinCondition?: boolean;
  /** In an expression that may raise an error: texts of columns are copied first. */
  readonly copiesTexts?: boolean;
}

export const TOP_LEVEL: Scope = { lookup: () => null, isLambda: false };

/** The scope of expressions over a relation's columns. */
export function inside(relation: Relation, outer: Scope): Scope {
  return { ...outer, lookup: (id) => relation.columns.get(id)?.sql ?? outer.lookup(id) };
}
