import { aggregateOf, call, compareValues, isTrue, jsonText, keyOf } from './evaluate-calls.ts';
import type { Expr, FromItem, OrderKey, Query, Relation, Select } from './query.ts';
import { isArray, Struct, type Value } from './values.ts';

/** The rows of the tables by name, as they went in. */
export type Tables = ReadonlyMap<string, readonly Struct[]>;

/** A query that fails on a value, which may depend on what an engine evaluates at all. */
export class EvaluationError extends Error {}

/** A query with so many rows that to compare them takes long. */
export class TooManyRows extends Error {}

const MOST_ROWS = 2_000;

/** The names that can be seen at a place: variables and CTEs, the rows of which are structs. */
interface Scope {
  readonly tables: Tables;
  readonly ctes: ReadonlyMap<string, readonly Struct[]>;
  readonly variables: ReadonlyMap<string, Value>;
}

/**
 * What a made query answers, evaluated as GoogleSQL defines it, row by row and without any thought of speed. It shares no code
 * with what it tests.
 */
export function evaluate(query: Query, tables: Tables): readonly Struct[] {
  return rowsOf(query, { tables, ctes: new Map(), variables: new Map() });
}

function rowsOf(query: Query, scope: Scope): readonly Struct[] {
  let inner = scope;
  for (const { name, query: cte } of query.ctes) {
    inner = { ...inner, ctes: new Map(inner.ctes).set(name, rowsOf(cte, inner)) };
  }
  const rows = query.selects.flatMap((select) => selectRows(select, inner));
  const sorted =
    query.orderBy.length === 0 ? rows : rows.toSorted((a, b) => compareRows(a, b, query.orderBy));
  return query.limit === null ? sorted : sorted.slice(0, query.limit);
}

/** NULLs are less than all other values. */
export function compareRows(a: Struct, b: Struct, keys: readonly OrderKey[]): number {
  for (const { column, isDescending } of keys) {
    const [one = null, other = null] = [a.values[column], b.values[column]];
    if (one === null && other === null) continue;
    const order = one === null ? -1 : other === null ? 1 : compareValues(one, other);
    if (order !== 0) return isDescending ? -order : order;
  }
  return 0;
}

function selectRows(select: Select, scope: Scope): readonly Struct[] {
  const seen = select.from.reduce<readonly Scope[]>((scopes, item) => joined(scopes, item), [scope]);
  const kept = seen.filter((one) => select.where === null || isTrue(valueIn(select.where, one)));
  if (!select.isGrouped) {
    return kept.map((one) => new Struct(select.columns.map(({ value }) => valueIn(value, one))));
  }
  const keys = select.columns.map(({ value }) => value).filter(({ op }) => op !== 'aggregate');
  const groups = Map.groupBy(kept, (one) => JSON.stringify(keys.map((key) => keyOf(valueIn(key, one)))));
  if (keys.length === 0 && groups.size === 0) groups.set('', []);
  return [...groups.values()].map(
    (group) => new Struct(select.columns.map(({ value }) => groupValue(value, group, scope))),
  );
}

function groupValue(expr: Expr, group: readonly Scope[], scope: Scope): Value {
  if (expr.op !== 'aggregate') return valueIn(expr, group[0] ?? scope);
  const { arg } = expr;
  return aggregateOf(expr.name, group.length, arg === null ? null : group.map((one) => valueIn(arg, one)));
}

/** Each row so far with each row of the item; LEFT keeps those that find none. */
function joined(scopes: readonly Scope[], item: FromItem): readonly Scope[] {
  let rows = 0;
  return scopes.flatMap((scope) => {
    const found = itemScopes(scope, item).filter((one) => item.on === null || isTrue(valueIn(item.on, one)));
    rows += found.length;
    if (rows > MOST_ROWS) throw new TooManyRows();
    return found.length === 0 && item.join === 'LEFT' ? [withoutRow(scope, item)] : found;
  });
}

function itemScopes(scope: Scope, item: FromItem): readonly Scope[] {
  if (item.kind === 'relation') {
    return relationRows(item.relation, scope).map((row) => withVariables(scope, [[item.alias, row]]));
  }
  const array = valueIn(item.array, scope);
  if (!isArray(array)) return [];
  return array.map((element, index) =>
    withVariables(scope, [
      [item.alias, element],
      ...(item.offset === null ? [] : [[item.offset, BigInt(index)] as const]),
    ]),
  );
}

function withoutRow(scope: Scope, item: FromItem): Scope {
  const offset = item.kind === 'unnest' && item.offset !== null ? [[item.offset, null] as const] : [];
  return withVariables(scope, [[item.alias, null], ...offset]);
}

function withVariables(scope: Scope, variables: readonly (readonly [string, Value])[]): Scope {
  return { ...scope, variables: new Map([...scope.variables, ...variables]) };
}

function relationRows(relation: Relation, scope: Scope): readonly Struct[] {
  if (relation.kind === 'table') return scope.tables.get(relation.name) ?? [];
  if (relation.kind === 'cte') return scope.ctes.get(relation.name) ?? [];
  return rowsOf(relation.query, { ...scope, variables: new Map() });
}

function valueIn(expr: Expr, scope: Scope): Value {
  switch (expr.op) {
    case 'variable':
      return scope.variables.get(expr.name) ?? null;
    case 'field': {
      const record = valueIn(expr.of, scope);
      return record instanceof Struct ? (record.values[expr.index] ?? null) : null;
    }
    case 'literal':
      return expr.value;
    case 'call':
      return callValue(expr, scope);
    case 'index':
      return elementOf(expr, valueIn(expr.of, scope));
    case 'struct':
      return new Struct(expr.fields.map(({ value }) => valueIn(value, scope)));
    case 'exists':
      return rowsOf(expr.query, scope).length > 0;
    case 'array':
      return rowsOf(expr.query, scope).map((row) => row.values[0] ?? null);
    case 'scalar': {
      const rows = rowsOf(expr.query, scope);
      if (rows.length > 1) throw new EvaluationError('more than one row');
      return rows[0]?.values[0] ?? null;
    }
    case 'in':
      return isIn(valueIn(expr.of, scope), rowsOf(expr.query, scope));
    case 'aggregate':
      throw new TypeError('an aggregate without a group');
    default: {
      const unreachable: never = expr;
      throw new TypeError(`expression ${JSON.stringify(unreachable)}`);
    }
  }
}

function callValue(expr: Extract<Expr, { op: 'call' }>, scope: Scope): Value {
  const { name, args } = expr;
  const value = (index: number) => {
    const arg = args[index];
    return arg === undefined ? null : valueIn(arg, scope);
  };
  if (name === 'IF') return isTrue(value(0)) ? value(1) : value(2);
  if (name === 'IFNULL') return value(0) ?? value(1);
  if (name === 'TO_JSON_STRING') return jsonText(value(0), args[0]?.type);
  return call(name, value(0), value(1));
}

function elementOf({ how, at }: Extract<Expr, { op: 'index' }>, array: Value): Value {
  if (!isArray(array)) return null;
  const index = how.endsWith('ORDINAL') ? at - 1 : at;
  if (index >= 0 && index < array.length) return array[index] ?? null;
  if (how.startsWith('SAFE')) return null;
  throw new EvaluationError('out of bounds');
}

/** NULL where a NULL might be the one. */
function isIn(value: Value, rows: readonly Struct[]): Value {
  if (rows.length === 0) return false;
  if (value === null) return null;
  const candidates = rows.map((row) => row.values[0] ?? null);
  if (candidates.some((one) => one !== null && isTrue(call('=', value, one)))) return true;
  return candidates.includes(null) ? null : false;
}
