import type { AnalyzedQuery } from '../../../sql/analyzer/analyze.ts';
import type { ResolvedExpression } from '../../../sql/resolved/expression.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';
import { INT64 } from '../../../sql/types/sql-type.ts';
import { inheritOrder } from '../../source-order.ts';
import type { RawNumbers } from '../exact-numbers.ts';
import { encodeRow } from './encode-row.ts';
import { Printer, TOP_LEVEL } from './printer.ts';
import { selectText } from './relation.ts';

/** DuckDB SQL whose one column is each row as JSON text. */
export interface Translation {
  readonly sql: string;
  /** What `$1`, `$2`, … are: names of query parameters, or NOW_PARAMETER. */
  readonly parameters: readonly string[];
  /** What exactNumbers() needs to mend the rows' numbers; null where there is nothing to mend. */
  readonly rawNumbers: RawNumbers | null;
}

/** Translates an analyzed GoogleSQL query; it answers at most `maxRows` rows. */
export function translate({ query, columns }: AnalyzedQuery, maxRows: number): Translation {
  const { scan, columns: outputs } = inheritOrder(query);
  const printer = new Printer(scan);
  const ids = outputs.map(({ column }) => column.id);
  const relation = printer.scan(capRows(scan, maxRows), new Set(ids), TOP_LEVEL);
  const row = encodeRow(columns.map(({ name, type }, index) => ({ name, type, sql: `r.c${ids[index]}` })));
  const ctes = printer.ctes.length === 0 ? '' : `WITH ${printer.ctes.join(', ')} `;
  const rows = selectText(relation, new Set(ids));
  return {
    sql: `${ctes}SELECT ${row.sql} FROM (${rows}) AS r`,
    parameters: printer.parameters,
    rawNumbers: row.rawNumbers,
  };
}

/** Puts the cap where the query's own LIMIT stands, so that sorting and cutting stay one step. */
function capRows(scan: ResolvedScan, maxRows: number): ResolvedScan {
  const cap: ResolvedExpression = { kind: 'literal', type: INT64, value: BigInt(maxRows) };
  const isOwn =
    scan.kind === 'limit' && scan.limit.kind === 'literal' && typeof scan.limit.value === 'bigint';
  if (scan.kind === 'limit' && isOwn) {
    const own = scan.limit.kind === 'literal' ? scan.limit.value : null;
    return typeof own === 'bigint' && own <= BigInt(maxRows) ? scan : { ...scan, limit: cap };
  }
  return { kind: 'limit', input: scan, limit: cap, offset: null };
}
