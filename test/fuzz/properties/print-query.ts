import type { Expression } from '../../../shared/sql/ast/expression.ts';
import type {
  FromItem,
  GroupBy,
  GroupItem,
  PipeOperator,
  Query,
  QueryBody,
  Select,
  SelectItem,
} from '../../../shared/sql/ast/query.ts';
import {
  alias,
  list,
  name,
  never,
  orders,
  print,
  printBase,
  printWindow,
  words,
} from './print-expression.ts';

/**
 * Our tree of a query as GoogleSQL with parentheses around every operation, so that the text has one reading only:
 * when the oracle reads it as it reads the query itself, our parser has read the query as the oracle does.
 */
export function printQuery(query: Query): string {
  const ctes = query.ctes.map((cte) => `${name(cte.name)} AS (${printQuery(cte.query)})`);
  return words(
    ctes.length > 0 && `WITH ${ctes.join(', ')}`,
    printBody(query.body),
    query.orderBy.length > 0 && `ORDER BY ${orders(query.orderBy)}`,
    query.limit !== null && `LIMIT ${print(query.limit)}`,
    query.offset !== null && `OFFSET ${print(query.offset)}`,
  );
}

function printBody(body: QueryBody): string {
  switch (body.kind) {
    case 'query':
      return `(${printQuery(body)})`;
    case 'select':
      return printSelect(body);
    case 'set-operation':
      return body.inputs.map(printBody).join(` ${body.operator} ${body.distinct ? 'DISTINCT' : 'ALL'} `);
    case 'from-query':
      return `FROM ${printFrom(body.from)}`;
    case 'pipe':
      return `${printBody(body.input)} |> ${printPipe(body.operator)}`;
    default:
      return never(body);
  }
}

function printSelect(select: Select): string {
  return words(
    'SELECT',
    select.distinct && 'DISTINCT',
    select.as !== null && `AS ${select.as}`,
    select.items.map(printItem).join(', '),
    select.from !== null && `FROM ${printFrom(select.from)}`,
    select.where !== null && `WHERE ${print(select.where)}`,
    select.groupBy !== null && `GROUP BY ${printGroupBy(select.groupBy)}`,
    select.having !== null && `HAVING ${print(select.having)}`,
    select.qualify !== null && `QUALIFY ${print(select.qualify)}`,
    select.windows.length > 0 &&
      `WINDOW ${select.windows.map((window) => `${name(window.name)} AS ${printWindow(window.spec)}`).join(', ')}`,
  );
}

function printItem(item: SelectItem): string {
  if (item.kind === 'expression') return print(item.expression) + alias(item.alias);
  const except = item.except.map((column) => name(column.name)).join(', ');
  const replace = item.replace
    .map(({ expression, name: as }) => `${print(expression)} AS ${name(as)}`)
    .join(', ');
  return words(
    item.kind === 'star' ? '*' : `${printBase(item.base)}.*`,
    except !== '' && `EXCEPT (${except})`,
    replace !== '' && `REPLACE (${replace})`,
  );
}

function printGroupBy(groupBy: GroupBy): string {
  if (groupBy.kind === 'all') return 'ALL';
  return groupBy.items.map(printGroupItem).join(', ');
}

function printGroupItem(item: GroupItem): string {
  if (item.kind === 'expression') return print(item.expression);
  const sets = item.sets.map((set) => {
    if ('kind' in set) return printGroupItem(set);
    return set.length === 1 ? list(set) : `(${list(set)})`;
  });
  if (item.kind === 'sets' && sets.join() === '()') return '()';
  return `${item.kind === 'sets' ? 'GROUPING SETS' : item.kind.toUpperCase()} (${sets.join(', ')})`;
}

function printFrom(item: FromItem): string {
  const offset = (of: { offset: { alias: string } | null }) =>
    of.offset === null ? '' : ` WITH OFFSET AS ${name(of.offset.alias)}`;
  switch (item.kind) {
    case 'table':
      return item.path.map(name).join('.') + alias(item.alias) + offset(item);
    case 'unnest':
      return `UNNEST(${print(item.array)})${alias(item.alias)}${offset(item)}`;
    case 'table-subquery':
      return `(${printQuery(item.query)})${alias(item.alias)}`;
    case 'join': {
      const right = item.right.kind === 'join' ? `(${printFrom(item.right)})` : printFrom(item.right);
      if (item.join === 'COMMA') return `${printFrom(item.left)}, ${right}`;
      return words(printFrom(item.left), item.join, 'JOIN', right, condition(item.on, item.using));
    }
    default:
      return never(item);
  }
}

function condition(on: Expression | null, using: readonly { name: string }[] | null): string | false {
  if (on !== null) return `ON ${print(on)}`;
  return using !== null && `USING (${using.map((column) => name(column.name)).join(', ')})`;
}

function printPipe(step: PipeOperator): string {
  switch (step.kind) {
    case 'select':
      return words(
        'SELECT',
        step.distinct && 'DISTINCT',
        step.as && `AS ${step.as}`,
        step.items.map(printItem).join(', '),
      );
    case 'extend':
      return `EXTEND ${step.items.map(printItem).join(', ')}`;
    case 'set':
      return `SET ${step.items.map((item) => `${name(item.name)} = ${print(item.value)}`).join(', ')}`;
    case 'drop':
      return `DROP ${step.names.map((column) => name(column.name)).join(', ')}`;
    case 'rename':
      return `RENAME ${step.names.map((pair) => `${name(pair.from)} AS ${name(pair.to)}`).join(', ')}`;
    case 'as':
      return `AS ${name(step.alias)}`;
    case 'where':
      return `WHERE ${print(step.condition)}`;
    case 'limit':
      return words(`LIMIT ${print(step.limit)}`, step.offset !== null && `OFFSET ${print(step.offset)}`);
    case 'distinct':
      return 'DISTINCT';
    case 'aggregate':
      return words(
        'AGGREGATE',
        step.items.map(printItem).join(', '),
        step.groupBy.length > 0 &&
          `GROUP ${step.sortGroups ? 'AND ORDER ' : ''}BY ${step.groupBy.map((key, index) => printItem(key) + keyOrder(step.keyOrders[index] ?? null)).join(', ')}`,
      );
    case 'order':
      return `ORDER BY ${orders(step.orderBy)}`;
    case 'join': {
      const right = step.right.kind === 'join' ? `(${printFrom(step.right)})` : printFrom(step.right);
      return words(step.join, 'JOIN', right, condition(step.on, step.using));
    }
    case 'set-operation':
      return `${step.operator} ${step.distinct ? 'DISTINCT' : 'ALL'} ${step.inputs.map((input) => (input.kind === 'query' ? printBody(input) : `(${printBody(input)})`)).join(', ')}`;
    default:
      return never(step);
  }
}

/** NULLS FIRST or LAST alone sorts too, and so does ASC, which says nothing besides. */
function keyOrder(order: { descending: boolean; nullsFirst: boolean | null } | null): string {
  if (order === null) return '';
  const nulls = order.nullsFirst === null ? '' : ` NULLS ${order.nullsFirst ? 'FIRST' : 'LAST'}`;
  return `${order.descending ? ' DESC' : ' ASC'}${nulls}`;
}
