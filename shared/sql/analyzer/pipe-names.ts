import type { PipeOperator } from '../ast/query.ts';
import type { ResolvedColumn } from '../resolved/expression.ts';
import type { OutputColumn, ResolvedQuery } from '../resolved/scan.ts';
import { analysisError, type Environment } from './environment.ts';
import type { From } from './from.ts';
import { type FromNames, type NamedColumn, namesOf, type RangeVariable } from './scope.ts';

/** The one value that each row is, as SELECT AS STRUCT and UNNEST leave it; null for rows of columns. */
export function rowValue({ ranges, merged }: FromNames): Extract<RangeVariable, { kind: 'value' }> | null {
  const [range, ...others] = ranges;
  return range?.kind === 'value' && others.length === 0 && merged.length === 0 ? range : null;
}

/** The columns that rows have, in order: what a range variable means that stands for one value is one column. */
export function pipeColumns({ merged, ranges, hidden }: FromNames): readonly NamedColumn[] {
  const columns = ranges
    .filter(({ isBehind }) => !isBehind)
    .flatMap((range): readonly NamedColumn[] =>
      range.kind === 'columns'
        ? range.columns.filter(({ column }) => !hidden.has(column.id))
        : [{ name: range.alias ?? '', column: range.column, row: 'fields' }],
    );
  return [...merged, ...columns];
}

/** What a query answers that ends with these rows. */
export function pipeOutput({ scan, names }: From): ResolvedQuery {
  const value = rowValue(names);
  if (value !== null) return { scan, columns: [{ name: '', column: value.column }], isValueTable: true };
  return { scan, columns: pipeColumns(names), isValueTable: false };
}

/** A query's rows with its columns as names; values that are whole rows keep their fields. */
export function fromQuery(query: ResolvedQuery, alias: string | null = null): From {
  const [only] = query.columns;
  if (query.isValueTable && only !== undefined)
    return { scan: query.scan, names: namesOf({ kind: 'value', alias, column: only.column }) };
  return { scan: query.scan, names: namesOf({ kind: 'columns', alias, columns: query.columns }) };
}

/** AS: one name for the whole row, in place of all that there were. */
export function renameRow({ scan, names }: From, alias: string): From {
  const value = rowValue(names);
  if (value !== null) return { scan, names: namesOf({ ...value, alias }) };
  const columns = pipeColumns(names).map((column): NamedColumn => {
    return column.row === undefined ? column : { ...column, row: 'star' };
  });
  return { scan, names: namesOf({ kind: 'columns', alias, columns }) };
}

/**
 * Rows with other columns. The range variables stay what they were, `e.id` is still the same; but those that are `gone`, as a
 * column took their place.
 */
export function withColumns(before: FromNames, after: From, gone: ReadonlySet<number>): From {
  const behind = before.ranges
    .filter((range) => range.alias !== null && !(range.kind === 'value' && gone.has(range.column.id)))
    .map((range): RangeVariable => ({ ...range, isBehind: true }));
  return { ...after, names: { ...after.names, ranges: [...after.names.ranges, ...behind] } };
}

/** Rows whose columns have others in their place; a range variable keeps those of its columns that have one. */
export function replaceColumns(
  before: FromNames,
  after: ResolvedQuery,
  replacements: ReadonlyMap<number, ResolvedColumn>,
): From {
  const rows = fromQuery(after);
  const behind = before.ranges.flatMap((range): RangeVariable[] => {
    if (range.alias === null) return [];
    if (range.kind === 'value') {
      const column = replacements.get(range.column.id);
      return column === undefined ? [] : [{ ...range, column, isBehind: true }];
    }
    const columns = range.columns.flatMap((named): NamedColumn[] => {
      const column = replacements.get(named.column.id);
      return column === undefined ? [] : [{ ...named, column }];
    });
    return [{ ...range, columns, isBehind: true }];
  });
  return { ...rows, names: { ...rows.names, ranges: [...rows.names.ranges, ...behind] } };
}

/** A pipe operator that changes columns by their names. */
export type ColumnChange = Extract<PipeOperator, { kind: 'set' | 'drop' | 'rename' }>;

/** The positions of the columns that SET, DROP or RENAME is about. Throws a ServiceError (invalid_argument) for others. */
export function changedColumns(
  environment: Environment,
  names: FromNames,
  columns: readonly OutputColumn[],
  change: ColumnChange,
): ReadonlyMap<string, number> {
  const verb = change.kind.toUpperCase();
  const positions = new Map<string, number>();
  const named =
    change.kind === 'set'
      ? change.items
      : change.names.map((one) => ('from' in one ? { ...one, name: one.from } : one));
  for (const { name, at } of named) {
    const key = name.toLowerCase();
    if (positions.has(key))
      throw analysisError(environment, at, `Duplicate column name in pipe ${verb}: ${name}`);
    const found = columns.flatMap((column, index) => (column.name.toLowerCase() === key ? [index] : []));
    const [position] = found;
    if (position === undefined) throw analysisError(environment, at, missing(columns, name, verb));
    if (found.length > 1 && change.kind !== 'drop') {
      const message = `Column name in pipe ${verb} exists more than once in the rows: ${name}`;
      throw analysisError(environment, at, message);
    }
    const isVariable = names.ranges.some(
      (range) => range.kind === 'value' && !range.isBehind && range.alias?.toLowerCase() === key,
    );
    if (change.kind === 'rename' && isVariable) {
      const message = `Name in pipe RENAME is a table alias; RENAME can only rename columns: ${name}`;
      throw analysisError(environment, at, message);
    }
    positions.set(key, position);
  }
  return positions;
}

function missing(columns: readonly OutputColumn[], name: string, verb: string): string {
  const isField = columns.some(
    ({ column, row }) =>
      row === 'fields' &&
      column.type.kind === 'STRUCT' &&
      column.type.fields.some((field) => field.name.toLowerCase() === name.toLowerCase()),
  );
  if (isField) return `Name in pipe ${verb} is a field of a value; ${verb} takes columns only: ${name}`;
  return `Column ${name} in ${verb} does not exist`;
}
