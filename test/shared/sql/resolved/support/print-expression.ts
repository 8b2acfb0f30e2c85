import { BINARY_FUNCTIONS, UNARY_FUNCTIONS } from '../../../../../shared/sql/ast/operators.ts';
import type {
  ParameterName,
  ResolvedCall,
  ResolvedColumn,
  ResolvedExpression,
  ResolvedField,
  ResolvedLiteral,
  ResolvedSubquery,
} from '../../../../../shared/sql/resolved/expression.ts';
import { typeText } from '../../../../../shared/sql/types/sql-type.ts';
import { datetimeText, timestampText } from '../../../../../shared/sql/values/timestamp-text.ts';
import { MICROS_PER_DAY } from '../../../../../shared/time/units.ts';
import { printName } from './plan-names.ts';

/** What an expression's text needs of the plan that it stands in. */
export interface ExpressionNames {
  /** The name of a column. */
  column(column: ResolvedColumn): string;
  /** The name under which a subquery's plan is printed. */
  subquery(subquery: ResolvedSubquery): string;
}

const BINARY_SIGNS: ReadonlyMap<string, string> = signs(BINARY_FUNCTIONS);
const UNARY_SIGNS: ReadonlyMap<string, string> = signs(UNARY_FUNCTIONS);

function signs(functions: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(functions).map(([sign, name]) => [name, sign]));
}

/** An expression in one line that reads like GoogleSQL, operators in parentheses. */
export function printExpression(expression: ResolvedExpression, names: ExpressionNames): string {
  const print = (part: ResolvedExpression) => printExpression(part, names);
  switch (expression.kind) {
    case 'literal':
      return printLiteral(expression);
    case 'column':
      return names.column(expression.column);
    case 'parameter':
      return printParameter(expression.name);
    case 'call':
      return printCall(expression, print);
    case 'cast':
      return `${expression.safe ? 'SAFE_CAST' : 'CAST'}(${print(expression.operand)} AS ${typeText(expression.type)})`;
    case 'case': {
      const branches = expression.branches.map(
        ({ when, result }) => `WHEN ${print(when)} THEN ${print(result)}`,
      );
      return `CASE ${branches.join(' ')} ELSE ${print(expression.otherwise)} END`;
    }
    case 'field':
      return `${print(expression.base)}.${fieldName(expression)}`;
    case 'array': {
      const type = expression.elements.length === 0 ? typeText(expression.type) : '';
      return `${type}[${expression.elements.map(print).join(', ')}]`;
    }
    case 'struct':
      return `STRUCT(${expression.fields.map((field, index) => namedField(expression.type, index, print(field))).join(', ')})`;
    case 'subquery':
      return printSubquery(expression, names);
    case 'let': {
      const variables = expression.variables.map(
        ({ column, value }) => `${names.column(column)} AS ${print(value)}`,
      );
      return `WITH(${[...variables, print(expression.result)].join(', ')})`;
    }
    default: {
      const unreachable: never = expression;
      throw new TypeError(`expression ${JSON.stringify(unreachable)}`);
    }
  }
}

/** A caller's parameter as `@name`; one of the service's own by its description, which no caller's can look like. */
function printParameter(name: ParameterName): string {
  return typeof name === 'symbol' ? `@<${name.description ?? ''}>` : `@${printName(name)}`;
}

function printCall(call: ResolvedCall, print: (part: ResolvedExpression) => string): string {
  const values = call.arguments.map(print);
  const [first] = values;
  const sign = BINARY_SIGNS.get(call.name);
  if (sign !== undefined && !call.safe && values.length > 1) return `(${values.join(` ${sign} `)})`;
  const prefix = UNARY_SIGNS.get(call.name);
  if (prefix !== undefined && !call.safe && values.length === 1) return `(${prefix} ${first})`;
  const { part } = call;
  const unit = part === null ? '' : `${part.name}${part.weekday === null ? '' : `(${part.weekday})`}`;
  const list = unit === '' ? values : [...values, unit];
  return `${call.safe ? 'SAFE.' : ''}${call.name}(${list.join(', ')})`;
}

/** `name`, or `[n]` counted from 1 where the struct's field has none. */
function fieldName({ base, index }: ResolvedField): string {
  const name = base.type.kind === 'STRUCT' ? base.type.fields[index]?.name : undefined;
  return name === undefined || name === '' ? `[${index + 1}]` : printName(name);
}

function namedField(type: ResolvedExpression['type'], index: number, text: string): string {
  const name = type.kind === 'STRUCT' ? (type.fields[index]?.name ?? '') : '';
  return name === '' ? text : `${text} AS ${printName(name)}`;
}

function printSubquery(expression: ResolvedSubquery, names: ExpressionNames): string {
  const { mode, column, operand } = expression;
  const name = names.subquery(expression);
  const value = column === null ? name : `${name}: ${names.column(column)}`;
  switch (mode) {
    case 'exists':
      return `EXISTS(${value})`;
    case 'array':
      return `ARRAY(${value})`;
    case 'scalar':
      return `(${value})`;
    case 'in':
      return `(${operand === null ? '' : printExpression(operand, names)} IN (${value}))`;
    default: {
      const unreachable: never = mode;
      throw new TypeError(`subquery ${unreachable}`);
    }
  }
}

/** A literal as GoogleSQL writes one; the type stands before all but BOOL, INT64, FLOAT64 and STRING. */
function printLiteral({ type, value }: ResolvedLiteral): string {
  if (value === null) return `CAST(NULL AS ${typeText(type)})`;
  switch (type.kind) {
    case 'BOOL':
      return value === true ? 'TRUE' : 'FALSE';
    case 'INT64':
      return String(value);
    case 'STRING':
      return JSON.stringify(value);
    case 'FLOAT64': {
      const number = Number(value);
      if (!Number.isFinite(number)) return `FLOAT64 '${number}'`;
      return Number.isInteger(number) ? `${Object.is(number, -0) ? '-0' : number}.0` : String(number);
    }
    case 'TIMESTAMP':
      return `TIMESTAMP '${timestampText(BigInt(value))}'`;
    case 'DATETIME':
      return `DATETIME '${datetimeText(BigInt(value))}'`;
    case 'DATE':
      return `DATE '${datetimeText(BigInt(value) * MICROS_PER_DAY).slice(0, 10)}'`;
    case 'TIME':
      return `TIME '${datetimeText(BigInt(value)).slice(11)}'`;
    default:
      return `${typeText(type)} ${JSON.stringify(String(value))}`;
  }
}
