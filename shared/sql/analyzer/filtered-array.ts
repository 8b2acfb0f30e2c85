import type { ResolvedColumn, ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import type { ComputedColumn, ResolvedScan, UnnestScan } from '../resolved/scan.ts';
import { arrayOf } from '../types/sql-type.ts';
import { type Environment, newColumn } from './environment.ts';
import type { From } from './from.ts';
import { fieldOf } from './resolve-name.ts';
import { joinNames, type RangeVariable } from './scope.ts';

/**
 * LEFT JOIN of an array with a condition on its elements: an outer unnest of the array of those elements that meet
 * it, so that a row whose elements all fail stays, once, with NULL.
 */
export function joinFilteredArray(
  environment: Environment,
  left: From,
  { scan, names }: From,
  condition: ResolvedExpression,
): From {
  if (scan.kind !== 'unnest') throw new TypeError('an array is joined by unnesting it');
  const kept = keptElements(environment, scan, condition);
  const joined = newColumn(environment, scan.element.name, kept.column.type);
  const array: ResolvedExpression = {
    kind: 'subquery',
    type: arrayOf(joined.type),
    mode: 'array',
    scan: kept.scan,
    column: kept.column,
    operand: null,
  };
  const unnested: ResolvedScan = {
    kind: 'unnest',
    input: left.scan,
    array,
    element: joined,
    offset: null,
    outer: true,
  };
  const { rows, columns } =
    scan.offset === null ? { rows: unnested, columns: [joined] } : split(environment, scan, unnested, joined);
  const ranges = names.ranges.map((range, index): RangeVariable => {
    return { kind: 'value', alias: range.alias, column: columns[index] ?? joined };
  });
  return { scan: rows, names: joinNames(left.names, { ...names, ranges }) };
}

/** The elements that meet the condition; with WITH OFFSET each together with its position, as a struct. */
function keptElements(
  environment: Environment,
  scan: UnnestScan,
  condition: ResolvedExpression,
): { readonly scan: ResolvedScan; readonly column: ResolvedColumn } {
  const filtered: ResolvedScan = {
    kind: 'filter',
    input: { ...scan, input: { kind: 'single-row' }, outer: false },
    condition,
  };
  const { element, offset } = scan;
  if (offset === null) return { scan: filtered, column: element };
  const expression: ResolvedExpression = {
    kind: 'struct',
    type: {
      kind: 'STRUCT',
      fields: [
        { name: 'element', type: element.type },
        { name: 'offset', type: offset.type },
      ],
    },
    fields: [columnReference(element), columnReference(offset)],
  };
  const column = newColumn(environment, element.name, expression.type);
  return { scan: { kind: 'project', input: filtered, computed: [{ column, expression }] }, column };
}

/** Takes elements and positions apart again. */
function split(
  environment: Environment,
  { element, offset }: UnnestScan,
  input: ResolvedScan,
  pair: ResolvedColumn,
): { readonly rows: ResolvedScan; readonly columns: readonly ResolvedColumn[] } {
  const columns = [element, offset ?? element].map(({ name, type }) => newColumn(environment, name, type));
  const computed = columns.map((column, index): ComputedColumn => {
    return { column, expression: fieldOf(columnReference(pair), index) };
  });
  return { rows: { kind: 'project', input, computed }, columns };
}
