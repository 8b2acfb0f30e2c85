import type { LimitScan } from '../../../sql/resolved/scan.ts';
import { type Relation, selectListText } from './relation.ts';

/** Above it, sorting the rows with all that they hold costs more than finding them twice. */
const MOST_ROWS = 10_000n;

/** SQL that may answer differently when it runs again. */
const VOLATILE = /\b(?:random|uuid|gen_random_uuid)\(/;

/**
 * For "the newest n rows" of a table: adds the bound in time that they lie behind, found by reading narrow columns
 * only. Tables are sorted by time, so DuckDB then reads the nested columns of a few row groups, whatever the table's
 * size; without the bound it reads those of many, and sorts the rows with all their nested values.
 */
export function boundByTime(relation: Relation, scan: LimitScan, needed: ReadonlySet<number>): Relation {
  const key = scan.input.kind === 'order' ? scan.input.keys[0] : undefined;
  const rows = rowsSought(scan);
  if (rows === null || key?.expression.kind !== 'column') return relation;
  const time = relation.columns.get(key.expression.column.id);
  if (time?.role !== 'time' || relation.isComputed) return relation;
  if (![...needed].some((id) => relation.columns.get(id)?.role === 'nested')) return relation;
  if (relation.where.some((condition) => VOLATILE.test(condition))) return relation;
  const [direction, comparison, outermost] = key.descending ? ['DESC', '>=', 'min'] : ['ASC', '<=', 'max'];
  const found = selectListText(
    { ...relation, orderBy: `${time.sql} ${direction}`, limit: `LIMIT ${rows}` },
    `${time.sql} AS t`,
  );
  const bound = `${time.sql} ${comparison} (SELECT ${outermost}(t) FROM (${found}))`;
  return { ...relation, where: [...relation.where, bound] };
}

/** How many rows of the order a LIMIT looks at; null when that is known only later, or too many. */
function rowsSought({ limit, offset }: LimitScan): bigint | null {
  const count = limit.kind === 'literal' && typeof limit.value === 'bigint' ? limit.value : null;
  const skipped = offset === null ? 0n : offset.kind === 'literal' ? offset.value : null;
  if (count === null || typeof skipped !== 'bigint') return null;
  return count + skipped <= MOST_ROWS ? count + skipped : null;
}
