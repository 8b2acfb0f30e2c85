import type { ResolvedPath } from './resolve-path.ts';

/** A condition that holds where it is TRUE. One that is not nullable can stand behind NOT. */
export interface ConditionSql {
  readonly sql: string;
  readonly isNullable: boolean;
}

/** Some value at the path in `row` meets a condition on it; the elements of repeated records on the way are joined. */
export function someValue(
  row: string,
  { levels, leaf }: ResolvedPath,
  condition: (leaf: string) => string,
): ConditionSql {
  if (levels.length === 0) return { sql: condition(`${row}${leaf}`), isNullable: true };
  const joins = levels.map(
    (way, index) => `UNNEST(${element(row, index)}${way}) AS ${element(row, index + 1)}`,
  );
  const found = `SELECT 1 FROM ${joins.join(', ')} WHERE ${condition(`${element(row, levels.length)}${leaf}`)}`;
  return { sql: `EXISTS (${found})`, isNullable: false };
}

/**
 * Some value at the path in `row` is null: a record that is missing on the way counts as one. Outer joins keep those, but for
 * the first one, without which there is no row at all.
 */
export function someNull(row: string, { levels, leaf, type }: ResolvedPath): ConditionSql {
  const isNull = (value: string) => (type.kind === 'ARRAY' ? isEmpty(value) : `${value} IS NULL`);
  const [first, ...rest] = levels;
  if (first === undefined) return { sql: `(${isNull(`${row}${leaf}`)})`, isNullable: false };
  const joins = rest.map(
    (way, index) =>
      ` LEFT JOIN UNNEST(${element(row, index + 1)}${way}) AS ${element(row, index + 2)} ON TRUE`,
  );
  const last = `${element(row, levels.length)}${leaf}`;
  const found = `SELECT 1 FROM UNNEST(${row}${first}) AS ${element(row, 1)}${joins.join('')} WHERE ${isNull(last)}`;
  return { sql: `(${isEmpty(`${row}${first}`)} OR EXISTS (${found}))`, isNullable: false };
}

function isEmpty(array: string): string {
  return `IFNULL(ARRAY_LENGTH(${array}), 0) = 0`;
}

/** The name of the elements of a level; the row itself is the level above all others. */
function element(row: string, level: number): string {
  return level === 0 ? row : `e${level}`;
}
