import { countNodes } from '../../sql/resolved/count-nodes.ts';
import type { ResolvedExpression } from '../../sql/resolved/expression.ts';
import { columnReference } from '../../sql/resolved/make-expression.ts';
import type {
  AggregateScan,
  OutputColumn,
  ResolvedQuery,
  ResolvedScan,
  SortKey,
} from '../../sql/resolved/scan.ts';
import { mapExpression } from '../../sql/resolved/transform.ts';
import { notSealable } from './not-sealable.ts';

/** A query whose rows are the groups of the entries of one table. */
export interface Aggregation {
  readonly columns: readonly OutputColumn[];
  readonly aggregate: AggregateScan;
  /** How the rows are sorted; by nothing where the query does not say. */
  readonly order: readonly SortKey[];
  /** What an expression over the groups is in terms of keys and aggregates. */
  expand(expression: ResolvedExpression): ResolvedExpression;
}

/** Why a scan between groups and answer, or between table and groups, looks at more than the entries of one time. */
const REASONS: Readonly<Record<ResolvedScan['kind'], string>> = {
  table: 'it has no GROUP BY',
  cte: '',
  'working-table': '',
  'single-row': 'it has no table',
  filter: 'HAVING looks at counts of the whole window; leave it out',
  project: '',
  unnest: 'arrays are unnested after GROUP BY; unnest them before',
  join: 'it joins tables; read one table only',
  aggregate: 'it groups twice; use one GROUP BY',
  window: 'a window function looks at rows of the whole window; leave it out',
  order: '',
  limit: 'LIMIT leaves out rows of the whole window; use the setting maxRows instead',
  'set-operation': 'it puts several queries together; use one SELECT',
};

/**
 * Reads a query as the groups of one table's entries. Throws a ServiceError (invalid_argument) where an answer for the whole
 * time could not be distinguished from the groups of its parts.
 */
export function readAggregation(query: ResolvedQuery): Aggregation {
  const definitions = new Map<number, ResolvedExpression>();
  let order: readonly SortKey[] | null = null;
  let { scan } = query;
  if (countNodes(scan, ({ kind }) => kind === 'aggregate') === 0) throw notSealable(REASONS.table);
  while (scan.kind !== 'aggregate') {
    switch (scan.kind) {
      case 'order':
        order ??= scan.keys;
        scan = scan.input;
        break;
      case 'project':
        for (const { column, expression } of scan.computed) definitions.set(column.id, expression);
        scan = scan.input;
        break;
      case 'cte': {
        for (const [index, column] of scan.columns.entries())
          definitions.set(column.id, columnReference(scan.cte.columns[index] ?? column));
        scan = scan.cte.scan;
        break;
      }
      default:
        throw notSealable(REASONS[scan.kind]);
    }
  }
  checkInput(scan);
  if (countNodes(query.scan, ({ kind }) => kind === 'table') !== 1)
    throw notSealable('it reads tables more than once; read one table in one place');
  const expand = (expression: ResolvedExpression): ResolvedExpression =>
    mapExpression(expression, (part) => {
      const definition = part.kind === 'column' ? definitions.get(part.column.id) : undefined;
      return definition === undefined ? null : expand(definition);
    });
  return { columns: query.columns, aggregate: scan, order: order ?? [], expand };
}

/** Below the groups each entry goes its own way. */
function checkInput({ input, keys, sets }: AggregateScan): void {
  if (sets !== null) throw notSealable('GROUPING SETS, ROLLUP and CUBE make totals; use plain GROUP BY');
  if (keys.length === 0) throw notSealable('it has no GROUP BY; group by something, such as the day');
  let scan = input;
  while (scan.kind !== 'table') {
    switch (scan.kind) {
      case 'cte':
        scan = scan.cte.scan;
        break;
      case 'filter':
      case 'project':
      case 'unnest':
      case 'order':
        scan = scan.input;
        break;
      default:
        throw notSealable(REASONS[scan.kind]);
    }
  }
}
