import type { Expression } from '../ast/expression.ts';
import type {
  Direction,
  GroupBy,
  GroupItem,
  GroupingLists,
  PipeGroupItem,
  PipeOperator,
  Select,
  SelectItem,
} from '../ast/query.ts';
import type { ResolvedAggregate } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import { referencedColumns } from '../resolved/references.ts';
import type { OutputColumn, ResolvedQuery, SortKey } from '../resolved/scan.ts';
import { analysisError, type Environment } from './environment.ts';
import { type ExpressionContext, plainContext } from './expression-context.ts';
import type { From } from './from.ts';
import { isLiteralList, plainLiteral } from './ordinals.ts';
import { resolveExpression } from './resolve-expression.ts';
import { impliedName } from './resolve-name.ts';
import { resolveSelectItems, selectFrom } from './resolve-select.ts';
import { columnIds } from './scope.ts';
import { sortKey } from './sort-keys.ts';

type Aggregate = Extract<PipeOperator, { kind: 'aggregate' }>;

/**
 * AGGREGATE … GROUP BY: the keys come first, then the aggregates. `selectAll` is a SELECT to begin with.
 * Throws a ServiceError (invalid_argument).
 */
export function resolvePipeAggregate(
  environment: Environment,
  rows: From,
  { items, itemOrders, groupBy, sortGroups, keyOrders }: Aggregate,
  selectAll: Select,
): ResolvedQuery {
  const { at } = selectAll;
  const context = plainContext(
    environment,
    { names: rows.names, outer: environment.outer },
    'pipe AGGREGATE',
  );
  for (const item of items) checkAggregates(context, item);
  const sets = groupBy.find((key) => key.kind !== 'expression');
  if (sets !== undefined && sortGroups) {
    const name = sets.kind === 'sets' ? 'GROUPING SETS and ()' : sets.kind.toUpperCase();
    throw analysisError(environment, sets.at, `GROUP AND ORDER BY cannot be used with ${name}`);
  }
  const keys = new Keys(context);
  const grouped = groupBy.map((key) => keys.itemOf(key));
  const keyItems: readonly SelectItem[] = keys.items;
  const select: Select = {
    ...selectAll,
    items: [...keyItems, ...items],
    groupBy: { kind: 'items', items: grouped, at } satisfies GroupBy,
  };
  const query = selectFrom(environment, rows, select, [], {
    aggregates: true,
    windows: false,
    clause: 'pipe AGGREGATE',
  });
  const outputs = (from: number, orders: readonly (Direction | null)[], byDefault: Direction | null) =>
    query.columns.slice(from).flatMap((output, index) => {
      const order = index < orders.length ? (orders[index] ?? byDefault) : null;
      return order === null ? [] : [keyOf(environment, output, order, at)];
    });
  const ascending = sortGroups ? { descending: false, nullsFirst: null } : null;
  const sorted = [
    ...(sets === undefined ? outputs(0, keyOrders, ascending) : []),
    ...outputs(query.columns.length - items.length, itemOrders, null),
  ];
  return sorted.length === 0 ? query : { ...query, scan: { kind: 'order', input: query.scan, keys: sorted } };
}

function keyOf(environment: Environment, { column }: OutputColumn, order: Direction, at: number): SortKey {
  return sortKey(environment, { ...order, at }, columnReference(column));
}

/** Each item of the list aggregates, and names no key beside it. */
function checkAggregates(context: ExpressionContext, item: SelectItem): void {
  const aggregates: { found: ResolvedAggregate[] } = { found: [] };
  const resolved = resolveSelectItems({ ...context, aggregates }, [item]);
  if (aggregates.found.length === 0) {
    const message = 'Pipe AGGREGATE cannot include non-aggregate expressions';
    throw analysisError(context.environment, item.at, message);
  }
  const available = columnIds(context.scope.names);
  const beside = resolved.some(({ expression }) =>
    [...referencedColumns(expression)].some((id) => available.has(id)),
  );
  if (beside) {
    const message =
      'AGGREGATE list expression references a column that is not aggregated; use EXTEND after it';
    throw analysisError(context.environment, item.at, message);
  }
}

/** The keys of GROUP BY as items of a SELECT list, and the same GROUP BY by their numbers. */
class Keys {
  readonly items: SelectItem[] = [];
  readonly #context: ExpressionContext;
  /** Of the keys of grouping sets, by ExpressionKeys: one that stands in several sets is one column. */
  readonly #numbers = new Map<number, number>();

  constructor(context: ExpressionContext) {
    this.#context = context;
  }

  itemOf(key: PipeGroupItem): GroupItem {
    const { at } = key;
    if (key.kind === 'expression') {
      if (plainLiteral(key.expression) !== null) {
        const message = 'GROUP BY ordinal not allowed in pipe AGGREGATE';
        throw analysisError(this.#context.environment, at, message);
      }
      if (isLiteralList(key.expression))
        throw analysisError(this.#context.environment, at, 'Cannot GROUP BY literal values');
      return { kind: 'expression', expression: this.#add(key), at };
    }
    if (key.kind !== 'sets') return this.#lists(key);
    const sets = key.sets.map((set) => ('kind' in set ? this.#lists(set) : this.#list(set)));
    return { kind: 'sets', sets, at };
  }

  #lists(lists: GroupingLists): GroupingLists {
    return { ...lists, sets: lists.sets.map((set) => this.#list(set)) };
  }

  #list(set: readonly Expression[]): Expression[] {
    return set.map((expression) => {
      const { environment } = this.#context;
      const { at } = expression;
      if (plainLiteral(expression) !== null)
        throw analysisError(environment, at, 'GROUP BY ordinal not allowed in pipe AGGREGATE');
      if (impliedName(expression) === '') {
        const message = 'Grouping sets take columns only; compute the expression in an EXTEND step before';
        throw analysisError(environment, at, message);
      }
      const key = environment.keys.keyOf(resolveExpression(this.#context, expression));
      const known = this.#numbers.get(key);
      if (known !== undefined) return ordinal(known, at);
      this.#numbers.set(key, this.items.length + 1);
      return this.#add({ kind: 'expression', expression, alias: null, at });
    });
  }

  #add(item: SelectItem): Expression {
    this.items.push(item);
    return ordinal(this.items.length, item.at);
  }
}

function ordinal(value: number, at: number): Expression {
  return { kind: 'literal', type: 'INT64', value: String(value), at };
}
