import type { ResolvedColumn } from '../../../../sql/resolved/expression.ts';
import type { CteScan, ResolvedScan } from '../../../../sql/resolved/scan.ts';
import { replaceColumns } from '../../../../sql/resolved/transform.ts';

/** The scans that keep or drop a table's rows, one by one, and add columns to them. */
export type PlainScan = Extract<
  ResolvedScan,
  { readonly kind: 'table' | 'cte' | 'filter' | 'project' | 'order' }
>;

/** Whether a scan itself keeps, drops or extends rows one by one. Its input may be of any kind. */
export function isPlain(scan: ResolvedScan): scan is PlainScan {
  return ['table', 'cte', 'filter', 'project', 'order'].includes(scan.kind);
}

/** The column of a CTE's query that a column of its use is. */
export function innerColumn({ cte, columns }: CteScan, id: number): ResolvedColumn | null {
  return cte.columns[columns.findIndex((column) => column.id === id)] ?? null;
}

/** The column of the input that a column of a project is; null for one that is computed. */
export function sameColumn(
  scan: Extract<ResolvedScan, { readonly kind: 'project' }>,
  id: number,
): number | null {
  const computed = scan.computed.find(({ column }) => column.id === id)?.expression;
  if (computed === undefined) return id;
  return computed.kind === 'column' ? computed.column.id : null;
}

/** The table's column that a column of plain rows is, where all CTEs are `isInPlace`; null for any other. */
export function tableColumn(
  scan: ResolvedScan,
  id: number,
  isInPlace: (scan: CteScan) => boolean,
): ResolvedColumn | null {
  if (!isPlain(scan)) return null;
  switch (scan.kind) {
    case 'table':
      return scan.columns.find((column) => column.id === id) ?? null;
    case 'cte': {
      const inner = innerColumn(scan, id);
      return inner === null || !isInPlace(scan) ? null : tableColumn(scan.cte.scan, inner.id, isInPlace);
    }
    case 'project': {
      const same = sameColumn(scan, id);
      return same === null ? null : tableColumn(scan.input, same, isInPlace);
    }
    case 'filter':
    case 'order':
      return tableColumn(scan.input, id, isInPlace);
    default: {
      const unreachable: never = scan;
      throw new TypeError(`scan ${JSON.stringify(unreachable)}`);
    }
  }
}

/** The same rows once more, in no order and with columns of their own. */
export interface CopiedRows {
  readonly scan: ResolvedScan;
  /** The copies' columns by the ids of the originals. */
  readonly columns: ReadonlyMap<number, ResolvedColumn>;
}

/**
 * Copies plain rows, the queries of CTEs in the place of their uses; null for rows that are not plain. Subqueries in
 * conditions keep their columns, which nothing outside of them refers to.
 */
export function copyRows(scan: ResolvedScan, newColumnId: () => number): CopiedRows | null {
  if (!isPlain(scan)) return null;
  const anew = (column: ResolvedColumn): ResolvedColumn => ({ ...column, id: newColumnId() });
  switch (scan.kind) {
    case 'table': {
      const columns = new Map(scan.columns.map((column) => [column.id, anew(column)]));
      return { scan: { ...scan, columns: [...columns.values()] }, columns };
    }
    case 'cte': {
      const inner = copyRows(scan.cte.scan, newColumnId);
      if (inner === null) return null;
      const columns = scan.columns.flatMap(({ id }, index) => {
        const column = inner.columns.get(scan.cte.columns[index]?.id ?? 0);
        return column === undefined ? [] : [[id, column] as const];
      });
      return { scan: inner.scan, columns: new Map(columns) };
    }
    case 'filter': {
      const input = copyRows(scan.input, newColumnId);
      if (input === null) return null;
      return {
        ...input,
        scan: { ...scan, input: input.scan, condition: replaceColumns(scan.condition, input.columns) },
      };
    }
    case 'project': {
      const input = copyRows(scan.input, newColumnId);
      if (input === null) return null;
      const computed = scan.computed.map(({ column, expression }) => {
        return {
          original: column.id,
          column: anew(column),
          expression: replaceColumns(expression, input.columns),
        };
      });
      return {
        scan: {
          ...scan,
          input: input.scan,
          computed: computed.map(({ column, expression }) => ({ column, expression })),
        },
        columns: new Map([
          ...input.columns,
          ...computed.map(({ original, column }) => [original, column] as const),
        ]),
      };
    }
    case 'order':
      return copyRows(scan.input, newColumnId);
    default: {
      const unreachable: never = scan;
      throw new TypeError(`scan ${JSON.stringify(unreachable)}`);
    }
  }
}
