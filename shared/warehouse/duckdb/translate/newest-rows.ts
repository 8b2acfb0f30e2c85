import type { LimitScan } from '../../../sql/resolved/scan.ts';
import { duck, subquery, word } from './duck/sql.ts';
import { type Relation, selectListText } from './relation.ts';

/** Above it, sorting the rows with all that they hold costs more than finding them twice. */
const MOST_ROWS = 10_000n;

/** The first rows of a table's time order. */
interface Sought {
  readonly rows: bigint;
  readonly isNewestFirst: boolean;
}

/**
 * For "the newest n rows" of a table: adds the bound in time that they lie behind, found by reading narrow columns
 * only. Tables are sorted by time, so DuckDB then reads the nested columns of a few row groups, whatever the table's
 * size; without the bound it reads those of many, and sorts the rows with all their nested values. Where arrays are
 * unnested by left joins, the entries are bounded: each is one row or more, so n of them are enough.
 */
export function boundByTime(relation: Relation, scan: LimitScan, needed: ReadonlySet<number>): Relation {
  const key = scan.input.kind === 'order' ? scan.input.keys[0] : undefined;
  const rows = rowsSought(scan);
  if (rows === null || key?.expression.kind !== 'column') return relation;
  const { id } = key.expression.column;
  const isNested = [...needed].some((one) => relation.columns.get(one)?.role === 'nested');
  if (relation.outerUnnest === null && !isNested) return relation;
  return boundEntries(relation, id, { rows, isNewestFirst: key.descending }) ?? relation;
}

/** The relation with its entries bounded; null where its rows may be fewer than its entries, or the column is not their time. */
function boundEntries(relation: Relation, timeId: number, sought: Sought): Relation | null {
  const time = relation.columns.get(timeId);
  if (time === undefined || relation.isComputed || relation.limit !== null) return null;
  const { outerUnnest } = relation;
  if (outerUnnest !== null) {
    const inputId = outerUnnest.inputIds.get(time.sql);
    if (inputId === undefined || relation.where.length > 0) return null;
    const input = boundEntries(outerUnnest.input, inputId, sought);
    return input === null ? null : { ...relation, from: outerUnnest.from(input) };
  }
  if (time.role !== 'time' || relation.where.some(({ properties }) => properties.isVolatile)) return null;
  const { rows, isNewestFirst } = sought;
  const words = isNewestFirst ? ['DESC', '>=', 'min'] : ['ASC', '<=', 'max'];
  const [direction, comparison, outermost] = words.map(word);
  const found = selectListText(
    { ...relation, orderBy: duck`${time.sql} ${direction}`, limit: duck`LIMIT ${rows}` },
    duck`${time.sql} AS t`,
  );
  const bound = duck`${time.sql} ${comparison} ${subquery(duck`SELECT ${outermost}(t) FROM (${found})`)}`;
  return { ...relation, where: [...relation.where, bound] };
}

/** How many rows of the order a LIMIT looks at; null when that is known only later, or too many. */
function rowsSought({ limit, offset }: LimitScan): bigint | null {
  const count = limit.kind === 'literal' && typeof limit.value === 'bigint' ? limit.value : null;
  const skipped = offset === null ? 0n : offset.kind === 'literal' ? offset.value : null;
  if (count === null || typeof skipped !== 'bigint') return null;
  return count + skipped <= MOST_ROWS ? count + skipped : null;
}
