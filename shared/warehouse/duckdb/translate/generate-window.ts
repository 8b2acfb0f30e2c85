import type { ResolvedFrameBound, ResolvedWindow } from '../../../sql/resolved/expression.ts';
import { referencedColumns } from '../../../sql/resolved/references.ts';
import type { SortKey, WindowScan } from '../../../sql/resolved/scan.ts';
import { clauses, duck, EMPTY, joined, type Sql, word } from './duck/sql.ts';
import { refuseWhere } from './functions/fragments.ts';
import { magnitude } from './functions/magnitude.ts';
import { plainSortKey } from './functions/sort-keys.ts';
import { translateWindow, windowWork } from './functions/translate-call.ts';
import type { WindowWork } from './functions/window-work.ts';
import type { Generator } from './generator.ts';
import { notSupported } from './not-supported.ts';
import { type Relation, withoutOrder } from './relation.ts';
import { inside, type Scope } from './scope.ts';
import { generateKeys, settleColumns, union } from './settle.ts';

/**
 * Adds a column for each call with OVER whose column is `needed`. A call that would make too much of all rows raises an
 * error in SQL before it makes any.
 */
export function generateWindows(
  generator: Generator,
  scan: WindowScan,
  needed: ReadonlySet<number>,
  scope: Scope,
): Relation {
  const windows = scan.windows.filter(({ column }) => needed.has(column.id));
  const used = referencedColumns(windows);
  const all = union(needed, used);
  const input = withoutOrder(generator.scan(scan.input, all, scope));
  const isClosed = input.limit !== null || input.isComputed;
  const settled = settleColumns(generator, isClosed ? generator.wrap(input, all) : input, used, all);
  const measured = measureWork(generator, settled, windows, scope);
  const { relation } = measured;
  const columns = new Map(relation.columns);
  for (const window of windows) {
    const within = inside(relation, scope);
    const list = generateArguments(generator, window, within);
    const guarded = measured.guard(window, list, within);
    const sql = translateWindow(window, guarded, overOf(generator, window, within));
    columns.set(window.column.id, { sql, isSimple: false });
  }
  return { ...relation, isComputed: true, columns };
}

interface MeasuredWork {
  readonly relation: Relation;
  /** The arguments of a call, the first an error where the call would make too much. */
  guard(window: ResolvedWindow, list: readonly Sql[], within: Scope): readonly Sql[];
}

/** The rows with what calls that may make too much would make of all of them, which is known before any is made. */
function measureWork(
  generator: Generator,
  relation: Relation,
  windows: readonly ResolvedWindow[],
  scope: Scope,
): MeasuredWork {
  const within = inside(relation, scope);
  const sizes = new Map<number, { readonly id: number; readonly work: WindowWork }>();
  const sized = new Map(relation.columns);
  for (const window of windows) {
    const work = windowWork(window, generateArguments(generator, window, within));
    if (work === null) continue;
    const id = generator.newId();
    sizes.set(window.column.id, { id, work });
    sized.set(id, { sql: work.perRow(overOf(generator, window, within)), isSimple: false });
  }
  if (sizes.size === 0) return { relation, guard: (_window, list) => list };
  const all = new Set(sized.keys());
  const rows = generator.wrap({ ...relation, isComputed: true, columns: sized }, all);
  const columns = new Map(rows.columns);
  for (const { id } of sizes.values())
    columns.set(id, { sql: duck`sum(${rows.columns.get(id)?.sql}) OVER ()`, isSimple: false });
  return {
    relation: generator.wrap({ ...rows, isComputed: true, columns }, all),
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

function generateArguments(generator: Generator, window: ResolvedWindow, scope: Scope): Sql[] {
  return window.arguments.map((argument) => generator.expression(argument, scope));
}

/** What may be added to each NUMERIC so that HUGEINT holds the sum's units. */
const MAX_NUMERIC_OFFSET = 7e28;

function overOf(generator: Generator, window: ResolvedWindow, scope: Scope): Sql {
  const { partitionBy, orderBy, frame } = window;
  const keys = partitionBy.map((key) => generator.expression(key, scope));
  const measured = measuredKey(window);
  const order =
    measured === null
      ? generateKeys(generator, orderBy, scope)
      : plainSortKey(widened(generator.expression(measured.expression, scope), measured), measured);
  const boundSql = (bound: ResolvedFrameBound) => {
    const kind = word(bound.kind.replace('-', ' ').toUpperCase());
    if (!('offset' in bound)) return kind;
    const offset = generator.expression(bound.offset, scope);
    const isNumeric = measured?.expression.type.kind === 'NUMERIC' && bound.offset.kind === 'literal';
    if (isNumeric && Number(bound.offset.value) > MAX_NUMERIC_OFFSET)
      throw notSupported(`RANGE over NUMERIC with an offset of more than ${MAX_NUMERIC_OFFSET}`);
    return duck`${measured === null ? offset : widened(offset, measured)} ${kind}`;
  };
  const list = clauses(
    keys.length === 0 ? null : duck`PARTITION BY ${joined(keys, ', ')}`,
    orderBy.length === 0 ? null : duck`ORDER BY ${order}`,
    frame === null ? null : duck`${word(frame.unit)} BETWEEN ${boundSql(frame.start)}`,
    frame === null ? null : duck`AND ${boundSql(frame.end)}`,
  );
  return duck`OVER (${list})`;
}

/** The one key on which a RANGE frame measures distances; null for other frames. */
function measuredKey({ orderBy, frame }: ResolvedWindow): SortKey | null {
  const [key] = orderBy;
  if (frame?.unit !== 'RANGE' || key === undefined) return null;
  const { start, end } = frame;
  if (!('offset' in start) && !('offset' in end)) return null;
  const isOpen = start.kind === 'unbounded-preceding' || end.kind === 'unbounded-following';
  // DuckDB has NaN last, which shows in frames without an end.
  if (key.expression.type.kind === 'FLOAT64' && isOpen && magnitude(key.expression) === Infinity)
    throw notSupported('RANGE over FLOAT64 with one bound that is UNBOUNDED');
  return key;
}

/** A number as one of a type in which the bounds of a frame do not overflow. */
function widened(sql: Sql, { expression }: SortKey): Sql {
  switch (expression.type.kind) {
    case 'INT64':
      return duck`CAST(${sql} AS HUGEINT)`;
    case 'NUMERIC':
      return duck`gsql_units(${sql})`;
    default:
      return sql;
  }
}
