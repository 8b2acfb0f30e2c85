import { copyScan } from '../../../../sql/resolved/copy-scan.ts';
import { countCteUses, countTableReads } from '../../../../sql/resolved/cte-uses.ts';
import type { ResolvedColumn } from '../../../../sql/resolved/expression.ts';
import { callOf, columnReference, integer } from '../../../../sql/resolved/make-expression.ts';
import { mapPlan, type NeededColumns } from '../../../../sql/resolved/map-plan.ts';
import { addedColumns } from '../../../../sql/resolved/outer-columns.ts';
import { referencedColumns } from '../../../../sql/resolved/references.ts';
import type { CteScan, OrderScan, ResolvedScan, TableScan } from '../../../../sql/resolved/scan.ts';
import { walkPlan } from '../../../../sql/resolved/walk.ts';
import { BOOL, INT64 } from '../../../../sql/types/sql-type.ts';
import {
  elementsTable,
  isPartOf,
  OFFSET_COLUMN,
  type Presence,
  REPEATED_COLUMN,
  repeatedRecords,
  repeatedTable,
  type TableLayouts,
} from '../../store/layout.ts';
import { isCheap } from '../shared-ctes.ts';
import { boundByOthers, type RowsOfUnion } from './bound-by-others.ts';
import type { KnownData } from './known-data.ts';
import type { Pass, PassContext } from './pass.ts';
import { rowsSought } from './rows-sought.ts';
import { readAsColumns } from './single-records/single-records.ts';
import { type ElementsOfUnions, unnestedElements } from './unnested-elements.ts';

/** Most tables that the other side of a join may read: it is read for each of the two tables. */
const MOST_READS = 2;

/**
 * The columns of a source's table have nothing of records that an entry has twice; such an entry lies in the table beside it
 * as well. Where a query asks for such a record, it reads these entries from there. What is done with each entry by itself
 * is then done in both tables, so that the records of the others stay columns; all else is done with the entries of both.
 */
export const REPEATED_ENTRIES: Pass = {
  name: 'repeated entries',
  stage: 'page',
  isCandidate: (scan, { known }) => scan.kind === 'table' && hasRepeated(known, scan),
  run(plan, context) {
    const tables = tablesToSplit(plan, context);
    if (tables.size === 0) return plan;
    const uses = countCteUses(plan);
    const isInPlace = ({ cte }: CteScan) => uses.get(cte.id) === 1 || isCheap(cte.scan);
    const splitter = new Splitter(context, tables, isInPlace);
    const split = (scan: ResolvedScan, needed: NeededColumns) => splitter.split(scan, needed);
    const both = mapPlan(plan, context.outputs, split, true);
    const { layouts } = context.known;
    if (![...tables].some((table) => layouts.get(table)?.elements !== undefined)) return both;
    // Which records the rows use shows when all is read as columns.
    const elements = unnestedElements(both, trialOf(both, context, layouts), layouts);
    if (elements.size === 0) return both;
    const replace = (scan: ResolvedScan, needed: NeededColumns) =>
      splitter.withElements(scan, elements) ?? splitter.split(scan, needed);
    return mapPlan(both, context.outputs, replace, true);
  },
};

function hasRepeated({ layouts }: KnownData, { table }: TableScan): boolean {
  return layouts.get(table)?.hasRepeated ?? false;
}

/** The tables of which a query asks for records that entries may have twice, found by reading them all as columns. */
function tablesToSplit(plan: ResolvedScan, context: PassContext): ReadonlySet<string> {
  const { known } = context;
  const trial = trialOf(plan, context, withoutStatistics(known.layouts));
  const tables = new Set<string>();
  walkPlan(trial, (scan) => {
    if (scan.kind !== 'table') return;
    const layout = known.layouts.get(scan.table);
    const records = layout === undefined ? [] : repeatedRecords(layout);
    const isAsked = scan.columns.some(({ name }) => records.some((record) => isPartOf(name, record)));
    if (isAsked) tables.add(scan.table);
  });
  return tables;
}

/** A plan that reads records as columns, to be looked at and thrown away. */
function trialOf(plan: ResolvedScan, context: PassContext, layouts: TableLayouts): ResolvedScan {
  const { known, texts } = context;
  let lastId = 0;
  return readAsColumns(plan, {
    ...context,
    known: { ...known, layouts },
    // Its ids must only be unlike those of the query.
    newColumnId: () => --lastId,
    texts: { ...texts, used: new Set() },
  });
}

/** Statistics say which other entries have a record, and would leave its columns out. */
function withoutStatistics(layouts: TableLayouts): TableLayouts {
  return new Map(
    [...layouts].map(([table, layout]) => {
      if (!layout.hasRepeated) return [table, layout];
      const flat = [...layout.flat.keys()].map((path): [string, Presence] => [path, 'sometimes']);
      return [table, { ...layout, flat: new Map(flat) }];
    }),
  );
}

/** How many rows of an order are sought. */
interface FirstRows {
  readonly order: OrderScan;
  readonly rows: bigint;
}

/** Rows of one table. */
interface Split {
  readonly scan: ResolvedScan;
  readonly first: FirstRows | null;
}

class Splitter {
  readonly #context: PassContext;
  readonly #tables: ReadonlySet<string>;
  readonly #isInPlace: (scan: CteScan) => boolean;
  /** Reads of the sources' tables themselves, beside which others are read. */
  readonly #done = new WeakSet<TableScan>();
  /** What the unions were made of, by their columns. */
  readonly #splits = new WeakMap<readonly ResolvedColumn[], Split>();

  constructor(context: PassContext, tables: ReadonlySet<string>, isInPlace: (scan: CteScan) => boolean) {
    this.#context = context;
    this.#tables = tables;
    this.#isInPlace = isInPlace;
  }

  /** The rows of both tables, where a scan has rows of one table, one by one. */
  split(scan: ResolvedScan, needed: NeededColumns): ResolvedScan {
    if (scan.kind === 'limit' && scan.input.kind === 'order') {
      const rows = rowsSought(scan);
      const { input: order } = scan;
      if (rows === null || this.#tableOf(order.input) === null) return scan;
      const used = new Set([...needed(), ...referencedColumns(order.keys)]);
      return { ...scan, input: { ...order, input: this.#both(order.input, used, { order, rows }) } };
    }
    // What stands above may ask for the order of an ORDER BY, which the rows of two tables do not have.
    if (scan.kind === 'order' || this.#tableOf(scan) === null) return scan;
    return this.#both(scan, needed(), null);
  }

  /** The table that a scan reads entries of, to which it does something one by one; null for other scans. */
  #tableOf(scan: ResolvedScan): TableScan | null {
    switch (scan.kind) {
      case 'table':
        return this.#tables.has(scan.table) && !this.#done.has(scan) ? scan : null;
      case 'filter':
      case 'project':
      case 'unnest':
      case 'order':
        return this.#tableOf(scan.input);
      case 'join': {
        const isLeft = scan.join === 'CROSS' || scan.join === 'INNER' || scan.join === 'LEFT';
        return isLeft && countTableReads(scan.right) <= MOST_READS ? this.#tableOf(scan.left) : null;
      }
      case 'cte':
        return this.#isInPlace(scan) ? this.#tableOf(scan.cte.scan) : null;
      default:
        return null;
    }
  }

  #both(scan: ResolvedScan, needed: ReadonlySet<number>, first: FirstRows | null): ResolvedScan {
    const columns = this.#visible(scan).filter(({ id }) => needed.has(id));
    const single = this.#copy(scan, columns, first, (table) => this.#others(table));
    const bound = boundByOthers(single, this.#context.newColumnId);
    const inputs =
      bound === null
        ? [single, this.#copy(scan, columns, first, (table) => this.#beside(table))]
        : [bound.rows, this.#copy(scan, columns, null, (table) => this.#beside(table, bound.within))];
    this.#splits.set(columns, { scan, first });
    return { kind: 'set-operation', operator: 'UNION', distinct: false, inputs, columns };
  }

  /** The rows of both tables with the elements of a record in the place of the entries beside the one; null for all other scans. */
  withElements(scan: ResolvedScan, elements: ElementsOfUnions): ResolvedScan | null {
    if (scan.kind !== 'set-operation') return null;
    const { columns } = scan;
    const split = this.#splits.get(columns);
    const found = elements.get(columns);
    if (split === undefined || found === undefined) return null;
    const table = elementsTable(found.source, found.record);
    const others = (own: TableScan) => (found.isOnly ? this.#others(own) : this.#all(own));
    const copy = (map: (own: TableScan) => ResolvedScan) => this.#copy(split.scan, columns, split.first, map);
    return { ...scan, inputs: [copy(others), copy((own) => ({ ...own, table }))] };
  }

  /** A scan over another table, its first rows alone where these are sought, with columns of its own. */
  #copy(
    scan: ResolvedScan,
    columns: readonly ResolvedColumn[],
    first: FirstRows | null,
    map: (table: TableScan) => ResolvedScan,
  ): RowsOfUnion {
    const copy = copyScan(
      this.#mapTable(scan, (table) => table),
      this.#context.newColumnId,
    );
    const rows = this.#mapTable(copy.scan, map);
    const own = columns.map((column) => copy.column(column));
    if (first === null) return { scan: rows, columns: own };
    const keys = first.order.keys.map((key) => ({ ...key, expression: copy.expression(key.expression) }));
    const order: OrderScan = { kind: 'order', input: rows, keys };
    const limit: ResolvedScan = { kind: 'limit', input: order, limit: integer(first.rows), offset: null };
    return { scan: limit, columns: own };
  }

  /** The entries of a source's table that have no record twice. */
  #others(table: TableScan): ResolvedScan {
    const flag: ResolvedColumn = { id: this.#context.newColumnId(), name: REPEATED_COLUMN, type: BOOL };
    const input = { ...table, columns: [...table.columns, flag] };
    this.#done.add(input);
    return { kind: 'filter', input, condition: callOf('$NOT', BOOL, columnReference(flag)) };
  }

  /** The entries that have a flat record twice, or those of them that are `within` something. */
  #beside(
    table: TableScan,
    within: (entries: TableScan) => ResolvedScan = (entries) => entries,
  ): ResolvedScan {
    const entries = { ...table, table: repeatedTable(table.table) };
    if (this.#context.known.layouts.get(table.table)?.sharesElements !== true) return within(entries);
    const offset: ResolvedColumn = { id: this.#context.newColumnId(), name: OFFSET_COLUMN, type: INT64 };
    const input = within({ ...entries, columns: [...table.columns, offset] });
    return { kind: 'filter', input, condition: callOf('$EQUAL', BOOL, columnReference(offset), integer(0n)) };
  }

  /** All entries of a source's table, which has nothing of the records that they have twice. */
  #all(table: TableScan): ResolvedScan {
    const scan = { ...table };
    this.#done.add(scan);
    return scan;
  }

  /** The columns of a scan and of those below that hand theirs through. */
  #visible(scan: ResolvedScan): readonly ResolvedColumn[] {
    const own = addedColumns(scan);
    if (scan.kind === 'join') return [...this.#visible(scan.left), ...this.#visible(scan.right)];
    const isClosed = scan.kind === 'aggregate' || scan.kind === 'set-operation' || !('input' in scan);
    return isClosed ? own : [...this.#visible(scan.input), ...own];
  }

  /** The scan over another table, the queries of CTEs in the place of their uses and without an order. */
  #mapTable(scan: ResolvedScan, map: (table: TableScan) => ResolvedScan): ResolvedScan {
    switch (scan.kind) {
      case 'table':
        return map(scan);
      case 'order':
        return this.#mapTable(scan.input, map);
      case 'filter':
      case 'project':
      case 'unnest':
        return { ...scan, input: this.#mapTable(scan.input, map) };
      case 'join':
        return { ...scan, left: this.#mapTable(scan.left, map) };
      case 'cte': {
        const computed = scan.columns.flatMap((column, index) => {
          const inner = scan.cte.columns[index];
          return inner === undefined ? [] : [{ column, expression: columnReference(inner) }];
        });
        return { kind: 'project', input: this.#mapTable(scan.cte.scan, map), computed };
      }
      default:
        return scan;
    }
  }
}
