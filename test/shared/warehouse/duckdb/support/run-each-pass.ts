import { printPlan } from '../../../../../shared/sql/resolved/print-plan.ts';
import type { ResolvedScan } from '../../../../../shared/sql/resolved/scan.ts';
import { columnIds } from '../../../../../shared/warehouse/duckdb/translate/column-ids.ts';
import type { PassContext } from '../../../../../shared/warehouse/duckdb/translate/passes/pass.ts';
import { PASSES, runPasses } from '../../../../../shared/warehouse/duckdb/translate/passes/passes.ts';

/** A plan after all passes, and the names of those that changed it. */
export interface PassedPlan {
  readonly plan: ResolvedScan;
  readonly changedBy: readonly string[];
}

/** Runs the passes one by one, as runPasses() does. */
export function runEachPass(plan: ResolvedScan, context: Omit<PassContext, 'newColumnId'>): PassedPlan {
  const newColumnId = columnIds();
  const changedBy: string[] = [];
  let current = plan;
  for (const pass of PASSES) {
    const next = runPasses(current, { ...context, newColumnId }, [pass]);
    if (printPlan(next) !== printPlan(current)) changedBy.push(pass.name);
    current = next;
  }
  return { plan: current, changedBy };
}
