import type { ResolvedFrameBound, ResolvedWindow } from '../../../sql/resolved/expression.ts';
import { referencedByWindows } from '../../../sql/resolved/references.ts';
import type { WindowScan } from '../../../sql/resolved/scan.ts';
import { emitWindow } from './functions/emit.ts';
import { ownOuterColumns } from './outer-columns.ts';
import { printKeys, settleColumns, union } from './print-scan.ts';
import { inside, type Printer, type Surroundings } from './printer.ts';
import { type Relation, withoutOrder } from './relation.ts';

export function printWindows(
  printer: Printer,
  scan: WindowScan,
  needed: ReadonlySet<number>,
  around: Surroundings,
): Relation {
  const windows = scan.windows.filter(({ column }) => needed.has(column.id));
  const used = referencedByWindows(windows);
  const all = union(needed, used);
  const input = withoutOrder(printer.scan(scan.input, all, around));
  const isClosed = input.limit !== null || input.isComputed;
  const settled = settleColumns(printer, isClosed ? printer.wrap(input, all) : input, used, all);
  const relation = ownOuterColumns(printer, settled, used, around);
  const columns = new Map(relation.columns);
  for (const window of windows) {
    columns.set(window.column.id, {
      sql: printWindow(printer, window, inside(relation, around)),
      isSimple: false,
    });
  }
  return { ...relation, isComputed: true, columns };
}

function printWindow(printer: Printer, window: ResolvedWindow, surroundings: Surroundings): string {
  const { partitionBy, orderBy, frame } = window;
  const clauses = [
    partitionBy.length === 0
      ? ''
      : `PARTITION BY ${partitionBy.map((key) => printer.expression(key, surroundings)).join(', ')}`,
    orderBy.length === 0 ? '' : `ORDER BY ${printKeys(printer, orderBy, surroundings)}`,
    frame === null
      ? ''
      : `${frame.unit} BETWEEN ${bound(printer, frame.start, surroundings)} AND ${bound(printer, frame.end, surroundings)}`,
  ];
  const list = window.arguments.map((argument) => printer.expression(argument, surroundings));
  return emitWindow(window, list, `OVER (${clauses.filter((clause) => clause !== '').join(' ')})`);
}

function bound(printer: Printer, frame: ResolvedFrameBound, surroundings: Surroundings): string {
  if ('offset' in frame) {
    return `${printer.expression(frame.offset, surroundings)} ${frame.kind === 'preceding' ? 'PRECEDING' : 'FOLLOWING'}`;
  }
  return frame.kind.replace('-', ' ').toUpperCase();
}
