import { column, integer, join, path, query, select, subquery, unnest } from '../ast/build.ts';
import type { Expression } from '../ast/expression.ts';
import type { FromItem } from '../ast/query.ts';
import type { Column, SqlType } from '../types/sql-type.ts';

/** A path through a source's columns: names, cut after each repeated record. */
export interface FieldPath {
  /** Of each repeated record on the way, the names from the one before it. */
  readonly levels: readonly (readonly string[])[];
  /** The names from the innermost of them to the field. */
  readonly leaf: readonly string[];
  readonly type: SqlType;
}

/** Finds a path, whatever case its names have; null where there is no such field. */
export function findField(columns: readonly Column[], names: readonly string[]): FieldPath | null {
  const levels: string[][] = [];
  let leaf: string[] = [];
  let fields = columns;
  let type: SqlType | null = null;
  for (const name of names) {
    if (type?.kind === 'ARRAY') {
      levels.push(leaf);
      leaf = [];
    }
    const field = fields.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (field === undefined) return null;
    leaf.push(field.name);
    type = field.type;
    const element = type.kind === 'ARRAY' ? type.element : type;
    fields = element.kind === 'STRUCT' ? element.fields : [];
  }
  return type === null ? null : { levels, leaf, type };
}

/** The value at a path in `row`: the first one where repeated records on the way have several, NULL where they have none. */
export function firstValue(row: string, { levels, leaf }: FieldPath): Expression {
  if (levels.length === 0) return path(row, ...leaf);
  const element = (level: number) => (level === 0 ? row : `e${level}`);
  const from = levels
    .map((way, index): FromItem => unnest(path(element(index), ...way), element(index + 1)))
    .reduce((left, right) => join(left, 'COMMA', right));
  const values = subquery('array', query(select([column(path(element(levels.length), ...leaf))], { from })));
  return { kind: 'subscript', base: values, index: integer(0), mode: 'safe_offset', at: 0 };
}
