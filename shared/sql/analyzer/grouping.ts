import type { Expression } from '../ast/expression.ts';
import type { GroupBy, GroupItem } from '../ast/query.ts';
import { findFunction } from '../functions/catalog.ts';
import type { ResolvedAggregate, ResolvedColumn, ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import { referencedColumns } from '../resolved/references.ts';
import type { AggregateScan, ComputedColumn, ResolvedScan } from '../resolved/scan.ts';
import { mapExpression } from '../resolved/transform.ts';
import { typeText } from '../types/sql-type.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';
import type { SelectedItem } from './expand-star.ts';
import type { Resolve } from './expression-context.ts';
import { isGroupable } from './groupable.ts';
import { ordinalOf } from './ordinals.ts';
import { impliedName } from './resolve-name.ts';
import { type Aliases, columnIds, type Scope } from './scope.ts';

/** Most grouping sets that ROLLUP, CUBE and GROUPING SETS may make. */
const MAX_GROUPING_SETS = 256;

/** What a query groups by. */
export interface Grouping {
  readonly keys: readonly ComputedColumn[];
  readonly sets: AggregateScan['sets'];
}

/** What the keys of GROUP BY are resolved against. */
export interface GroupingScope {
  readonly environment: Environment;
  readonly scope: Scope;
  readonly items: readonly SelectedItem[];
  readonly aliases: Aliases;
  /** The columns that aggregates and window functions give. */
  readonly collected: ReadonlySet<number>;
  /** Resolves a key that is neither an item's number nor its alias. */
  readonly resolve: Resolve;
}

/** Resolves GROUP BY. A name that the select list has as alias means that item, before any column of FROM. */
export function resolveGroupBy(within: GroupingScope, groupBy: GroupBy | null): Grouping {
  const keys = new KeyList(within.environment);
  if (groupBy === null) return { keys: [], sets: null };
  if (groupBy.kind === 'all') {
    for (const item of within.items)
      if (isGroupedByAll(within, item.expression)) keys.add(item.expression, item.name, item.at);
    return { keys: keys.list, sets: null };
  }
  const special = groupBy.items.find((item) => item.kind !== 'expression');
  if (special !== undefined && groupBy.items.length > 1) throw notAlone(within.environment, special);
  const [sets = []] = groupBy.items.map((item) => groupingSets(within, keys, item));
  if (sets.length > MAX_GROUPING_SETS) throw tooManySets(within, groupBy.at);
  // `()` alone makes one group of all rows, also where there are none.
  const isOneGroup = sets.length === 1 && sets[0]?.length === 0;
  const ofSets = special === undefined || isOneGroup ? null : sets.map((set) => [...new Set(set)]);
  return { keys: keys.list, sets: ofSets };
}

function notAlone(environment: Environment, { kind, at }: GroupItem) {
  const name = kind === 'sets' ? 'GROUPING SETS and ()' : kind.toUpperCase();
  const message = `The GROUP BY clause only supports ${name} when there are no other grouping elements`;
  return analysisError(environment, at, message);
}

/** GROUP BY ALL takes the items that use columns but neither aggregates nor window functions. */
function isGroupedByAll(within: GroupingScope, expression: ResolvedExpression): boolean {
  const used = referencedColumns(expression);
  if ([...used].some((id) => within.collected.has(id))) return false;
  const available = columnIds(within.scope.names);
  return [...used].some((id) => available.has(id));
}

function groupingSets(within: GroupingScope, keys: KeyList, item: GroupItem): number[][] {
  if (item.kind === 'expression') return [[resolveKey(within, keys, item.expression)]];
  const resolveKeys = (set: readonly Expression[]) =>
    set.map((expression) => resolveKey(within, keys, expression));
  if (item.kind === 'sets') {
    return item.sets.flatMap((set) => ('kind' in set ? groupingSets(within, keys, set) : [resolveKeys(set)]));
  }
  const sets = item.sets.map(resolveKeys);
  if (item.kind === 'rollup')
    return [...sets.map((_, index) => sets.slice(0, sets.length - index).flat()), []];
  if (2 ** sets.length > MAX_GROUPING_SETS) throw tooManySets(within, item.at);
  let subsets: number[][] = [[]];
  for (const set of sets) subsets = subsets.flatMap((subset) => [[...subset, ...set], subset]);
  return subsets;
}

function tooManySets({ environment }: GroupingScope, at: number) {
  return analysisError(environment, at, `GROUP BY makes more than ${MAX_GROUPING_SETS} grouping sets`);
}

function resolveKey(within: GroupingScope, keys: KeyList, expression: Expression): number {
  const { environment, items, aliases, resolve } = within;
  const ordinal = ordinalOf(environment, expression, items.length, 'GROUP BY');
  const item = ordinal === null ? undefined : items[ordinal];
  if (item !== undefined) return checkedKey(within, keys, item.expression, item.name, expression.at);
  const alias = expression.kind === 'name' ? aliases.get(expression.name.toLowerCase()) : undefined;
  if (alias !== undefined && expression.kind === 'name') {
    return checkedKey(within, keys, alias, expression.name, expression.at);
  }
  return keys.add(resolve(expression), impliedName(expression), expression.at);
}

function checkedKey(
  within: GroupingScope,
  keys: KeyList,
  value: ResolvedExpression,
  name: string,
  at: number,
): number {
  if ([...referencedColumns(value)].some((id) => within.collected.has(id))) {
    const message = `Column ${name} contains an aggregation or window function, which is not allowed in GROUP BY`;
    throw analysisError(within.environment, at, message);
  }
  return keys.add(value, name, at);
}

/** The keys of a grouping, each expression once; one without columns is another wherever it stands. */
class KeyList {
  readonly list: ComputedColumn[] = [];
  readonly #positions = new Map<number, number>();
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  add(expression: ResolvedExpression, name: string, at: number): number {
    if (!isGroupable(expression.type)) {
      const found = typeText(expression.type);
      throw analysisError(this.#environment, at, `Grouping by expressions of type ${found} is not allowed`);
    }
    const key = this.#environment.keys.keyOf(expression);
    const known =
      referencedColumns(expression).size > 0
        ? this.#positions.get(key)
        : this.list.findIndex((one) => one.expression === expression);
    if (known !== undefined && known >= 0) return known;
    this.#positions.set(key, this.list.length);
    this.list.push({ column: newColumn(this.#environment, name, expression.type), expression });
    return this.list.length - 1;
  }
}

/** Says in an expression what a grouped query's rows have: keys in place of what they were made of, and aggregates. */
export type Regroup = (expression: ResolvedExpression, at: number, place: string) => ResolvedExpression;

/**
 * Makes the function that rewrites a grouped query's expressions. It refuses columns of FROM that are neither keys
 * nor inside an aggregate. A key is known by its alias or number anywhere, as are columns and fields that are keys. Any other key
 * is known as a whole item of the select list, unless the item can be made of other keys.
 */
export function regrouper(
  environment: Environment,
  { scope, items }: Pick<GroupingScope, 'scope' | 'items'>,
  grouping: Grouping,
): Regroup {
  const keys = keyColumns(environment, grouping);
  const own = new Map(grouping.keys.map(({ column, expression }) => [expression, column]));
  const available = columnIds(scope.names);
  const columns = new Set(
    grouping.keys.flatMap(({ expression }) => (expression.kind === 'column' ? [expression.column.id] : [])),
  );
  const whole = new Set(items.map(({ expression }) => expression));
  const repeated = (part: ResolvedExpression) => {
    const key = keys.get(environment.keys.keyOf(part));
    if (key === undefined || isPath(part)) return key;
    const isMadeOfKeys = [...referencedColumns(part)].every((id) => columns.has(id));
    return whole.has(part) && !isMadeOfKeys ? key : undefined;
  };
  return (expression, at, place) =>
    mapExpression(expression, (part) => {
      const key = own.get(part) ?? repeated(part);
      if (key !== undefined) return columnReference(key);
      if (part.kind !== 'column') return null;
      if (!available.has(part.column.id)) return part;
      const name = part.column.name === '' ? 'of an unnested array' : part.column.name;
      const message = `${place} expression references column ${name} which is neither grouped nor aggregated`;
      throw analysisError(environment, at, message);
    });
}

/** Whether an expression is a column, or a field of one. */
export function isPath(expression: ResolvedExpression): boolean {
  return expression.kind === 'column' || (expression.kind === 'field' && isPath(expression.base));
}

/** The keys of a grouping by the expressions that they were made of. */
function keyColumns({ keys }: Environment, grouping: Grouping): ReadonlyMap<number, ResolvedColumn> {
  return new Map(grouping.keys.map(({ column, expression }) => [keys.keyOf(expression), column]));
}

/** The rows of a grouped query. `at` is its place, for the error of a GROUPING() whose argument is not a key. */
export function aggregateScan(
  environment: Environment,
  input: ResolvedScan,
  grouping: Grouping,
  aggregates: readonly ResolvedAggregate[],
  at: number,
): AggregateScan {
  const keys = keyColumns(environment, grouping);
  const keyOf = (argument: ResolvedExpression, name: string): ResolvedExpression => {
    const key = keys.get(environment.keys.keyOf(argument));
    if (key !== undefined) return grouping.sets === null ? argument : columnReference(key);
    const message = `${name} must have an argument that exists within the group-by expression list`;
    throw analysisError(environment, at, message);
  };
  return {
    kind: 'aggregate',
    input,
    keys: grouping.keys,
    sets: grouping.sets,
    aggregates: aggregates.map((aggregate) => {
      if (!findFunction(aggregate.name)?.takesGroupKey) return aggregate;
      return { ...aggregate, arguments: aggregate.arguments.map((one) => keyOf(one, aggregate.name)) };
    }),
  };
}
