import { columnReference } from '../../../../../sql/resolved/make-expression.ts';
import { addedColumns } from '../../../../../sql/resolved/outer-columns.ts';
import type { ComputedColumn, ResolvedScan } from '../../../../../sql/resolved/scan.ts';
import { walkPlan } from '../../../../../sql/resolved/walk.ts';
import type { Pass, PassContext } from '../pass.ts';
import { wholeColumn } from './environment.ts';
import { projected } from './projected.ts';
import { RecordRewriter } from './record-rewriter.ts';

/**
 * Records that a table keeps as columns are read as these: unnesting one is a filter for rows that have it, a field is a
 * column, a subquery over one is an expression. What needs a whole record puts it together.
 */
export const SINGLE_RECORDS: Pass = {
  name: 'single records',
  stage: 'page',
  isCandidate: (scan, { known }) =>
    scan.kind === 'table' && (known.layouts.get(scan.table)?.flat.size ?? 0) > 0,
  run: readAsColumns,
};

/**
 * The plan over the columns of flat records. Answers as text what rows may have as text; other records of the answer are
 * put together at the top, for its rows alone.
 */
export function readAsColumns(
  plan: ResolvedScan,
  { known, outputs, texts, newColumnId }: PassContext,
): ResolvedScan {
  const rewriter = new RecordRewriter(known.layouts, newColumnId);
  const { environment } = rewriter;
  const rewritten = rewriter.scan(plan);
  const computed: ComputedColumn[] = [];
  walkPlan(plan, (scan) => {
    for (const column of addedColumns(scan)) {
      if (!outputs.has(column.id) || computed.some((one) => one.column.id === column.id)) continue;
      const value = environment.value(column);
      const text = texts.wanted.has(column.id) ? environment.text(column) : null;
      if (text !== null) texts.used.add(column.id);
      if (text !== null) computed.push({ column, expression: columnReference(text()) });
      else if (value !== null) computed.push({ column, expression: wholeColumn(value) });
    }
  });
  return computed.length === 0 ? rewritten : projected(rewritten, computed);
}
