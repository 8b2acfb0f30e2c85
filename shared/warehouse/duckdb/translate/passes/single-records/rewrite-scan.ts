import { conjuncts } from '../../../../../sql/resolved/conjuncts.ts';
import type { ResolvedColumn, ResolvedExpression } from '../../../../../sql/resolved/expression.ts';
import {
  allOf,
  callOf,
  columnReference,
  either,
  FALSE,
  integer,
  isLiteral,
  nullOf,
  TRUE,
} from '../../../../../sql/resolved/make-expression.ts';
import type {
  ComputedColumn,
  FilterScan,
  JoinScan,
  OrderScan,
  ProjectScan,
  ResolvedScan,
  TableScan,
  UnnestScan,
} from '../../../../../sql/resolved/scan.ts';
import { changed, mapParts } from '../../../../../sql/resolved/transform.ts';
import { BOOL, INT64, type SqlType } from '../../../../../sql/types/sql-type.ts';
import { textColumn } from '../../../store/layout.ts';
import { tableRecords } from '../../../store/table-records.ts';
import { guardedConditions, rewrittenConjuncts } from './conditions.ts';
import { presentWhere } from './filtered-record.ts';
import { tableRecord } from './flat-record.ts';
import { mappedRecord } from './mapped-record.ts';
import type { RecordRewriter } from './record-rewriter.ts';
import { builtRecord, elementOf, isPresent, isRecord, wholeRecord } from './record-value.ts';
import { rewriteSetOperation } from './rewrite-set-operation.ts';
import { type FilteredRecord, filteredRecord, isFilteredArray } from './rewrite-subquery.ts';

/** The scan over the columns that there are; the same scan where nothing changes. */
export function rewriteScan(rewriter: RecordRewriter, scan: ResolvedScan): ResolvedScan {
  switch (scan.kind) {
    case 'table':
      return rewriteTable(rewriter, scan);
    case 'cte':
      return rewriter.cte(scan);
    case 'filter':
      return rewriteFilter(rewriter, scan);
    case 'project':
      return rewriteProject(rewriter, scan);
    case 'unnest':
      return rewriteUnnest(rewriter, scan);
    case 'join':
      return rewriteJoin(rewriter, scan);
    case 'order':
      return rewriteOrder(rewriter, scan);
    case 'set-operation':
      return rewriteSetOperation(rewriter, scan);
    default:
      return withParts(rewriter, scan);
  }
}

function withParts(rewriter: RecordRewriter, scan: ResolvedScan): ResolvedScan {
  return mapParts(
    scan,
    (input) => rewriter.scan(input),
    (expression) => rewriter.expression(expression),
  );
}

/** Flat records are taken out of a table's columns; parts of them are put in when they are asked for. */
function rewriteTable(rewriter: RecordRewriter, scan: TableScan): TableScan {
  const { environment, layouts } = rewriter;
  const records = tableRecords(layouts, scan.table);
  if (records === null) return scan;
  const added = new Map<string, ResolvedColumn>();
  const columns: ResolvedColumn[] = [];
  const add = (name: string, type: SqlType) => {
    const column = added.get(name) ?? rewriter.newColumn(name, type);
    if (!added.has(name)) columns.push(column);
    added.set(name, column);
    return column;
  };
  for (const column of scan.columns) {
    const { name, type } = column;
    const record = tableRecord(records, [name], type, add);
    if (records.hasText(name)) environment.setText(column, () => add(textColumn(name), { kind: 'STRING' }));
    if (record === null) columns.push(column);
    else environment.setValue(column, wholeRecord(record, type.kind === 'ARRAY'));
  }
  return { ...scan, columns };
}

/** What may raise an error runs only where the records are that it looks at. */
function rewriteFilter(rewriter: RecordRewriter, scan: FilterScan): ResolvedScan {
  const input = rewriter.scan(scan.input);
  const guards = rewriter.guardsOf(input);
  const rewritten = rewrittenConjuncts(rewriter, scan.condition);
  const condition =
    rewritten === null && guards.length === 0
      ? scan.condition
      : allOf(guardedConditions(guards, rewritten ?? conjuncts(scan.condition)));
  if (isLiteral(condition, true)) return input;
  const own = conjuncts(condition).filter(({ kind }) => kind === 'column');
  return guarded(rewriter, changed(scan, { input, condition }), [...guards, ...own]);
}

function guarded<Scan extends ResolvedScan>(
  rewriter: RecordRewriter,
  scan: Scan,
  guards: readonly ResolvedExpression[],
): Scan {
  if (guards.length > 0) rewriter.setGuards(scan, guards);
  return scan;
}

function rewriteProject(rewriter: RecordRewriter, scan: ProjectScan): ResolvedScan {
  const input = rewriter.scan(scan.input);
  const { environment } = rewriter;
  let isChanged = false;
  const computed: ComputedColumn[] = [];
  const compute = columnsOf(rewriter, computed);
  for (const one of scan.computed) {
    const { column, expression } = one;
    const source = expression.kind === 'column' ? expression.column : null;
    const text = source === null ? null : environment.text(source);
    if (text !== null) environment.setText(column, text);
    const known = source === null ? mappedRecord(rewriter, expression, compute) : environment.value(source);
    const value = known ?? rewriter.value(expression);
    if (value.kind === 'lazy' || (value.kind === 'record' && value.absent === null)) {
      environment.setValue(column, value);
      isChanged = true;
      continue;
    }
    const rewritten = changed(one, { expression: isRecord(value) ? builtRecord(value) : value });
    isChanged ||= rewritten !== one;
    computed.push(rewritten);
  }
  const rewritten = changed(scan, { input, computed: isChanged ? computed : scan.computed });
  return guarded(rewriter, rewritten, rewriter.guardsOf(input));
}

/** Adds columns to those that a scan computes, when they are asked for. */
function columnsOf(
  rewriter: RecordRewriter,
  computed: ComputedColumn[],
): (expression: ResolvedExpression) => ResolvedColumn {
  return (expression) => {
    const column = rewriter.newColumn('', expression.type);
    computed.push({ column, expression });
    return column;
  };
}

/** Unnesting a flat record is a filter for rows that have it; where rows without it stay, it is nothing. */
function rewriteUnnest(rewriter: RecordRewriter, scan: UnnestScan): ResolvedScan {
  const input = rewriter.scan(scan.input);
  const { array } = scan;
  const isFiltered = array.kind === 'subquery' && isFilteredArray(array);
  const value = isFiltered ? filteredRecord(rewriter, array) : rewriter.value(array);
  if ('condition' in value) return unnestFiltered(rewriter, { ...scan, input }, value);
  if (!isRecord(value) || value.absent !== null) {
    const whole = isRecord(value) ? builtRecord(value) : value;
    return guarded(rewriter, changed(scan, { input, array: whole }), rewriter.guardsOf(input));
  }
  const { element, offset, outer } = scan;
  const present = isPresent(value);
  rewriter.environment.setValue(element, elementOf(value, !outer));
  const rows = outer ? input : onlyWhere(rewriter, input, present);
  if (offset === null) return rows;
  const place = value.record.offset?.() ?? null;
  if (place === null && isSameWhereRowsTie(scan)) rewriter.environment.setConstant(offset);
  const position = place === null ? integer(0n) : columnReference(place);
  const expression = outer ? either(present, position, nullOf(INT64)) : position;
  const project: ResolvedScan = { kind: 'project', input: rows, computed: [{ column: offset, expression }] };
  return guarded(rewriter, project, rewriter.guardsOf(rows));
}

/**
 * Whether the offset of a record's one element is the same for all rows that may tie: it is 0, or NULL in entries without the
 * record. Such entries differ from others in an offset that the query names.
 */
function isSameWhereRowsTie({ offset, outer }: Pick<UnnestScan, 'offset' | 'outer'>): boolean {
  return !outer || offset?.name === '';
}

/** Unnesting the element of a flat record that meets a condition is a filter by that, or a column that says where it is met. */
function unnestFiltered(
  rewriter: RecordRewriter,
  { input, element, offset, outer }: UnnestScan,
  { record, condition }: FilteredRecord,
): ResolvedScan {
  const { environment } = rewriter;
  const guards = rewriter.guardsOf(input);
  const isMet = allOf(guardedConditions(guards, conjuncts(condition)));
  const zero = integer(0n);
  const withOffset = (rows: ResolvedScan, present: ResolvedExpression): ResolvedScan => {
    if (offset === null) return rows;
    if (isSameWhereRowsTie({ offset, outer })) environment.setConstant(offset);
    const expression = either(present, zero, nullOf(INT64));
    return { kind: 'project', input: rows, computed: [{ column: offset, expression }] };
  };
  if (!outer) {
    environment.setValue(element, elementOf(record, true));
    const filter: ResolvedScan = { kind: 'filter', input, condition: isMet };
    const own = conjuncts(isMet).filter(({ kind }) => kind === 'column');
    return guarded(rewriter, withOffset(filter, TRUE), [...guards, ...own]);
  }
  const present = rewriter.newColumn('', BOOL);
  const isTrue = callOf('IFNULL', BOOL, isMet, FALSE);
  const rows: ResolvedScan = { kind: 'project', input, computed: [{ column: present, expression: isTrue }] };
  // Those of its fields that are asked for later.
  const computed: ComputedColumn[] = [];
  const found = presentWhere(record.record, { present, compute: columnsOf(rewriter, computed) });
  environment.setValue(element, elementOf(wholeRecord(found, false), false));
  const fields: ResolvedScan = { kind: 'project', input: rows, computed };
  return guarded(rewriter, withOffset(fields, columnReference(present)), guards);
}

function onlyWhere(
  rewriter: RecordRewriter,
  input: ResolvedScan,
  condition: ResolvedExpression,
): ResolvedScan {
  const guards = rewriter.guardsOf(input);
  const isMet = condition.kind === 'column' && guards.some((one) => isColumn(one, condition.column.id));
  if (isMet || isLiteral(condition, true)) return input;
  const filter: ResolvedScan = { kind: 'filter', input, condition };
  return guarded(rewriter, filter, [...guards, condition]);
}

function isColumn(expression: ResolvedExpression, id: number): boolean {
  return expression.kind === 'column' && expression.column.id === id;
}

function rewriteJoin(rewriter: RecordRewriter, scan: JoinScan): ResolvedScan {
  const { environment } = rewriter;
  const before = environment.size;
  const left = rewriter.scan(scan.left);
  const between = environment.size;
  const right = rewriter.scan(scan.right);
  const after = environment.size;
  const condition = scan.condition === null ? null : rewriter.expression(scan.condition);
  if (scan.join === 'RIGHT' || scan.join === 'FULL') environment.extend(before, between);
  if (scan.join === 'LEFT' || scan.join === 'FULL') environment.extend(between, after);
  return changed(scan, { left, right, condition });
}

/** Keys that are the same for rows which could tie are left out. */
function rewriteOrder(rewriter: RecordRewriter, scan: OrderScan): ResolvedScan {
  const rewritten = withParts(rewriter, scan);
  if (rewritten.kind !== 'order') return rewritten;
  const keys = rewritten.keys.filter(({ expression }) => !rewriter.environment.isConstant(expression));
  if (keys.length === rewritten.keys.length) return rewritten;
  return keys.length === 0 ? rewritten.input : { ...rewritten, keys };
}
