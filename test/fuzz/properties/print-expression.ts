import type { Argument, Expression, FunctionCall, OrderItem } from '../../../shared/sql/ast/expression.ts';
import type { Frame, FrameBound, WindowSpec } from '../../../shared/sql/ast/query.ts';
import type { TypeName } from '../../../shared/sql/ast/type-name.ts';
import { printToken } from '../../../shared/sql/sandbox/canonical-text.ts';
import { printQuery } from './print-query.ts';

/** An expression in a place that takes any; operations bring their own parentheses. */
export function print(expression: Expression): string {
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

/** What may have a field or a subscript after it without parentheses. */
export function printBase(base: Expression): string {
  const isPlain = ['name', 'field', 'subscript', 'call', 'parameter'].includes(base.kind);
  return isPlain ? print(base) : `(${print(base)})`;
}

function printLiteral({ type: of, value }: Extract<Expression, { kind: 'literal' }>): string {
  if (of === 'STRING' || of === 'BYTES')
    return printToken({ kind: of === 'STRING' ? 'string' : 'bytes', value, at: 0, end: 0 });
  // After a name that is not reserved, a dot would go on with a path.
  if (value.startsWith('.') && of === 'FLOAT64') return `(${value})`;
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

export function printWindow(spec: WindowSpec): string {
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

export function orders(items: readonly OrderItem[]): string {
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

export function list(expressions: readonly Expression[]): string {
  return expressions.map(print).join(', ');
}

export function alias(of: string | null): string {
  return of === null ? '' : ` AS ${name(of)}`;
}

function not({ negated }: { negated: boolean }): string {
  return negated ? 'NOT ' : '';
}

/** Every name in backquotes; what it means must come from its place. */
export function name(of: string): string {
  return /^(INTERVAL)$/.test(of) ? of : printToken({ kind: 'quoted', value: of, at: 0, end: 0 });
}

export function words(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== '').join(' ');
}

export function never(value: never): never {
  throw new TypeError(`a node without a form: ${JSON.stringify(value)}`);
}
