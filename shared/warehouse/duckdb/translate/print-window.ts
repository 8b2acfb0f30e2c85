import type { ResolvedFrameBound, ResolvedWindow } from '../../../sql/resolved/expression.ts';
import { referencedByWindows } from '../../../sql/resolved/references.ts';
import type { WindowScan } from '../../../sql/resolved/scan.ts';
import { clauses, duck, EMPTY, joined, type Sql, word } from './duck/sql.ts';
import { refuseWhere } from './functions/fragments.ts';
import { translateWindow, windowWork } from './functions/translate-call.ts';
import type { WindowWork } from './functions/window-work.ts';
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
  const measured = measureWork(printer, settled, windows, around);
  const { relation } = measured;
  const columns = new Map(relation.columns);
  for (const window of windows) {
    const within = inside(relation, around);
    const list = printArguments(printer, window, within);
    const guarded = measured.guard(window, list, within);
    const sql = translateWindow(window, guarded, overOf(printer, window, within));
    columns.set(window.column.id, { sql, isSimple: false });
  }
  return { ...relation, isComputed: true, columns };
}

interface MeasuredWork {
  readonly relation: Relation;
  /** The arguments of a call, the first an error where the call would make too much. */
  guard(window: ResolvedWindow, list: readonly Sql[], within: Surroundings): readonly Sql[];
}

/** The rows with what calls that may make too much would make of all of them, which is known before any is made. */
function measureWork(
  printer: Printer,
  relation: Relation,
  windows: readonly ResolvedWindow[],
  around: Surroundings,
): MeasuredWork {
  const within = inside(relation, around);
  const sizes = new Map<number, { readonly id: number; readonly work: WindowWork }>();
  const sized = new Map(relation.columns);
  for (const window of windows) {
    const work = windowWork(window, printArguments(printer, window, within));
    if (work === null) continue;
    const id = printer.newId();
    sizes.set(window.column.id, { id, work });
    sized.set(id, { sql: work.perRow(overOf(printer, window, within)), isSimple: false });
  }
  if (sizes.size === 0) return { relation, guard: (_window, list) => list };
  const all = new Set(sized.keys());
  const rows = printer.wrap({ ...relation, isComputed: true, columns: sized }, all);
  const columns = new Map(rows.columns);
  for (const { id } of sizes.values())
    columns.set(id, { sql: duck`sum(${rows.columns.get(id)?.sql}) OVER ()`, isSimple: false });
  return {
    relation: printer.wrap({ ...rows, isComputed: true, columns }, all),
    guard: (window, [value = EMPTY, ...others], { lookup }) => {
      const size = sizes.get(window.column.id);
      const argument = window.arguments[0];
      if (size === undefined || argument === undefined) return [value, ...others];
      const { limit, message } = size.work;
      return [
        refuseWhere(duck`${lookup(size.id) ?? undefined} > ${limit}`, message, argument.type, value),
        ...others,
      ];
    },
  };
}

function printArguments(printer: Printer, window: ResolvedWindow, surroundings: Surroundings): Sql[] {
  return window.arguments.map((argument) => printer.expression(argument, surroundings));
}

function overOf(printer: Printer, window: ResolvedWindow, surroundings: Surroundings): Sql {
  const { partitionBy, orderBy, frame } = window;
  const keys = partitionBy.map((key) => printer.expression(key, surroundings));
  const list = clauses(
    keys.length === 0 ? null : duck`PARTITION BY ${joined(keys, ', ')}`,
    orderBy.length === 0 ? null : duck`ORDER BY ${printKeys(printer, orderBy, surroundings)}`,
    frame === null ? null : duck`${word(frame.unit)} BETWEEN ${bound(printer, frame.start, surroundings)}`,
    frame === null ? null : duck`AND ${bound(printer, frame.end, surroundings)}`,
  );
  return duck`OVER (${list})`;
}

function bound(printer: Printer, frame: ResolvedFrameBound, surroundings: Surroundings): Sql {
  const kind = word(frame.kind.replace('-', ' ').toUpperCase());
  return 'offset' in frame ? duck`${printer.expression(frame.offset, surroundings)} ${kind}` : kind;
}
