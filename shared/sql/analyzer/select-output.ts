import type { OrderItem } from '../ast/expression.ts';
import type { Select } from '../ast/query.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import { referencedColumns } from '../resolved/references.ts';
import type { ComputedColumn, OutputColumn, ResolvedQuery, ResolvedScan, SortKey } from '../resolved/scan.ts';
import { mapExpression } from '../resolved/transform.ts';
import { typeText } from '../types/sql-type.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';
import type { SelectedItem } from './expand-star.ts';
import { isGroupable } from './groupable.ts';
import { isLiteral } from './literals.ts';
import { columnIds } from './scope.ts';

/** The columns of a select list, and which expression each of them is. */
export interface SelectOutput {
  readonly scan: ResolvedScan;
  readonly columns: readonly OutputColumn[];
  /** By ExpressionKeys. */
  readonly byExpression: ReadonlyMap<number, OutputColumn>;
}

/** Computes a select list; a column that is selected as it is stays itself. */
export function projectItems(
  environment: Environment,
  input: ResolvedScan,
  items: readonly SelectedItem[],
): SelectOutput {
  const computed: ComputedColumn[] = [];
  const used = outerColumns(environment);
  const byExpression = new Map<number, OutputColumn>();
  const columns = items.map(({ name, expression }): OutputColumn => {
    const isPlain = expression.kind === 'column' && !used.has(expression.column.id);
    const column = isPlain ? expression.column : newColumn(environment, name, expression.type);
    used.add(column.id);
    if (!isPlain) computed.push({ column, expression });
    const isOwn = !isPlain && input.kind !== 'window' && isLiteral(expression);
    const output = { name, column, ...(isOwn ? { literal: expression } : {}) };
    const key = environment.keys.keyOf(expression);
    if (!byExpression.has(key)) byExpression.set(key, output);
    return output;
  });
  return {
    scan: computed.length === 0 ? input : { kind: 'project', input, computed },
    columns,
    byExpression,
  };
}

/** Columns of the queries around, which a subquery that selects them has to compute for its own rows. */
function outerColumns({ outer }: Environment): Set<number> {
  const ids = new Set<number>();
  for (let scope = outer; scope !== null; scope = scope.outer) {
    for (const id of columnIds(scope.names)) ids.add(id);
    for (const expression of scope.aliases?.values() ?? [])
      if (expression.kind === 'column') ids.add(expression.column.id);
  }
  return ids;
}

/** SELECT DISTINCT: groups by all columns of the list. */
export function distinctOutput(environment: Environment, output: SelectOutput, at: number): SelectOutput {
  const pairs = output.columns.map(({ name, column }) => {
    if (!isGroupable(column.type)) {
      const found = typeText(column.type);
      throw analysisError(
        environment,
        at,
        `Column ${name} of type ${found} cannot be used in SELECT DISTINCT`,
      );
    }
    return { name, from: column, to: newColumn(environment, name, column.type) };
  });
  const keys = pairs.map(
    ({ from, to }): ComputedColumn => ({ column: to, expression: columnReference(from) }),
  );
  const replaced = new Map(pairs.map(({ name, from, to }) => [from.id, { name, column: to }]));
  const byExpression = new Map<number, OutputColumn>();
  for (const [key, { name, column }] of output.byExpression) {
    byExpression.set(key, replaced.get(column.id) ?? { name, column });
  }
  return {
    scan: { kind: 'aggregate', input: output.scan, keys, sets: null, aggregates: [] },
    columns: pairs.map(({ name, to }) => ({ name, column: to })),
    byExpression,
  };
}

/** SELECT AS STRUCT and AS VALUE: the row is one value. */
export function wrapRows(environment: Environment, output: SelectOutput, select: Select): ResolvedQuery {
  const { scan, columns } = output;
  if (select.as === null) return { scan, columns, isValueTable: false };
  if (select.as === 'VALUE') {
    if (columns.length !== 1)
      throw analysisError(environment, select.at, 'SELECT AS VALUE query must have exactly one column');
    return { scan, columns, isValueTable: true };
  }
  const type = {
    kind: 'STRUCT' as const,
    fields: columns.map(({ name, column }) => ({ name, type: column.type })),
  };
  const row: ResolvedExpression = {
    kind: 'struct',
    type,
    fields: columns.map(({ column }) => columnReference(column)),
  };
  const column = newColumn(environment, '', type);
  return {
    scan: { kind: 'project', input: scan, computed: [{ column, expression: row }] },
    columns: [{ name: '', column }],
    isValueTable: true,
  };
}

/** An expression over a select list's columns in place of what they were made of. */
function overOutput(
  environment: Environment,
  expression: ResolvedExpression,
  output: SelectOutput,
): ResolvedExpression {
  return mapExpression(expression, (part) => {
    const selected = output.byExpression.get(environment.keys.keyOf(part));
    return selected === undefined ? null : columnReference(selected.column);
  });
}

/** Sorts a select list's rows; keys that the list has are taken from it. */
export function orderedOutput(
  environment: Environment,
  rows: ResolvedQuery,
  output: SelectOutput,
  keys: readonly SortKey[],
  { isDistinct, orderBy }: { readonly isDistinct: boolean; readonly orderBy: readonly OrderItem[] },
): ResolvedQuery {
  if (keys.length === 0) return rows;
  const available = new Set(output.columns.map(({ column }) => column.id));
  const sorted = keys.map((key, index): SortKey => {
    const selected = output.byExpression.get(environment.keys.keyOf(key.expression));
    if (selected !== undefined) return { ...key, expression: columnReference(selected.column) };
    if (!isDistinct) return key;
    const expression = overOutput(environment, key.expression, output);
    const isVisible = [...referencedColumns(expression)].every((id) => available.has(id));
    if (!isVisible) {
      const message =
        'ORDER BY clause expression references a column which is not visible after SELECT DISTINCT';
      throw analysisError(environment, orderBy[index]?.at ?? 0, message);
    }
    return { ...key, expression };
  });
  return { ...rows, scan: { kind: 'order', input: rows.scan, keys: sorted } };
}
