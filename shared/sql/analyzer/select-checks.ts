import type { OrderItem } from '../ast/expression.ts';
import type { Select, WindowSpec } from '../ast/query.ts';
import type { ResolvedAggregate, ResolvedExpression } from '../resolved/expression.ts';
import { referencedColumns } from '../resolved/references.ts';
import { mapExpression } from '../resolved/transform.ts';
import { analysisError, type Environment } from './environment.ts';
import type { SelectedItem } from './expand-star.ts';
import type { ExpressionContext } from './expression-context.ts';
import { isPath } from './grouping.ts';

/** An item of ORDER BY with its expression, before the rows are grouped. */
export interface OrderedExpression {
  readonly item: OrderItem;
  readonly expression: ResolvedExpression;
}

/** Without FROM there is one row, and no clause that would do something with rows. */
export function checkWithoutFrom(
  environment: Environment,
  select: Select,
  orderBy: readonly OrderItem[],
): void {
  const clauses: readonly (readonly [string, { readonly at: number } | null | undefined])[] = [
    ['a WHERE clause', select.where],
    ['a GROUP BY clause', select.groupBy],
    ['a HAVING clause', select.having],
    ['a QUALIFY clause', select.qualify],
    ['a WINDOW clause', select.windows[0]],
    ['an ORDER BY clause', orderBy[0]],
    ['SELECT DISTINCT', select.distinct ? select : null],
  ];
  for (const [label, clause] of clauses) {
    if (clause !== null && clause !== undefined)
      throw analysisError(environment, clause.at, `Query without FROM clause cannot have ${label}`);
  }
}

/** The windows of the WINDOW clause by lower-case name. A window may refer to those before it. */
export function namedWindows(
  environment: Environment,
  { windows }: Select,
): ExpressionContext['namedWindows'] {
  const named = new Map<string, WindowSpec>();
  for (const { name, spec, at } of windows) {
    const key = name.toLowerCase();
    if (named.has(key)) throw analysisError(environment, at, `Duplicate window alias ${name}`);
    if (spec.base !== null && !named.has(spec.base.toLowerCase())) {
      throw analysisError(environment, spec.at, `Unrecognized window alias ${spec.base}`);
    }
    named.set(key, spec);
  }
  return named;
}

/** HAVING and QUALIFY need something to filter: groups, window functions. ORDER BY's own do not count. */
export function checkPresence(
  environment: Environment,
  { groupBy, having, qualify }: Select,
  aggregates: number,
  windows: number,
): void {
  if (having !== null && groupBy === null && aggregates === 0) {
    const message = 'The HAVING clause requires GROUP BY or aggregation to be present; use WHERE';
    throw analysisError(environment, having.at, message);
  }
  if (qualify !== null && windows === 0) {
    const message = 'The QUALIFY clause requires analytic function to be present; use WHERE or HAVING';
    throw analysisError(environment, qualify.at, message);
  }
}

/** Refuses aggregates and window functions inside an aggregate. */
export function checkNesting(
  environment: Environment,
  aggregates: readonly ResolvedAggregate[],
  collected: ReadonlySet<number>,
  at: number,
): void {
  const used = referencedColumns(aggregates);
  if ([...used].some((id) => collected.has(id))) {
    throw analysisError(environment, at, 'Aggregations of aggregations are not allowed');
  }
}

/**
 * After SELECT DISTINCT there are the columns of the select list: ORDER BY may have them by alias, by number, and by path where the list has
 * the same path, but not by an expression that the list repeats.
 */
export function checkVisibleAfterDistinct(
  environment: Environment,
  order: readonly OrderedExpression[],
  items: readonly SelectedItem[],
  available: ReadonlySet<number>,
): void {
  const { keys } = environment;
  const own = new Set(items.map(({ expression }) => expression));
  const selected = new Set([...own].map((expression) => keys.keyOf(expression)));
  for (const { item, expression } of order)
    mapExpression(expression, (part) => {
      if (own.has(part) || (isPath(part) && selected.has(keys.keyOf(part)))) return part;
      if (part.kind !== 'column' || !available.has(part.column.id)) return null;
      const message = `ORDER BY clause expression references column ${part.column.name} which is not visible after SELECT DISTINCT; name it by an alias of the select list`;
      throw analysisError(environment, item.at, message);
    });
}
