import type { AnalyzedQuery } from '../../../sql/analyzer/analyze.ts';
import { ColumnIds } from '../../../sql/resolved/column-ids.ts';
import type { ParameterName } from '../../../sql/resolved/expression.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';
import type { RawNumbers } from '../exact-numbers.ts';
import { variableSql } from '../sql-variables.ts';
import { column, duck, EMPTY, joined, word } from './duck/sql.ts';
import { encodeRow, hasOwnForm } from './encode-row.ts';
import { Generator } from './generator.ts';
import { NOW } from './internal-parameters.ts';
import { type Paging, planPages } from './page-plans.ts';
import type { KnownData } from './passes/known-data.ts';
import type { PassContext, TextOutputs } from './passes/pass.ts';
import { runPasses } from './passes/passes.ts';
import { recentRows } from './recent-rows.ts';
import { columnName, selectText } from './relation.ts';
import { TOP_LEVEL } from './scope.ts';

/** DuckDB SQL whose one column is each row as JSON text. */
export interface Translation {
  readonly sql: string;
  /**
   * The same with values as SQL variables, for a plan that is made once for the same values; null where each run needs a plan
   * of its own. DuckDB plans anew for values that are bound, and leaves out what the statistics of a table rule out: a table that
   * grows has others in the next run.
   */
  readonly fixedSql: string | null;
  /** What `$1`, `$2`, … are: names of query parameters, or own ones. */
  readonly parameters: readonly ParameterName[];
  /** What exactNumbers() needs to mend the rows' numbers; null where there is nothing to mend. */
  readonly rawNumbers: RawNumbers | null;
  /** What has to be filled before it runs (`TableSource`). */
  readonly units: ReadonlySet<string>;
}

/** Looks for rows among the newest entries. If it answers `rows` rows, they are those of the whole query. */
export interface RecentTranslation extends Translation {
  readonly rows: number;
}

/** A translation that can also be read page by page. */
export interface PagedTranslation extends Translation {
  readonly paging: Paging<Translation>;
  /** For a query of one page whose rows may be those of few parts of a table; null for any other. */
  readonly recent: RecentTranslation | null;
}

/** Translates an analyzed GoogleSQL query for data and values that are `known`, to be read in pages of `pageRows` rows. */
export function translate(
  { query, columns, lastId }: AnalyzedQuery,
  pageRows: number,
  known: KnownData,
): PagedTranslation {
  const ids = new ColumnIds(lastId);
  const newColumnId = () => ids.next();
  const outputs = query.columns.map(({ column }) => column.id);
  const context = { known, newColumnId };
  const plan = runPasses(query.scan, 'query', {
    ...context,
    outputs: new Set(outputs),
    texts: textOutputs(columns, outputs),
  });
  const { rows, paging } = planPages(plan, pageRows);
  const translation = generateRows(rows, columns, outputs, context);
  if (paging.kind === 'one-page') {
    const recent = translateRecent(rows, columns, outputs, context);
    const units = new Set([...translation.units, ...(recent?.units ?? [])]);
    return { ...translation, units, paging, recent };
  }
  if (paging.kind !== 'slices') return { ...translation, paging, recent: null };
  const { scan, column } = paging.search;
  const search = generateRows(scan, [{ name: 't', type: column.type }], [column.id], context);
  const units = new Set([...translation.units, ...search.units]);
  return { ...translation, units, paging: { ...paging, search }, recent: null };
}

/** Which columns of the answer may be read as text: stored texts have the form of a row of their own. */
export function textOutputs(columns: AnalyzedQuery['columns'], ids: readonly number[]): TextOutputs {
  const wanted = ids.filter((_, index) => {
    const type = columns[index]?.type;
    return type !== undefined && hasOwnForm(type, columns);
  });
  return { wanted: new Set(wanted), used: new Set() };
}

function translateRecent(
  scan: ResolvedScan,
  columns: AnalyzedQuery['columns'],
  ids: readonly number[],
  { known, newColumnId }: Pick<PassContext, 'known' | 'newColumnId'>,
): RecentTranslation | null {
  const recent = recentRows(scan, known);
  if (recent === null) return null;
  const translation = generateRows(recent.scan, columns, ids, { known: recent.known, newColumnId });
  return { ...translation, rows: recent.rows };
}

function generateRows(
  scan: ResolvedScan,
  columns: AnalyzedQuery['columns'],
  ids: readonly number[],
  { known, newColumnId }: Pick<PassContext, 'known' | 'newColumnId'>,
): Translation {
  const outputs = new Set(ids);
  const texts = textOutputs(columns, ids);
  const plan = runPasses(scan, 'page', { known, outputs, texts, newColumnId });
  let generator = new Generator(plan, newColumnId, known);
  let relation = generator.scan(plan, outputs, TOP_LEVEL);
  if (generator.readsBothForms) {
    generator = new Generator(plan, newColumnId, known, false);
    relation = generator.scan(plan, outputs, TOP_LEVEL);
  }
  const row = encodeRow(
    columns.map(({ name, type }, index) => ({
      name,
      type,
      sql: column(word('r'), columnName(ids[index] ?? 0)),
      isText: texts.used.has(ids[index] ?? 0),
    })),
  );
  const start = word(generator.isRecursive ? 'WITH RECURSIVE ' : 'WITH ');
  const ctes = generator.ctes.length === 0 ? EMPTY : duck`${start}${joined(generator.ctes, ', ')} `;
  const rows = selectText(relation, outputs);
  const sql = duck`${ctes}SELECT ${row.sql} FROM (${rows}) AS r`;
  const { parameters, readsGrowingTables } = generator;
  // A plan for one instant is of no use in the next.
  const isFixed = !readsGrowingTables && !parameters.includes(NOW);
  return {
    sql: sql.text(),
    fixedSql: isFixed ? sql.text(variableSql) : null,
    parameters,
    rawNumbers: row.rawNumbers,
    units: generator.units,
  };
}
