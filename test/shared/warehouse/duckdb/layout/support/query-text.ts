import type { Expr, FromItem, Query, Relation, Select } from './query.ts';
import { isScalar } from './types.ts';

/** A made query as GoogleSQL. */
export function queryText(query: Query): string {
  const ctes = query.ctes.map(({ name, query: inner }) => `${name} AS (${queryText(inner)})`);
  const prefix = ctes.length === 0 ? '' : `WITH ${ctes.join(', ')} `;
  const order = orderText(query);
  const [only] = query.selects;
  if (query.selects.length === 1 && only?.isPiped) return `${prefix}${pipedText(only)}${pipedOrder(query)}`;
  return `${prefix}${query.selects.map(selectText).join(' UNION ALL ')}${order}`;
}

function orderText(query: Query): string {
  const keys = query.orderBy.map(
    ({ column, isDescending }) => `${columnName(query, column)}${isDescending ? ' DESC' : ''}`,
  );
  const order = keys.length === 0 ? '' : ` ORDER BY ${keys.join(', ')}`;
  return `${order}${query.limit === null ? '' : ` LIMIT ${query.limit}`}`;
}

function pipedOrder(query: Query): string {
  const order = orderText({ ...query, limit: null });
  const limit = query.limit === null ? '' : ` |> LIMIT ${query.limit}`;
  return `${order === '' ? '' : ` |>${order}`}${limit}`;
}

function columnName(query: Query, column: number): string {
  return query.selects[0]?.columns[column]?.name ?? '';
}

function selectText(select: Select): string {
  const list = select.columns.map(({ name, value }) => `${exprText(value)} AS ${name}`).join(', ');
  const from = select.from.length === 0 ? '' : ` FROM ${fromText(select.from)}`;
  const where = select.where === null ? '' : ` WHERE ${exprText(select.where)}`;
  const keys = select.columns.filter(({ value }) => value.op !== 'aggregate').map(({ name }) => name);
  const group = select.isGrouped && keys.length > 0 ? ` GROUP BY ${keys.join(', ')}` : '';
  return `SELECT ${list}${from}${where}${group}`;
}

function pipedText(select: Select): string {
  const [first, ...others] = select.from;
  if (first === undefined) return selectText(select);
  const joins = others.map((item) => ` |>${itemText(item.join === ',' ? { ...item, join: 'CROSS' } : item)}`);
  const where = select.where === null ? '' : ` |> WHERE ${exprText(select.where)}`;
  const from = `FROM ${fromText([first])}${joins.join('')}${where}`;
  if (!select.isGrouped) {
    return `${from} |> SELECT ${select.columns.map(({ name, value }) => `${exprText(value)} AS ${name}`).join(', ')}`;
  }
  const terms = (isAggregate: boolean) =>
    select.columns
      .filter(({ value }) => (value.op === 'aggregate') === isAggregate)
      .map(({ name, value }) => `${exprText(value)} AS ${name}`)
      .join(', ');
  const group = terms(false) === '' ? '' : ` GROUP BY ${terms(false)}`;
  return `${from} |> AGGREGATE ${terms(true)}${group} |> SELECT ${select.columns.map(({ name }) => name).join(', ')}`;
}

function fromText([first, ...others]: readonly FromItem[]): string {
  if (first === undefined) return '';
  return `${sourceText(first)}${others.map(itemText).join('')}`;
}

function itemText(item: FromItem): string {
  const on = item.on === null ? '' : ` ON ${exprText(item.on)}`;
  const join = item.join === ',' ? ',' : ` ${item.join} JOIN`;
  return `${join} ${sourceText(item)}${on}`;
}

function sourceText(item: FromItem): string {
  if (item.kind === 'relation') return `${relationText(item.relation)} AS ${item.alias}`;
  const offset = item.offset === null ? '' : ` WITH OFFSET AS ${item.offset}`;
  return `UNNEST(${exprText(item.array)}) AS ${item.alias}${offset}`;
}

function relationText(relation: Relation): string {
  if (relation.kind === 'derived') return `(${queryText(relation.query)})`;
  return relation.kind === 'cte' ? relation.name : `logs.${relation.name}`;
}

export function exprText(expr: Expr): string {
  switch (expr.op) {
    case 'variable':
      return expr.name;
    case 'field':
      return `${exprText(expr.of)}.\`${expr.name}\``;
    case 'literal':
      return literalText(expr);
    case 'call':
      return callText(expr);
    case 'index':
      return `${exprText(expr.of)}[${expr.how}(${expr.at})]`;
    case 'struct':
      return `STRUCT(${expr.fields.map(({ name, value }) => `${exprText(value)} AS \`${name}\``).join(', ')})`;
    case 'exists':
      return `EXISTS (${queryText(expr.query)})`;
    case 'array':
      return `ARRAY(${queryText(expr.query)})`;
    case 'scalar':
      return `(${queryText(expr.query)})`;
    case 'in':
      return `(${exprText(expr.of)} IN (${queryText(expr.query)}))`;
    case 'aggregate':
      return aggregateText(expr);
    default: {
      const unreachable: never = expr;
      throw new TypeError(`expression ${JSON.stringify(unreachable)}`);
    }
  }
}

function aggregateText({ name, arg }: Extract<Expr, { op: 'aggregate' }>): string {
  if (arg === null) return 'COUNT(*)';
  return name === 'COUNT DISTINCT' ? `COUNT(DISTINCT ${exprText(arg)})` : `${name}(${exprText(arg)})`;
}

function callText({ name, args }: Extract<Expr, { op: 'call' }>): string {
  const [first = '', second = ''] = args.map(exprText);
  switch (name) {
    case 'NOT':
      return `(NOT ${first})`;
    case 'IS NULL':
    case 'IS NOT NULL':
      return `(${first} ${name})`;
    case 'IFNULL':
    case 'IF':
    case 'ARRAY_LENGTH':
    case 'STARTS_WITH':
    case 'LENGTH':
    case 'TO_JSON_STRING':
      return `${name}(${args.map(exprText).join(', ')})`;
    case 'CONTAINS':
      return `REGEXP_CONTAINS(${first}, ${second})`;
    default:
      return `(${first} ${name} ${second})`;
  }
}

function literalText({ value, type }: Extract<Expr, { op: 'literal' }>): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string' && isScalar(type, 'STRING')) return JSON.stringify(value);
  if (isScalar(type, 'DATE')) return `DATE '${value}'`;
  if (isScalar(type, 'TIMESTAMP')) return `TIMESTAMP_MICROS(${value})`;
  return String(value);
}
