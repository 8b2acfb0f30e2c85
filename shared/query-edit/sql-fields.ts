import { path as pathOf } from '../sql/ast/build.ts';
import type { Expression } from '../sql/ast/expression.ts';
import type { FromItem, Query, Select, SelectItem } from '../sql/ast/query.ts';
import { type FieldPath, findField } from '../sql/sandbox/entry-field.ts';
import type { Column } from '../sql/types/sql-type.ts';
import type { Sources } from './condition.ts';

/** A name of FROM, and where in the source its values lie. */
interface RangeVariable {
  readonly name: string;
  /** From the source's columns to the elements; empty for the source's rows. */
  readonly path: readonly string[];
}

/** What a SELECT reads: one source, and elements of its records. */
export interface SelectedSource {
  readonly columns: readonly Column[];
  readonly row: string;
  readonly variables: readonly RangeVariable[];
}

/** The source that a SELECT reads; null where it reads something else, or several things. */
export function sourceOfSelect(query: Query, { from }: Select, sources: Sources): SelectedSource | null {
  const variables: RangeVariable[] = [];
  const first = from === null ? null : collect(from, variables);
  if (first === null || query.ctes.some(({ name }) => isSame(name, first.source))) return null;
  const [, columns] = [...sources].find(([name]) => isSame(name, first.source)) ?? [];
  if (columns === undefined) return null;
  return { columns, row: first.row, variables: [{ name: first.row, path: [] }, ...variables] };
}

/** Adds the names of joined arrays to `variables`; answers the leftmost item. */
function collect(
  from: FromItem,
  variables: RangeVariable[],
): { readonly source: string; readonly row: string } | null {
  if (from.kind === 'table') {
    const [source = '', ...rest] = from.path;
    return rest.length === 0 ? { source, row: from.alias ?? source } : null;
  }
  if (from.kind !== 'join') return null;
  const first = collect(from.left, variables);
  const array = arrayOf(from.right);
  if (first === null || array === null || from.join === 'RIGHT' || from.join === 'FULL') return null;
  if (array.alias !== null) {
    const inner = pathFrom(array.names, [{ name: first.row, path: [] }, ...variables]);
    variables.push({ name: array.alias, path: inner });
  }
  return first;
}

function arrayOf(
  item: FromItem,
): { readonly names: readonly string[]; readonly alias: string | null } | null {
  if (item.kind === 'table' && item.path.length > 1) return { names: item.path, alias: item.alias };
  if (item.kind !== 'unnest') return null;
  const names = namesOf(item.array);
  return { names: names ?? ['', ''], alias: item.alias ?? null };
}

/** The names of `a.b.c`; null for any other expression. */
export function namesOf(expression: Expression): readonly string[] | null {
  if (expression.kind === 'name') return [expression.name];
  if (expression.kind !== 'field') return null;
  const before = namesOf(expression.base);
  return before === null ? null : [...before, expression.name];
}

function pathFrom(names: readonly string[], variables: readonly RangeVariable[]): readonly string[] {
  const [first = '', ...rest] = names;
  const variable = variables.findLast(({ name }) => isSame(name, first));
  return variable === undefined || rest.length === 0 ? names : [...variable.path, ...rest];
}

/** The field of the source that names in a SELECT's expressions stand for; null for none. */
export function resolveNames(source: SelectedSource, names: readonly string[]): readonly string[] | null {
  const { columns, variables } = source;
  const qualified = pathFrom(names, variables);
  if (qualified !== names && findField(columns, qualified) !== null) return qualified;
  // A name by itself is a column of the source, else a field of what was joined last.
  if (findField(columns, names) !== null) return names;
  const holder = variables.findLast(({ path }) => findField(columns, [...path, ...names]) !== null);
  return holder === undefined ? null : [...holder.path, ...names];
}

/** The shortest expression for a field of the source: through a name of FROM that stands for its innermost record, else null. */
export function expressionOf(
  { row, variables }: SelectedSource,
  { levels, leaf }: FieldPath,
): Expression | null {
  if (levels.length === 0) {
    const hasJoins = variables.length > 1;
    const [first = '', ...rest] = leaf;
    return hasJoins ? pathOf(row, ...leaf) : pathOf(first, ...rest);
  }
  const record = levels.flat();
  const variable = variables.findLast(
    ({ path }) =>
      path.length === record.length && path.every((name, index) => isSame(name, record[index] ?? '')),
  );
  return variable === undefined ? null : pathOf(variable.name, ...leaf);
}

/** The item of a select list that makes a column; undefined where a star does. */
export function itemOf(
  items: readonly SelectItem[],
  column: string,
): Extract<SelectItem, { kind: 'expression' }> | undefined {
  return items.find((item): item is Extract<SelectItem, { kind: 'expression' }> => {
    if (item.kind !== 'expression') return false;
    const name = item.alias ?? namesOf(item.expression)?.at(-1);
    return name !== undefined && isSame(name, column);
  });
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
