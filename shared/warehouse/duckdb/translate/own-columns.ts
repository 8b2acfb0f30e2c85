import type { ResolvedExpression } from '../../../sql/resolved/expression.ts';
import { referencedColumns } from '../../../sql/resolved/references.ts';
import type { Relation } from './relation.ts';
import { type Scope, TOP_LEVEL } from './scope.ts';

/** What makes a relation a derived table, with new columns. */
interface Wrapping {
  readonly newId: () => number;
  wrap(relation: Relation, needed: ReadonlySet<number>): Relation;
}

/** A relation, and the scope around it for the expressions over its columns. */
export interface OwnedRelation {
  readonly relation: Relation;
  readonly scope: Scope;
}

/**
 * The columns of outer queries that these expressions refer to become columns of the relation, where one of the expressions may be
 * written with a lambda: DuckDB takes the columns in a lambda from one query only.
 */
export function ownColumns(
  generator: Wrapping,
  relation: Relation,
  expressions: readonly ResolvedExpression[],
  needed: ReadonlySet<number>,
  scope: Scope,
): OwnedRelation {
  if (scope === TOP_LEVEL || expressions.every(hasNoLambda)) return { relation, scope };
  const owned = new Map<number, number>();
  const columns = new Map(relation.columns);
  for (const id of referencedColumns(...expressions)) {
    const sql = relation.columns.has(id) ? null : scope.lookup(id);
    if (sql === null) continue;
    owned.set(id, generator.newId());
    columns.set(owned.get(id) ?? id, { sql, isSimple: false });
  }
  if (owned.size === 0) return { relation, scope };
  const rows = generator.wrap({ ...relation, columns }, new Set([...needed, ...owned.values()]));
  const lookup = (id: number) => rows.columns.get(owned.get(id) ?? id)?.sql ?? scope.lookup(id);
  return { relation: rows, scope: { ...scope, lookup } };
}

/** Operators that are DuckDB's own for all types but those whose values are compared in parts. */
const OPERATORS: ReadonlySet<string> = new Set([
  ...['$EQUAL', '$NOT_EQUAL', '$LESS', '$LESS_OR_EQUAL', '$GREATER', '$GREATER_OR_EQUAL', '$BETWEEN', '$IN'],
  ...['$AND', '$OR', '$NOT', '$IS_NULL', '$IS_TRUE', '$IS_FALSE'],
]);
const IN_PARTS: ReadonlySet<string> = new Set(['STRUCT', 'ARRAY', 'JSON', 'FLOAT64', 'INTERVAL']);

/** Whether an expression is certainly written without a lambda. */
function hasNoLambda(expression: ResolvedExpression): boolean {
  switch (expression.kind) {
    case 'column':
    case 'literal':
    case 'parameter':
      return true;
    case 'field':
      return hasNoLambda(expression.base);
    case 'call':
      return (
        OPERATORS.has(expression.name) &&
        expression.arguments.every((argument) => !IN_PARTS.has(argument.type.kind) && hasNoLambda(argument))
      );
    default:
      return false;
  }
}
