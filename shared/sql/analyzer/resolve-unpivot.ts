import type { Expression } from '../ast/expression.ts';
import type { UnpivotClause, UnpivotGroup } from '../ast/query.ts';
import type { ResolvedColumn, ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import type { ComputedColumn, ResolvedScan } from '../resolved/scan.ts';
import { arrayOf, INT64, type SqlType, STRING, sameType, typeText } from '../types/sql-type.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';
import { type ExpressionContext, plainContext } from './expression-context.ts';
import type { From } from './from.ts';
import { resolveLiteral } from './literals.ts';
import { callOperator } from './match-call.ts';
import { pipeColumns } from './pipe-names.ts';
import { resolveExpression } from './resolve-expression.ts';
import { fieldOf, impliedName } from './resolve-name.ts';
import { checkCopies, checkRows } from './resolve-pivot.ts';
import { namesOf } from './scope.ts';

/**
 * Each row once for each group of UNPIVOT's columns, whose values stand in new columns beside the group's label (GoogleSQL
 * reference, "UNPIVOT operator"). Throws a ServiceError (invalid_argument).
 */
export function resolveUnpivot(
  environment: Environment,
  rows: From,
  clause: UnpivotClause,
  alias: string | null,
  at: number,
): From {
  checkRows(environment, rows, 'UNPIVOT', at);
  const { values, groups } = clause;
  const context = plainContext(environment, { names: rows.names, outer: environment.outer }, 'UNPIVOT');
  const columns = groupColumns(context, rows, clause);
  const types = (columns[0] ?? []).map(({ type }) => type);
  checkTypes(environment, clause, columns, types);
  const labels = groupLabels(environment, groups);
  const labelType = labels[0]?.type ?? STRING;
  const rowType: SqlType = {
    kind: 'STRUCT',
    fields: [...types, labelType].map((type) => ({ name: '', type })),
  };
  const elements = columns.map((group, index): ResolvedExpression => {
    const label = labels[index];
    const fields = [...group.map(columnReference), ...(label === undefined ? [] : [label])];
    return { kind: 'struct', type: rowType, fields };
  });
  const element = newColumn(environment, '$unpivot', rowType);
  const array: ResolvedExpression = { kind: 'array', type: arrayOf(rowType), elements };
  const row = columnReference(element);
  const computed = [...values, clause.name].map((name, index): ComputedColumn => {
    const expression = fieldOf(row, index);
    return { column: newColumn(environment, name, expression.type), expression };
  });
  const scan: ResolvedScan = {
    kind: 'project',
    input: { kind: 'unnest', input: rows.scan, array, element, offset: null, outer: false },
    computed,
  };
  const used = new Set(columns.flat().map(({ id }) => id));
  checkCopies(environment, rows, used, 'UNPIVOT', at);
  const kept = pipeColumns(rows.names).filter(({ column }) => !used.has(column.id));
  const added = computed.map(({ column }) => ({ name: column.name, column }));
  const valueColumns = computed.slice(0, values.length).map(({ column }) => column);
  return {
    scan: clause.nulls === 'INCLUDE' ? scan : withoutNulls(context, scan, valueColumns, at),
    names: namesOf({ kind: 'columns', alias, columns: [...kept, ...added] }),
  };
}

/** The columns of each group; a column is in one group only. */
function groupColumns(context: ExpressionContext, rows: From, clause: UnpivotClause): ResolvedColumn[][] {
  const { environment } = context;
  const known = new Set(pipeColumns(rows.names).map(({ column }) => column.id));
  const seen = new Set<number>();
  return clause.groups.map(({ columns, at }) => {
    if (columns.length !== clause.values.length) {
      const message = `Each group of columns of UNPIVOT needs as many as there are new value columns: ${clause.values.length}`;
      throw analysisError(environment, at, message);
    }
    return columns.map((expression) => {
      const column = columnOf(context, expression, known);
      if (seen.has(column.id))
        throw analysisError(
          environment,
          expression.at,
          'Column names in UNPIVOT IN clause cannot be repeated',
        );
      seen.add(column.id);
      return column;
    });
  });
}

function columnOf(
  context: ExpressionContext,
  expression: Expression,
  known: ReadonlySet<number>,
): ResolvedColumn {
  const resolved = resolveExpression(context, expression);
  if (resolved.kind === 'column' && known.has(resolved.column.id)) return resolved.column;
  const message = 'UNPIVOT IN clause cannot have expressions, only column names are allowed';
  throw analysisError(context.environment, expression.at, message);
}

function checkTypes(
  environment: Environment,
  { groups }: UnpivotClause,
  columns: readonly (readonly ResolvedColumn[])[],
  types: readonly SqlType[],
): void {
  for (const [index, group] of columns.entries()) {
    for (const [position, { type }] of group.entries()) {
      const expected = types[position];
      if (expected === undefined || sameType(type, expected)) continue;
      const message = `The datatype of column does not match with other datatypes in the IN clause. Expected ${typeText(expected)}, Found ${typeText(type)}`;
      throw analysisError(environment, groups[index]?.columns[position]?.at ?? 0, message);
    }
  }
}

/** What the new name column says of each group: all texts, or all numbers. */
function groupLabels(environment: Environment, groups: readonly UnpivotGroup[]): ResolvedExpression[] {
  const labels = groups.map(({ columns, label }): ResolvedExpression => {
    if (label !== null) return resolveLiteral(environment, label);
    return { kind: 'literal', type: STRING, value: columns.map(impliedName).join('_') };
  });
  const isNumbered = labels.some(({ type }) => sameType(type, INT64));
  const other = labels.findIndex(({ type }) => isNumbered && !sameType(type, INT64));
  if (other >= 0) {
    const message =
      'All UNPIVOT labels must be the same type; when non-string labels are present then all labels must be explicitly provided';
    throw analysisError(environment, groups[other]?.at ?? 0, message);
  }
  return labels;
}

/** The rows that have a value in at least one of the columns. */
function withoutNulls(
  context: ExpressionContext,
  input: ResolvedScan,
  columns: readonly ResolvedColumn[],
  at: number,
): ResolvedScan {
  const conditions = columns.map((column) => {
    const isNull = callOperator(context, '$IS_NULL', [columnReference(column)], at);
    return callOperator(context, '$NOT', [isNull], at);
  });
  const condition = conditions.reduce((left, right) => callOperator(context, '$OR', [left, right], at));
  return { kind: 'filter', input, condition };
}
