import type { SelectItem, StarModifiers } from '../ast/query.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { didYouMean } from '../text/nearest-names.ts';
import { typeText } from '../types/sql-type.ts';
import { analysisError } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { impliedName } from './resolve-constructors.ts';
import { resolveExpression } from './resolve-expression.ts';
import { columnReference, fieldOf } from './resolve-name.ts';
import { lookUp, type NamedColumn, type RangeVariable } from './scope.ts';

/** One column of a select list. */
export interface SelectedItem {
  /** Empty for an anonymous column. */
  readonly name: string;
  readonly expression: ResolvedExpression;
  /** Whether the name was written as an alias. */
  readonly isAliased: boolean;
  readonly at: number;
}

/** Resolves a select list; `*` and `x.*` become the columns that they stand for. */
export function resolveSelectItems(context: ExpressionContext, items: readonly SelectItem[]): SelectedItem[] {
  return items.flatMap((item) => resolveSelectItem(context, item));
}

function resolveSelectItem(context: ExpressionContext, item: SelectItem): readonly SelectedItem[] {
  if (item.kind === 'expression') {
    const expression = resolveExpression(context, item.expression);
    const name = item.alias ?? impliedName(item.expression);
    return [{ name, expression, isAliased: item.alias !== null, at: item.at }];
  }
  const columns = item.kind === 'star' ? starColumns(context, item.at) : dotStarColumns(context, item);
  return modify(context, columns, item, item.at);
}

interface StarColumn {
  readonly name: string;
  readonly expression: ResolvedExpression;
}

function starColumns(context: ExpressionContext, at: number): StarColumn[] {
  const { names } = context.scope;
  if (names.ranges.length === 0) {
    throw analysisError(context.environment, at, 'SELECT * must have a FROM clause');
  }
  return [
    ...names.merged.map(asStarColumn),
    ...names.ranges.flatMap((range) => rangeColumns(range, names.hidden)),
  ];
}

function rangeColumns(range: RangeVariable, hidden: ReadonlySet<number>): StarColumn[] {
  if (range.isBehind) return [];
  if (range.kind === 'columns') {
    return range.columns.filter(({ column }) => !hidden.has(column.id)).map(asStarColumn);
  }
  const row = columnReference(range.column);
  return row.type.kind === 'STRUCT' ? structColumns(row) : [{ name: range.alias ?? '', expression: row }];
}

function asStarColumn({ name, column }: NamedColumn): StarColumn {
  return { name, expression: columnReference(column) };
}

function structColumns(row: ResolvedExpression): StarColumn[] {
  if (row.type.kind !== 'STRUCT') return [];
  return row.type.fields.map((field, index) => ({ name: field.name, expression: fieldOf(row, index) }));
}

function dotStarColumns(
  context: ExpressionContext,
  item: Extract<SelectItem, { kind: 'dot-star' }>,
): StarColumn[] {
  if (item.base.kind === 'name') {
    const target = lookUp(context.scope, item.base.name);
    if (target?.kind === 'range' && target.range.kind === 'columns')
      return target.range.columns.map(asStarColumn);
  }
  const row = resolveExpression(context, item.base);
  if (row.type.kind !== 'STRUCT') {
    const found = typeText(row.type);
    throw analysisError(context.environment, item.at, `Dot-star is not supported for type ${found}`);
  }
  return structColumns(row);
}

function modify(
  context: ExpressionContext,
  columns: readonly StarColumn[],
  { except, replace }: StarModifiers,
  at: number,
): SelectedItem[] {
  const known = columns.map((column) => column.name);
  const names = new Set(known.map((name) => name.toLowerCase()));
  for (const [list, label] of [
    [except, 'EXCEPT'],
    [replace, 'REPLACE'],
  ] as const) {
    const missing = list.find(({ name }) => !names.has(name.toLowerCase()));
    if (missing !== undefined) {
      const hint = didYouMean(missing.name, known);
      const message = `Column ${missing.name} in SELECT * ${label} list does not exist${hint}`;
      throw analysisError(context.environment, missing.at, message);
    }
    const twice = list.find(({ name }, index) =>
      list.slice(0, index).some((earlier) => earlier.name.toLowerCase() === name.toLowerCase()),
    );
    if (twice !== undefined) {
      const message = `Duplicate column ${twice.name} in SELECT * ${label} list`;
      throw analysisError(context.environment, twice.at, message);
    }
  }
  const dropped = new Set(except.map(({ name }) => name.toLowerCase()));
  const kept = columns.filter(({ name }) => !dropped.has(name.toLowerCase()));
  if (kept.length === 0) throw analysisError(context.environment, at, 'SELECT * EXCEPT leaves no column');
  const both = replace.find(({ name }) => dropped.has(name.toLowerCase()));
  if (both !== undefined) {
    const message = `Column ${both.name} cannot occur in both SELECT * EXCEPT and REPLACE`;
    throw analysisError(context.environment, both.at, message);
  }
  const replaced = new Map(
    replace.map(({ name, expression }) => [name.toLowerCase(), resolveExpression(context, expression)]),
  );
  return kept.map(({ name, expression }) => ({
    name,
    expression: replaced.get(name.toLowerCase()) ?? expression,
    isAliased: false,
    at,
  }));
}
