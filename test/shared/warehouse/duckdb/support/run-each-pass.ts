import { ColumnIds } from '../../../../../shared/sql/resolved/column-ids.ts';
import type { ResolvedQuery, ResolvedScan } from '../../../../../shared/sql/resolved/scan.ts';
import { type Paging, planPages } from '../../../../../shared/warehouse/duckdb/translate/page-plans.ts';
import type { KnownData } from '../../../../../shared/warehouse/duckdb/translate/passes/known-data.ts';
import { runPasses } from '../../../../../shared/warehouse/duckdb/translate/passes/passes.ts';

import { textOutputs } from '../../../../../shared/warehouse/duckdb/translate/translate.ts';

/** The plan of a query's first page after all passes, and the names of those that changed it. */
export interface PassedPlan {
  readonly plan: ResolvedScan;
  readonly changedBy: readonly string[];
  readonly paging: Paging<unknown>;
}

/** Runs the passes over an analyzed query as translation does. */
export function passAnalyzed(
  { query, lastId }: { readonly query: ResolvedQuery; readonly lastId: number },
  pageRows: number,
  known: KnownData,
): PassedPlan {
  const ids = new ColumnIds(lastId);
  const outputs = new Set(query.columns.map(({ column }) => column.id));
  const texts = textOutputs(
    query.columns.map(({ name, column }) => ({ name, type: column.type })),
    [...outputs],
  );
  const context = { known, outputs, texts, newColumnId: () => ids.next() };
  const changedBy: string[] = [];
  const note = ({ name }: { readonly name: string }) => changedBy.push(name);
  const { rows, paging } = planPages(runPasses(query.scan, 'query', context, note), pageRows);
  const plan = runPasses(rows, 'page', context, note);
  return { plan, changedBy, paging };
}
