import { countTableReads } from '../../../sql/resolved/cte-uses.ts';
import type { ResolvedColumn, ResolvedExpression } from '../../../sql/resolved/expression.ts';
import { callOf, columnReference } from '../../../sql/resolved/make-expression.ts';
import { isExpression, walkParts } from '../../../sql/resolved/parts.ts';
import type { ResolvedScan } from '../../../sql/resolved/scan.ts';
import { walkPlan } from '../../../sql/resolved/walk.ts';
import { BOOL, TIMESTAMP } from '../../../sql/types/sql-type.ts';
import { neverRaisesByRow } from './never-raises.ts';
import type { KnownData } from './passes/known-data.ts';
import { rowsSought } from './passes/rows-sought.ts';
import { boundTime } from './time-slices.ts';

/** A query for its newest rows that looks for them among the newest entries only. */
export interface RecentRows {
  readonly scan: ResolvedScan;
  /** What is known of the entries that it looks at. */
  readonly known: KnownData;
  /** If it answers so many rows, they are those of the query; fewer say nothing. */
  readonly rows: number;
}

/**
 * The newest rows of a plan that answers a number of rows of one log table, newest first, filtered and unnested at will: each row has the time of
 * its entry, so that those after an instant are of the parts that have all entries after it. Null for any other plan, for a table of which
 * nothing can be left out, and where an older entry may raise an error.
 */
export function recentRows(plan: ResolvedScan, known: KnownData): RecentRows | null {
  const { recent } = known;
  if (recent === undefined || recent.size === 0 || plan.kind !== 'limit' || plan.input.kind !== 'order')
    return null;
  const ordered = plan.input;
  const [key] = ordered.keys;
  const rows = plan.limit.kind === 'literal' ? Number(plan.limit.value) : 0;
  if (rows === 0 || rowsSought(plan) === null) return null;
  if (key?.expression.kind !== 'column' || !key.descending || key.nullsFirst) return null;
  const source = onlyTable(ordered) ?? '';
  const entries = recent.get(source);
  if (entries === undefined || mayRaise(ordered)) return null;
  const { afterMicros, parts, hasRepeated } = entries;
  const input = boundTime(ordered.input, key.expression.column.id, (column) => isAfter(column, afterMicros));
  if (input === null) return null;
  const layouts = new Map(known.layouts);
  const layout = layouts.get(source);
  if (layout !== undefined) layouts.set(source, { ...layout, hasRepeated });
  return {
    scan: { ...plan, input: { ...ordered, input } },
    known: { ...known, layouts, parts: new Map([...(known.parts ?? []), ...parts]) },
    rows,
  };
}

/** The table that a plan reads once, and no other; null for a plan that reads more or none. */
function onlyTable(plan: ResolvedScan): string | null {
  if (countTableReads(plan) !== 1) return null;
  const tables: string[] = [];
  walkPlan(plan, (scan) => {
    if (scan.kind === 'table') tables.push(scan.table);
  });
  return tables[0] ?? null;
}

function mayRaise(plan: ResolvedScan): boolean {
  let isTotal = true;
  walkPlan(plan, (scan) =>
    walkParts(scan, (part) => {
      // What a subquery is made of is looked at by itself.
      isTotal &&= !isExpression(part) || part.kind === 'subquery' || neverRaisesByRow(part);
    }),
  );
  return !isTotal;
}

function isAfter(column: ResolvedColumn, micros: bigint): ResolvedExpression {
  return callOf('$GREATER', BOOL, columnReference(column), {
    kind: 'literal',
    type: TIMESTAMP,
    value: micros,
  });
}
