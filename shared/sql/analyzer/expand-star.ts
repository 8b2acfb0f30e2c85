import type { Expression } from '../ast/expression.ts';
import type { StarModifiers } from '../ast/query.ts';
import type { ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import { didYouMean } from '../text/nearest-names.ts';
import { typeText } from '../types/sql-type.ts';
import { analysisError, type Environment } from './environment.ts';
import type { ExpressionContext } from './expression-context.ts';
import { fieldOf } from './resolve-name.ts';
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

/** A column that a star stands for. */
export interface StarColumn {
  readonly name: string;
  readonly expression: ResolvedExpression;
}

/** The columns of `*`. Throws a ServiceError (invalid_argument) where there is no FROM. */
export function starColumns(context: ExpressionContext, at: number): StarColumn[] {
  const { names } = context.scope;
  if (names.ranges.length === 0 && names.merged.length === 0) {
    throw analysisError(context.environment, at, 'SELECT * must have a FROM clause');
  }
  return [
    ...names.merged.flatMap(asStarColumns),
    ...names.ranges.flatMap((range) => rangeColumns(range, names.hidden)),
  ];
}

function rangeColumns(range: RangeVariable, hidden: ReadonlySet<number>): StarColumn[] {
  if (range.isBehind) return [];
  if (range.kind === 'columns') {
    return range.columns.filter(({ column }) => !hidden.has(column.id)).flatMap(asStarColumns);
  }
  return asStarColumns({ name: range.alias ?? '', column: range.column, row: 'fields' });
}

function asStarColumns({ name, column, row }: NamedColumn): StarColumn[] {
  const expression = columnReference(column);
  const isRow = row !== undefined && column.type.kind === 'STRUCT';
  return isRow ? structColumns(expression) : [{ name, expression }];
}

function structColumns(row: ResolvedExpression): StarColumn[] {
  if (row.type.kind !== 'STRUCT') return [];
  return row.type.fields.map((field, index) => ({ name: field.name, expression: fieldOf(row, index) }));
}

/** The columns of `x.*` where `x` is a range variable, or null where it is a value. */
export function rangeVariableColumns(context: ExpressionContext, base: Expression): StarColumn[] | null {
  const target = base.kind === 'name' ? lookUp(context.scope, base.name) : null;
  const isTable = target?.kind === 'range' && target.range.kind === 'columns';
  return isTable ? target.range.columns.flatMap(asStarColumns) : null;
}

/** The columns of `x.*` where `x` is a value. Throws a ServiceError (invalid_argument) for one that is no struct. */
export function valueColumns(environment: Environment, row: ResolvedExpression, at: number): StarColumn[] {
  if (row.type.kind === 'STRUCT') return structColumns(row);
  throw analysisError(environment, at, `Dot-star is not supported for type ${typeText(row.type)}`);
}

/** The columns of a star that EXCEPT leaves. Throws a ServiceError (invalid_argument) for names that do not fit. */
export function keptColumns(
  environment: Environment,
  columns: readonly StarColumn[],
  { except, replace }: StarModifiers,
  at: number,
): readonly StarColumn[] {
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
      throw analysisError(environment, missing.at, message);
    }
    const twice = list.find(({ name }, index) =>
      list.slice(0, index).some((earlier) => earlier.name.toLowerCase() === name.toLowerCase()),
    );
    if (twice !== undefined) {
      const message = `Duplicate column ${twice.name} in SELECT * ${label} list`;
      throw analysisError(environment, twice.at, message);
    }
  }
  const dropped = new Set(except.map(({ name }) => name.toLowerCase()));
  const kept = columns.filter(({ name }) => !dropped.has(name.toLowerCase()));
  if (kept.length === 0) throw analysisError(environment, at, 'SELECT * EXCEPT leaves no column');
  const both = replace.find(({ name }) => dropped.has(name.toLowerCase()));
  if (both !== undefined) {
    const message = `Column ${both.name} cannot occur in both SELECT * EXCEPT and REPLACE`;
    throw analysisError(environment, both.at, message);
  }
  return kept;
}
