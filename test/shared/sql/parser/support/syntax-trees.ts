import type { Expression, In } from '../../../../../shared/sql/ast/expression.ts';
import type { FromItem, Query, QueryBody } from '../../../../../shared/sql/ast/query.ts';
import { parseStatement } from '../../../../../shared/sql/parser/parse-query.ts';
import { serviceErrorOf } from '../../support/service-error.ts';

/** The expression of `SELECT expression`, as `(operator operand …)`. */
export function expressionTree(sql: string): string {
  const { body } = parseStatement(`select ${sql}`);
  const item = body.kind === 'select' ? body.items[0] : undefined;
  if (item?.kind !== 'expression') throw new Error('not an expression');
  return print(item.expression);
}

function printInList(list: In['list']): readonly string[] {
  if (list.kind === 'values') return list.values.map(print);
  return list.kind === 'array' ? ['UNNEST', print(list.array)] : ['QUERY'];
}

function print(expression: Expression): string {
  const node = (...parts: readonly string[]) => `(${parts.join(' ')})`;
  const not = (negated: boolean, text: string) => (negated ? node('NOT', text) : text);
  switch (expression.kind) {
    case 'literal':
      return expression.type === 'STRING' ? `'${expression.value}'` : expression.value;
    case 'parameter':
      return `@${expression.name}`;
    case 'name':
      return expression.name;
    case 'field':
      return `${print(expression.base)}.${expression.name}`;
    case 'subscript':
      return `${print(expression.base)}[${expression.mode} ${print(expression.index)}]`;
    case 'unary':
      return node(expression.operator, print(expression.operand));
    case 'binary':
      return node(expression.operator, print(expression.left), print(expression.right));
    case 'between':
      return not(
        expression.negated,
        node('BETWEEN', ...[expression.operand, expression.low, expression.high].map(print)),
      );
    case 'in': {
      const values = printInList(expression.list);
      return not(expression.negated, node('IN', print(expression.operand), ...values));
    }
    case 'quantified-like':
      return not(
        expression.negated,
        node(`LIKE-${expression.quantifier}`, print(expression.operand), ...printInList(expression.patterns)),
      );
    case 'is':
      return not(expression.negated, node(`IS-${expression.test}`, print(expression.operand)));
    case 'case': {
      const branches = expression.branches.flatMap(({ when, result }) => [print(when), print(result)]);
      const operand = expression.operand === null ? [] : [`of:${print(expression.operand)}`];
      return node(
        'CASE',
        ...operand,
        ...branches,
        ...(expression.otherwise === null ? [] : [`else:${print(expression.otherwise)}`]),
      );
    }
    case 'cast':
      return node(
        expression.safe ? 'SAFE_CAST' : 'CAST',
        print(expression.operand),
        expression.type.kind === 'scalar' ? expression.type.name : expression.type.kind,
      );
    case 'extract':
      return node(
        'EXTRACT',
        expression.part.name,
        print(expression.operand),
        ...(expression.zone === null ? [] : [print(expression.zone)]),
      );
    case 'interval':
      return node('INTERVAL', print(expression.value), expression.from);
    case 'array':
      return node('ARRAY', ...expression.elements.map(print));
    case 'struct':
      return node(
        'STRUCT',
        ...expression.fields.map(({ value, alias }) => (alias === null ? '' : `${alias}:`) + print(value)),
      );
    case 'subquery':
      return node(expression.mode.toUpperCase());
    case 'call': {
      const list = expression.arguments.map((argument) =>
        argument.kind === 'star'
          ? '*'
          : argument.kind === 'named-argument'
            ? `${argument.name}=>${print(argument.value)}`
            : argument.kind === 'lambda'
              ? `${argument.parameters.join(',')}->${print(argument.body)}`
              : argument.kind === 'date-part'
                ? argument.name
                : print(argument),
      );
      return node(`${expression.safe ? 'SAFE.' : ''}${expression.name}`, ...list);
    }
    case 'with-expression':
      return node(
        'WITH',
        ...expression.variables.map(({ name, value }) => `${name}:${print(value)}`),
        print(expression.result),
      );
    default: {
      const unreachable: never = expression;
      throw new Error(`expression ${JSON.stringify(unreachable)}`);
    }
  }
}

/** The FROM clause of `SELECT 1 FROM …` with its joins in parentheses. */
export function fromTree(sql: string): string {
  const { body } = parseStatement(`select 1 from ${sql}`);
  if (body.kind !== 'select' || body.from === null) throw new Error('no FROM');
  return printFrom(body.from);
}

function printFrom(item: FromItem): string {
  const alias = 'alias' in item && item.alias !== null ? ` ${item.alias}` : '';
  const offset = 'offset' in item && item.offset !== null ? ` @${item.offset.alias}` : '';
  switch (item.kind) {
    case 'table':
      return item.path.join('.') + alias + offset;
    case 'unnest':
      return `unnest ${print(item.array)}${alias}${offset}`;
    case 'table-subquery':
      return `{${bodyTree(item.query)}}${alias}`;
    case 'pivot':
      return `(${printFrom(item.from)} PIVOT ${print(item.input)})${alias}`;
    case 'unpivot':
      return `(${printFrom(item.from)} UNPIVOT ${item.values.join(',')})${alias}`;
    case 'join': {
      const on = item.on === null ? '' : ` on ${print(item.on)}`;
      const using = item.using === null ? '' : ` using ${item.using.map(({ name }) => name).join(',')}`;
      return `(${printFrom(item.left)} ${item.join} ${printFrom(item.right)}${on}${using})`;
    }
    default: {
      const unreachable: never = item;
      throw new Error(`from ${JSON.stringify(unreachable)}`);
    }
  }
}

/** A query's set operations and pipe steps in parentheses, each SELECT as its first item. */
export function bodyTree(query: Query): string {
  const order = query.orderBy.length === 0 ? '' : ' ORDER';
  return printBody(query.body) + order + (query.limit === null ? '' : ' LIMIT');
}

function printBody(body: QueryBody): string {
  switch (body.kind) {
    case 'select': {
      const [item] = body.items;
      return item?.kind === 'expression' ? print(item.expression) : '*';
    }
    case 'query':
      return `{${bodyTree(body)}}`;
    case 'set-operation':
      return `(${body.inputs.map(printBody).join(` ${body.operator}-${body.distinct ? 'DISTINCT' : 'ALL'} `)})`;
    case 'from-query':
      return `from ${printFrom(body.from)}`;
    case 'pipe':
      return `(${printBody(body.input)} |> ${body.operator.kind})`;
    default: {
      const unreachable: never = body;
      throw new Error(`body ${JSON.stringify(unreachable)}`);
    }
  }
}

/** The message of the ServiceError that a query is refused with. */
export function syntaxError(sql: string): string {
  return serviceErrorOf(() => parseStatement(sql)).message;
}
