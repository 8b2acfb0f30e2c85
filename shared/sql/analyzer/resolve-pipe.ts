import type { OrderItem } from '../ast/expression.ts';
import type { FromQuery, PipeOperator, PipeStep, QueryBody, Select, SelectItem } from '../ast/query.ts';
import type { ResolvedColumn, ResolvedExpression, ResolvedWindow } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import type { ComputedColumn, OutputColumn, ResolvedQuery, SortKey } from '../resolved/scan.ts';
import { coerceToBool } from './coerce.ts';
import { analysisError, checkExpressions, type Environment, newColumn } from './environment.ts';
import { type ExpressionContext, plainContext } from './expression-context.ts';
import type { From } from './from.ts';
import { ordinalOf } from './ordinals.ts';
import { resolvePipeAggregate } from './pipe-aggregate.ts';
import {
  type ColumnChange,
  changedColumns,
  fromQuery,
  pipeColumns,
  pipeOutput,
  renameRow,
  replaceColumns,
  rowValue,
  withColumns,
} from './pipe-names.ts';
import { resolveExpression } from './resolve-expression.ts';
import { resolveFrom } from './resolve-from.ts';
import { attachJoin } from './resolve-join.ts';
import { resolvePivot } from './resolve-pivot.ts';
import { addLimit, resolveBody, resolveCtes } from './resolve-query.ts';
import { addWindows, resolveSelectItems, selectFrom } from './resolve-select.ts';
import { resolveUnpivot } from './resolve-unpivot.ts';
import { joinNames, type NamedColumn, namesOf } from './scope.ts';
import { distinctOutput } from './select-output.ts';
import { combineQueries } from './set-operation.ts';
import { sortKey } from './sort-keys.ts';

/** A query in pipe syntax: each step takes the rows and names of the one before. */
export function resolvePipe(environment: Environment, body: PipeStep | FromQuery): ResolvedQuery {
  return pipeOutput(resolveSteps(environment, body).rows);
}

/** Rows, and what the next step may refer to besides. */
interface Place {
  readonly rows: From;
  readonly environment: Environment;
}

function resolveSteps(environment: Environment, body: QueryBody): Place {
  if (body.kind === 'from-query') return { rows: resolveFrom(environment, body.from), environment };
  if (body.kind !== 'pipe') return { rows: fromQuery(resolveBody(environment, body)), environment };
  const before = resolveSteps(environment, body.input);
  const { operator, at } = body;
  if (operator.kind === 'with')
    return {
      ...before,
      environment: { ...environment, ctes: resolveCtes(before.environment, operator.ctes) },
    };
  return { ...before, rows: applyStep(before.environment, before.rows, operator, at) };
}

type RowOperator = Exclude<PipeOperator, { kind: 'with' }>;

/** How messages call what a step holds. */
const CLAUSES: Readonly<Record<RowOperator['kind'], string>> = {
  select: 'pipe SELECT',
  extend: 'pipe EXTEND',
  window: 'pipe WINDOW',
  set: 'pipe SET clause',
  drop: 'pipe DROP',
  rename: 'pipe RENAME',
  as: 'pipe AS',
  where: 'pipe WHERE clause',
  limit: 'pipe LIMIT',
  distinct: 'pipe DISTINCT',
  aggregate: 'pipe AGGREGATE',
  pivot: 'PIVOT',
  unpivot: 'UNPIVOT',
  order: 'pipe ORDER BY clause',
  join: 'pipe JOIN',
  'set-operation': 'pipe set operation',
};

function applyStep(environment: Environment, rows: From, operator: RowOperator, at: number): From {
  const clause = CLAUSES[operator.kind];
  const windows: { found: ResolvedWindow[] } = { found: [] };
  const scope = { names: rows.names, outer: environment.outer };
  const context = { ...plainContext(environment, scope, clause), windows };
  /** The rows with the window functions in a step's expressions, once those are resolved. */
  const windowed = (expressions: readonly ResolvedExpression[]) => {
    checkExpressions(environment, expressions, at);
    return { ...rows, scan: addWindows(rows.scan, windows.found) };
  };
  switch (operator.kind) {
    case 'where': {
      const value = resolveExpression(context, operator.condition);
      const condition = coerceToBool(environment, value, operator.condition.at, 'WHERE clause');
      return { ...rows, scan: { kind: 'filter', input: windowed([value]).scan, condition } };
    }
    case 'order': {
      const keys = operator.orderBy.map((item) => pipeSortKey(context, item));
      const { scan } = windowed(keys.map(({ expression }) => expression));
      return { ...rows, scan: { kind: 'order', input: scan, keys } };
    }
    case 'limit':
      return { ...rows, scan: addLimit(environment, rows.scan, operator.limit, operator.offset) };
    case 'as':
      return renameRow(rows, operator.alias);
    case 'select': {
      const { distinct, as, items } = operator;
      const select: Select = { ...selectAll(at), distinct, as, items };
      const allowed = { aggregates: false, windows: true, clause };
      return fromQuery(selectFrom(environment, rows, select, [], allowed));
    }
    case 'distinct':
      return distinctRows(environment, rows, at);
    case 'extend':
    case 'window': {
      const items = operator.items.flatMap((item) => extendItem(context, operator.kind, item));
      const columns = items.map(({ column }): NamedColumn => ({ name: column.name, column }));
      const { scan } = windowed(items.map(({ expression }) => expression));
      const added = namesOf({ kind: 'columns', alias: null, columns });
      return { scan: { kind: 'project', input: scan, computed: items }, names: joinNames(rows.names, added) };
    }
    case 'aggregate':
      return fromQuery(resolvePipeAggregate(environment, rows, operator, selectAll(at)));
    case 'pivot':
      return resolvePivot(environment, rows, operator, operator.alias, at);
    case 'unpivot':
      return resolveUnpivot(environment, rows, operator, operator.alias, at);
    case 'join':
      return attachJoin(environment, rows, { ...operator, at });
    case 'set-operation': {
      const inputs = operator.inputs.map((input) => resolveBody(environment, input));
      return fromQuery(combineQueries(environment, { ...operator, at }, [pipeOutput(rows), ...inputs]));
    }
    case 'set': {
      const values = operator.items.map(({ value }) => resolveExpression(context, value));
      return setColumns(environment, windowed(values), operator, values);
    }
    case 'drop':
    case 'rename':
      return changeColumns(environment, rows, operator, at);
    default: {
      const unreachable: never = operator;
      throw new TypeError(`step ${JSON.stringify(unreachable)}`);
    }
  }
}

/** An item of ORDER BY; a whole number means the column at that place. */
function pipeSortKey(context: ExpressionContext, item: OrderItem): SortKey {
  const { environment } = context;
  const columns = pipeColumns(context.scope.names);
  const ordinal = ordinalOf(environment, item.expression, columns.length, 'ORDER BY');
  const column = ordinal === null ? undefined : columns[ordinal]?.column;
  const expression =
    column === undefined ? resolveExpression(context, item.expression) : columnReference(column);
  return sortKey(environment, item, expression);
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

/** Columns that EXTEND or WINDOW adds; an item of WINDOW calls a window function. */
function extendItem(
  context: ExpressionContext,
  kind: 'extend' | 'window',
  item: SelectItem,
): ComputedColumn[] {
  const { environment } = context;
  const before = context.windows?.found.length;
  const resolved = resolveSelectItems(context, [item]);
  if (kind === 'window' && context.windows?.found.length === before) {
    const message = 'Pipe WINDOW expression must include a window function call (with an OVER clause)';
    throw analysisError(environment, item.at, message);
  }
  return resolved.map(({ name, expression }) => ({
    column: newColumn(environment, name, expression.type),
    expression,
  }));
}

/** Each row once. */
function distinctRows(environment: Environment, rows: From, at: number): From {
  const columns = pipeColumns(rows.names);
  const output = distinctOutput(environment, { scan: rows.scan, columns, byExpression: new Map() }, at);
  const replacements = new Map<number, ResolvedColumn>();
  const replaced = output.columns.map(({ name, column }, index): OutputColumn => {
    const before = columns[index];
    if (before === undefined) return { name, column };
    replacements.set(before.column.id, column);
    return { ...before, column };
  });
  const value = rowValue(rows.names);
  const [only] = replaced;
  if (value !== null && only !== undefined)
    return { scan: output.scan, names: namesOf({ ...value, column: only.column }) };
  const after = { scan: output.scan, columns: replaced, isValueTable: false };
  return replaceColumns(rows.names, after, replacements);
}

function setColumns(
  environment: Environment,
  rows: From,
  change: Extract<ColumnChange, { kind: 'set' }>,
  values: readonly ResolvedExpression[],
): From {
  const columns = [...pipeColumns(rows.names)];
  const positions = changedColumns(environment, rows.names, columns, change);
  const gone = new Set<number>();
  const computed = change.items.flatMap(({ name }, index): ComputedColumn[] => {
    const position = positions.get(name.toLowerCase()) ?? 0;
    const before = columns[position];
    const expression = values[index];
    if (before === undefined || expression === undefined) return [];
    const column = newColumn(environment, before.name, expression.type);
    gone.add(before.column.id);
    columns[position] = { name: before.name, column };
    return [{ column, expression }];
  });
  const names = namesOf({ kind: 'columns', alias: null, columns });
  return withColumns(rows.names, { scan: { kind: 'project', input: rows.scan, computed }, names }, gone);
}

function changeColumns(
  environment: Environment,
  rows: From,
  change: Exclude<ColumnChange, { kind: 'set' }>,
  at: number,
): From {
  const all = pipeColumns(rows.names);
  const positions = changedColumns(environment, rows.names, all, change);
  const isNamed = ({ name }: NamedColumn) => positions.has(name.toLowerCase());
  if (change.kind === 'drop') {
    const columns = all.filter((column) => !isNamed(column));
    if (columns.length === 0)
      throw analysisError(environment, at, 'Pipe DROP dropped all columns of the rows');
    const gone = new Set(all.filter(isNamed).map(({ column }) => column.id));
    return withColumns(
      rows.names,
      { ...rows, names: namesOf({ kind: 'columns', alias: null, columns }) },
      gone,
    );
  }
  const columns = all.map((column, index): NamedColumn => {
    const renamed = change.names.find(({ from }) => positions.get(from.toLowerCase()) === index);
    return renamed === undefined ? column : { ...column, name: renamed.to };
  });
  const names = namesOf({ kind: 'columns', alias: null, columns });
  return withColumns(rows.names, { ...rows, names }, new Set());
}
