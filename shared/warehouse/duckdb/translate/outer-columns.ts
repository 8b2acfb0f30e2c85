import { union } from './print-scan.ts';
import type { Printer, Surroundings } from './printer.ts';
import type { Relation } from './relation.ts';

/**
 * The relation with the columns of the queries around it that are used over it as columns of its own. DuckDB takes an
 * aggregate or window function that refers to nothing else for one of the outer query.
 */
export function ownOuterColumns(
  printer: Printer,
  relation: Relation,
  used: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  const outer = [...used].filter((id) => !relation.columns.has(id));
  if (outer.length === 0) return relation;
  const columns = new Map(relation.columns);
  for (const id of outer) {
    const sql = around.lookup(id);
    if (sql !== null) columns.set(id, { sql, isSimple: true });
  }
  return printer.wrap({ ...relation, columns }, union(used, new Set(relation.columns.keys())));
}
