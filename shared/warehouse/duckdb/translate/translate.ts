import type { AnalyzedQuery } from '../../../sql/analyzer/analyze.ts';
import type { ParameterName } from '../../../sql/resolved/expression.ts';
import type { OutputColumn, ResolvedScan } from '../../../sql/resolved/scan.ts';
import { inheritOrder } from '../../source-order.ts';
import type { RawNumbers } from '../exact-numbers.ts';
import { columnIds } from './column-ids.ts';
import { column, duck, EMPTY, joined, word } from './duck/sql.ts';
import { encodeRow } from './encode-row.ts';
import { type Paging, planPages } from './page-plans.ts';
import type { KnownData } from './passes/known-data.ts';
import { runPasses } from './passes/passes.ts';
import { Printer, TOP_LEVEL } from './printer.ts';
import { columnName, selectText } from './relation.ts';

/** DuckDB SQL whose one column is each row as JSON text. */
export interface Translation {
  readonly sql: string;
  /** What `$1`, `$2`, … are: names of query parameters, or own ones. */
  readonly parameters: readonly ParameterName[];
  /** What exactNumbers() needs to mend the rows' numbers; null where there is nothing to mend. */
  readonly rawNumbers: RawNumbers | null;
}

export interface PagedTranslation extends Translation {
  readonly paging: Paging<Translation>;
}

/** Translates an analyzed GoogleSQL query for data and values that are `known`, to be read in pages of `pageRows` rows. */
export function translate(
  { query, columns }: AnalyzedQuery,
  pageRows: number,
  known: KnownData,
): PagedTranslation {
  const { scan, columns: outputs } = inheritOrder(query);
  const { rows, paging } = planPages(scan, pageRows);
  const translation = printRows(rows, columns, outputs, known);
  if (paging.kind !== 'slices') return { ...translation, paging };
  const { search } = paging;
  const found = printRows(
    search.scan,
    [{ name: 't', type: search.column.type }],
    [{ name: 't', column: search.column }],
    known,
  );
  return { ...translation, paging: { ...paging, search: found } };
}

function printRows(
  scan: ResolvedScan,
  columns: AnalyzedQuery['columns'],
  outputs: readonly OutputColumn[],
  known: KnownData,
): Translation {
  const newColumnId = columnIds();
  const ids = outputs.map(({ column }) => column.id);
  const plan = runPasses(scan, { known, outputs: new Set(ids), newColumnId });
  const printer = new Printer(plan, newColumnId);
  const relation = printer.scan(plan, new Set(ids), TOP_LEVEL);
  const row = encodeRow(
    columns.map(({ name, type }, index) => ({
      name,
      type,
      sql: column(word('r'), columnName(ids[index] ?? 0)),
    })),
  );
  const ctes = printer.ctes.length === 0 ? EMPTY : duck`WITH ${joined(printer.ctes, ', ')} `;
  const rows = selectText(relation, new Set(ids));
  return {
    sql: duck`${ctes}SELECT ${row.sql} FROM (${rows}) AS r`.text(),
    parameters: printer.parameters,
    rawNumbers: row.rawNumbers,
  };
}
