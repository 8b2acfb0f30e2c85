import type { Argument, Expression, FunctionCall, OrderItem } from '../../../shared/sql/ast/expression.ts';
import type {
  Frame,
  FrameBound,
  FromItem,
  GroupBy,
  PipeOperator,
  Query,
  QueryBody,
  Select,
  SelectItem,
  WindowSpec,
} from '../../../shared/sql/ast/query.ts';
import type { TypeName } from '../../../shared/sql/ast/type-name.ts';
import { printToken } from '../../../shared/sql/sandbox/canonical-text.ts';

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
  return groupBy.items
    .map((item) => {
      if (item.kind === 'expression') return print(item.expression);
      const sets = item.sets.map((set) => (set.length === 1 ? list(set) : `(${list(set)})`));
      return `${item.kind === 'sets' ? 'GROUPING SETS' : item.kind.toUpperCase()} (${sets.join(', ')})`;
    })
    .join(', ');
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
      return words('SELECT', step.distinct && 'DISTINCT', step.items.map(printItem).join(', '));
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
          `GROUP ${step.sortGroups ? 'AND ORDER ' : ''}BY ${step.groupBy.map(printItem).join(', ')}`,
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

/** An expression in a place that takes any; operations bring their own parentheses. */
function print(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return printLiteral(expression);
    case 'parameter':
      return printToken({ kind: 'parameter', value: expression.name, at: 0, end: 0 });
    case 'name':
      return name(expression.name);
    case 'field':
      return `${printBase(expression.base)}.${name(expression.name)}`;
    case 'subscript': {
      const index = print(expression.index);
      return `${printBase(expression.base)}[${expression.mode === 'plain' ? index : `${expression.mode}(${index})`}]`;
    }
    case 'unary':
      return `(${expression.operator} ${print(expression.operand)})`;
    case 'binary':
      return `(${print(expression.left)} ${expression.operator} ${print(expression.right)})`;
    case 'between':
      return `(${print(expression.operand)} ${not(expression)}BETWEEN ${print(expression.low)} AND ${print(expression.high)})`;
    case 'in':
      return `(${print(expression.operand)} ${not(expression)}IN ${printInList(expression.list)})`;
    case 'quantified-like':
      return `(${print(expression.operand)} ${not(expression)}LIKE ${expression.quantifier} (${list(expression.patterns)}))`;
    case 'is':
      return `(${print(expression.operand)} IS ${not(expression)}${expression.test})`;
    case 'case': {
      const branches = expression.branches.map(
        ({ when, result }) => `WHEN ${print(when)} THEN ${print(result)}`,
      );
      return words(
        'CASE',
        expression.operand !== null && print(expression.operand),
        ...branches,
        expression.otherwise !== null && `ELSE ${print(expression.otherwise)}`,
        'END',
      );
    }
    case 'cast': {
      const format = expression.format === null ? '' : ` FORMAT ${print(expression.format)}`;
      const zone = expression.zone === null ? '' : ` AT TIME ZONE ${print(expression.zone)}`;
      return `${expression.safe ? 'SAFE_CAST' : 'CAST'}(${print(expression.operand)} AS ${type(expression.type)}${format}${zone})`;
    }
    case 'extract': {
      const zone = expression.zone === null ? '' : ` AT TIME ZONE ${print(expression.zone)}`;
      return `EXTRACT(${printArgument(expression.part)} FROM ${print(expression.operand)}${zone})`;
    }
    case 'interval':
      return `INTERVAL ${print(expression.value)} ${name(expression.from)}${expression.to === null ? '' : ` TO ${name(expression.to)}`}`;
    case 'array':
      return `${expression.elementType === null ? '' : `ARRAY<${type(expression.elementType)}>`}[${list(expression.elements)}]`;
    case 'struct': {
      const fields = expression.fields.map((field) => print(field.value) + alias(field.alias)).join(', ');
      return `${expression.type === null ? 'STRUCT' : type(expression.type)}(${fields})`;
    }
    case 'subquery': {
      const prefix = expression.mode === 'scalar' ? '' : expression.mode.toUpperCase();
      return `${prefix}(${printQuery(expression.query)})`;
    }
    case 'call':
      return printCall(expression);
    case 'with-expression': {
      const variables = expression.variables.map(
        (variable) => `${name(variable.name)} AS ${print(variable.value)}`,
      );
      return `WITH(${[...variables, print(expression.result)].join(', ')})`;
    }
    default:
      return never(expression);
  }
}

/** What may have a field or a subscript behind it without parentheses. */
function printBase(base: Expression): string {
  const isPlain = ['name', 'field', 'subscript', 'call', 'parameter'].includes(base.kind);
  return isPlain ? print(base) : `(${print(base)})`;
}

function printLiteral({ type: of, value }: Extract<Expression, { kind: 'literal' }>): string {
  if (of === 'STRING' || of === 'BYTES')
    return printToken({ kind: of === 'STRING' ? 'string' : 'bytes', value, at: 0, end: 0 });
  if (['INT64', 'FLOAT64', 'BOOL', 'NULL'].includes(of)) return value;
  return `${of} ${printToken({ kind: 'string', value, at: 0, end: 0 })}`;
}

function printInList(values: Extract<Expression, { kind: 'in' }>['list']): string {
  if (values.kind === 'array') return `UNNEST(${print(values.array)})`;
  return values.kind === 'query' ? `(${printQuery(values.query)})` : `(${list(values.values)})`;
}

function printCall(call: FunctionCall): string {
  const path = `${call.safe ? 'SAFE.' : ''}${call.name}`;
  const inside = words(
    call.distinct && 'DISTINCT',
    call.arguments.map(printArgument).join(', '),
    call.nulls !== null && `${call.nulls} NULLS`,
    call.having !== null && `HAVING ${call.having.bound} ${print(call.having.expression)}`,
    call.orderBy.length > 0 && `ORDER BY ${orders(call.orderBy)}`,
    call.limit !== null && `LIMIT ${print(call.limit)}`,
  );
  return `${path.split('.').map(name).join('.')}(${inside})${call.over === null ? '' : ` OVER ${printWindow(call.over)}`}`;
}

function printArgument(argument: Argument): string {
  switch (argument.kind) {
    case 'star':
      return '*';
    case 'named-argument':
      return `${name(argument.name)} => ${print(argument.value)}`;
    case 'lambda':
      return `(${argument.parameters.map(name).join(', ')}) -> ${print(argument.body)}`;
    case 'date-part':
      return argument.weekday === null
        ? name(argument.name)
        : `${name(argument.name)}(${name(argument.weekday)})`;
    default:
      return print(argument);
  }
}

function printWindow(spec: WindowSpec): string {
  const inside = words(
    spec.base !== null && name(spec.base),
    spec.partitionBy.length > 0 && `PARTITION BY ${list(spec.partitionBy)}`,
    spec.orderBy.length > 0 && `ORDER BY ${orders(spec.orderBy)}`,
    spec.frame !== null && printFrame(spec.frame),
  );
  return `(${inside})`;
}

function printFrame({ unit, start, end }: Frame): string {
  return `${unit} BETWEEN ${bound(start)} AND ${bound(end)}`;
}

function bound(of: FrameBound): string {
  const offset = 'offset' in of ? `${print(of.offset)} ` : '';
  return offset + of.kind.replace('-', ' ').toUpperCase();
}

function orders(items: readonly OrderItem[]): string {
  return items
    .map(({ expression, descending, nullsFirst }) =>
      words(
        print(expression),
        descending && 'DESC',
        nullsFirst !== null && `NULLS ${nullsFirst ? 'FIRST' : 'LAST'}`,
      ),
    )
    .join(', ');
}

function type(of: TypeName): string {
  if (of.kind === 'scalar') return name(of.name);
  if (of.kind === 'array') return `ARRAY<${type(of.element)}>`;
  return `STRUCT<${of.fields.map((field) => words(field.name !== '' && name(field.name), type(field.type))).join(', ')}>`;
}

function list(expressions: readonly Expression[]): string {
  return expressions.map(print).join(', ');
}

function alias(of: string | null): string {
  return of === null ? '' : ` AS ${name(of)}`;
}

function not({ negated }: { negated: boolean }): string {
  return negated ? 'NOT ' : '';
}

/** Every name in backquotes; what it means must come from its place. */
function name(of: string): string {
  return /^(INTERVAL)$/.test(of) ? of : printToken({ kind: 'quoted', value: of, at: 0, end: 0 });
}

function words(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== '').join(' ');
}

function never(value: never): never {
  throw new TypeError(`a node without a form: ${JSON.stringify(value)}`);
}
