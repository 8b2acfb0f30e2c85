import type { OrderItem } from '../ast/expression.ts';
import type {
  FromQuery,
  GroupBy,
  PipeOperator,
  PipeStep,
  QueryBody,
  Select,
  SelectItem,
} from '../ast/query.ts';
import type { ResolvedWindow } from '../resolved/expression.ts';
import type { ComputedColumn, OutputColumn, ResolvedQuery, ResolvedScan, SortKey } from '../resolved/scan.ts';
import { coerceToBool } from './coerce.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';
import { type ExpressionContext, plainContext } from './expression-context.ts';
import type { From } from './from.ts';
import { ordinalOf } from './ordinals.ts';
import { resolveExpression } from './resolve-expression.ts';
import { resolveFrom } from './resolve-from.ts';
import { attachJoin } from './resolve-join.ts';
import { columnReference } from './resolve-name.ts';
import { addLimit, resolveBody } from './resolve-query.ts';
import { resolveSelectItems, selectFrom } from './resolve-select.ts';
import { joinNames, type NamedColumn, namesOf, type RangeVariable } from './scope.ts';
import { combineQueries } from './set-operation.ts';
import { sortKey } from './sort-keys.ts';

/** A query in pipe syntax: each step takes the rows and names of the one before. */
export function resolvePipe(
  environment: Environment,
  body: PipeStep | FromQuery,
): { readonly query: ResolvedQuery } {
  const rows = resolveSteps(environment, body);
  return { query: rowValue(rows) ?? selectFrom(environment, rows, selectAll(body.at), []) };
}

function resolveSteps(environment: Environment, body: QueryBody): From {
  if (body.kind === 'from-query') return resolveFrom(environment, body.from);
  if (body.kind !== 'pipe') return fromQuery(resolveBody(environment, body));
  return applyStep(environment, resolveSteps(environment, body.input), body.operator, body.at);
}

/** Rows that are one value each and have no name, as SELECT AS STRUCT and AS VALUE leave them. */
function rowValue({ scan, names }: From): ResolvedQuery | null {
  const [range, ...others] = names.ranges;
  if (range?.kind !== 'value' || range.alias !== null || others.length > 0 || names.merged.length > 0)
    return null;
  return { scan, columns: [{ name: '', column: range.column }], isValueTable: true };
}

function fromQuery(query: ResolvedQuery, alias: string | null = null): From {
  const [only] = query.columns;
  if (query.isValueTable && only !== undefined) {
    return { scan: query.scan, names: namesOf({ kind: 'value', alias, column: only.column }) };
  }
  return { scan: query.scan, names: namesOf({ kind: 'columns', alias, columns: query.columns }) };
}

function applyStep(environment: Environment, rows: From, operator: PipeOperator, at: number): From {
  const context = plainContext(
    environment,
    { names: rows.names, outer: environment.outer },
    `pipe ${operator.kind}`,
  );
  switch (operator.kind) {
    case 'where': {
      const value = resolveExpression(context, operator.condition);
      const condition = coerceToBool(environment, value, operator.condition.at, 'WHERE clause');
      return { ...rows, scan: { kind: 'filter', input: rows.scan, condition } };
    }
    case 'order': {
      const keys = operator.orderBy.map((item) => pipeSortKey(context, item));
      return { ...rows, scan: { kind: 'order', input: rows.scan, keys } };
    }
    case 'limit':
      return { ...rows, scan: addLimit(environment, rows.scan, operator.limit, operator.offset) };
    case 'as':
      return fromQuery(allColumns(environment, rows, at), operator.alias);
    case 'select': {
      const { distinct, as, items } = operator;
      const select: Select = { ...selectAll(at), distinct, as, items };
      return fromQuery(selectFrom(environment, rows, select, []));
    }
    case 'distinct':
      return fromQuery(selectFrom(environment, rows, { ...selectAll(at), distinct: true }, []));
    case 'extend':
      return extend(context, rows, operator.items);
    case 'aggregate':
      return aggregate(environment, rows, operator, at);
    case 'join':
      return attachJoin(environment, rows, { ...operator, at });
    case 'set-operation': {
      const inputs = [
        allColumns(environment, rows, at),
        ...operator.inputs.map((input) => resolveBody(environment, input)),
      ];
      return fromQuery(combineQueries(environment, { ...operator, at }, inputs));
    }
    case 'set':
    case 'drop':
    case 'rename':
      return withBehind(rows, changeColumns(context, allColumns(environment, rows, at), operator));
    default: {
      const unreachable: never = operator;
      throw new TypeError(`step ${JSON.stringify(unreachable)}`);
    }
  }
}

/** An item of ORDER BY; a whole number means the column at that place. */
function pipeSortKey(context: ExpressionContext, item: OrderItem): SortKey {
  const { environment } = context;
  const columns =
    item.expression.kind === 'literal' ? resolveSelectItems(context, selectAll(item.at).items) : [];
  const ordinal = ordinalOf(environment, item.expression, columns.length, 'ORDER BY');
  const column = ordinal === null ? undefined : columns[ordinal];
  return sortKey(environment, item, column?.expression ?? resolveExpression(context, item.expression));
}

function selectAll(at: number): Select {
  return {
    kind: 'select',
    distinct: false,
    as: null,
    items: [{ kind: 'star', except: [], replace: [], at }],
    from: null,
    where: null,
    groupBy: null,
    having: null,
    qualify: null,
    windows: [],
    at,
  };
}

function allColumns(environment: Environment, rows: From, at: number): ResolvedQuery {
  return selectFrom(environment, rows, selectAll(at), []);
}

/** EXTEND: computed columns beside those that are there; window functions are allowed. */
function extend(plain: ExpressionContext, rows: From, items: readonly SelectItem[]): From {
  const windows: { found: ResolvedWindow[] } = { found: [] };
  const resolved = resolveSelectItems({ ...plain, windows }, items);
  const computed: ComputedColumn[] = [];
  const columns = resolved.map(({ name, expression }): NamedColumn => {
    const column = newColumn(plain.environment, name, expression.type);
    computed.push({ column, expression });
    return { name, column };
  });
  const input: ResolvedScan =
    windows.found.length === 0 ? rows.scan : { kind: 'window', input: rows.scan, windows: windows.found };
  const added = namesOf({ kind: 'columns', alias: null, columns });
  return { scan: { kind: 'project', input, computed }, names: joinNames(rows.names, added) };
}

/** AGGREGATE … GROUP BY: the keys come first, then the aggregates. */
function aggregate(
  environment: Environment,
  rows: From,
  { items, groupBy, sortGroups, keyOrders }: Extract<PipeOperator, { kind: 'aggregate' }>,
  at: number,
): From {
  const ordinal = groupBy.find((key) => key.kind === 'expression' && key.expression.kind === 'literal');
  if (ordinal !== undefined)
    throw analysisError(environment, ordinal.at, 'GROUP BY ordinal not allowed in pipe AGGREGATE');
  const keys: GroupBy = {
    kind: 'items',
    items: groupBy.map((_, index) => ({
      kind: 'expression',
      expression: { kind: 'literal', type: 'INT64', value: String(index + 1), at },
      at,
    })),
    at,
  };
  const select: Select = { ...selectAll(at), items: [...groupBy, ...items], groupBy: keys };
  const query = selectFrom(environment, rows, select, []);
  const sorted = query.columns.slice(0, groupBy.length).flatMap(({ column }, index) => {
    const order = keyOrders[index] ?? (sortGroups ? { descending: false, nullsFirst: null } : null);
    if (order === null) return [];
    const expression = columnReference(column);
    return [sortKey(environment, { ...order, at }, expression)];
  });
  if (sorted.length === 0) return fromQuery(query);
  return fromQuery({ ...query, scan: { kind: 'order', input: query.scan, keys: sorted } });
}

/** SET, DROP and RENAME leave the range variables as they are: `e.id` is still what it was. */
function withBehind(before: From, after: From): From {
  const behind = before.names.ranges.filter(({ alias }) => alias !== null);
  const ranges = behind.map((range): RangeVariable => ({ ...range, isBehind: true }));
  return { ...after, names: { ...after.names, ranges: [...after.names.ranges, ...ranges] } };
}

type ColumnChange = Extract<PipeOperator, { kind: 'set' | 'drop' | 'rename' }>;

function changeColumns(context: ExpressionContext, query: ResolvedQuery, change: ColumnChange): From {
  const { environment } = context;
  const named =
    change.kind === 'set'
      ? change.items
      : change.names.map((one) => ('from' in one ? { ...one, name: one.from } : one));
  for (const { name, at } of named) {
    if (!query.columns.some((column) => isNamed(column, name))) {
      throw analysisError(environment, at, `Column ${name} in ${change.kind.toUpperCase()} does not exist`);
    }
  }
  if (change.kind === 'drop') {
    const kept = query.columns.filter((column) => !change.names.some(({ name }) => isNamed(column, name)));
    return fromQuery({ ...query, columns: kept });
  }
  if (change.kind === 'rename') {
    const columns = query.columns.map((column): OutputColumn => {
      const renamed = change.names.find(({ from }) => isNamed(column, from));
      return renamed === undefined ? column : { ...column, name: renamed.to };
    });
    return fromQuery({ ...query, columns });
  }
  const computed: ComputedColumn[] = [];
  const columns = query.columns.map((column): OutputColumn => {
    const item = change.items.find(({ name }) => isNamed(column, name));
    if (item === undefined) return column;
    const expression = resolveExpression(context, item.value);
    const replacement = newColumn(environment, column.name, expression.type);
    computed.push({ column: replacement, expression });
    return { name: column.name, column: replacement };
  });
  return fromQuery({ ...query, scan: { kind: 'project', input: query.scan, computed }, columns });
}

function isNamed(column: OutputColumn, name: string): boolean {
  return column.name.toLowerCase() === name.toLowerCase();
}
