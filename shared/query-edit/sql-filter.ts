import { invalidParameter } from '../errors/service-error.ts';
import { anyValue, someNull } from '../lql/nested-condition.ts';
import {
  allOf,
  binary,
  column,
  isNull,
  not,
  path,
  query as queryOf,
  select,
  star,
  tableSubquery,
} from '../sql/ast/build.ts';
import type { Expression } from '../sql/ast/expression.ts';
import type { Query, Select } from '../sql/ast/query.ts';
import { parseStatement } from '../sql/parser/parse-query.ts';
import { printQuery } from '../sql/print/print-query.ts';
import { findField } from '../sql/sandbox/entry-field.ts';
import { isAggregating } from '../sql/sandbox/selection-rules.ts';
import type { ScalarTypeName } from '../sql/types/sql-type.ts';
import type { Sources, ValueFilter } from './condition.ts';
import { formatSql } from './format-sql.ts';
import {
  expressionOf,
  itemOf,
  namesOf,
  resolveNames,
  type SelectedSource,
  sourceOfSelect,
} from './sql-fields.ts';
import { addCondition, addPipeCondition, wrapQuery } from './sql-text.ts';
import { equalsValue, type ValueTest } from './wire-literal.ts';

/**
 * Has a query in GoogleSQL ask for one value of a column or a field, or for all others, NULL among them. What can stay of the
 * text stays as it is, comments too. Throws a ServiceError (invalid_argument) for a text that does not parse, and for a value that
 * no condition can name.
 */
export function filterSql(text: string, filter: ValueFilter, sources: Sources): string {
  const tree = parseStatement(text);
  const { body } = tree;
  if (body.kind === 'select' && body.from !== null) {
    const condition = conditionOf(tree, body, filter, sources);
    if (condition !== null) {
      const where = body.where;
      if (where !== null && conjunctsOf(where).includes(printCondition(condition))) return text;
      const parts = where === null ? [condition] : [where, condition];
      const expected: Query = { ...tree, body: { ...body, where: allOf(parts) } };
      return checked(
        addCondition(text, where?.kind === 'binary' && where.operator === 'OR', printCondition(condition)),
        expected,
      );
    }
  }
  const outer = outerCondition(filter);
  if (body.kind === 'pipe' || body.kind === 'from-query') {
    const operator = { kind: 'where', condition: outer } as const;
    const expected: Query = { ...tree, body: { kind: 'pipe', input: body, operator, at: 0 } };
    return checked(addPipeCondition(text, printCondition(outer)), expected);
  }
  const wrapped = queryOf(select([star()], { from: tableSubquery(tree), where: outer }));
  return checked(wrapQuery(text, printCondition(outer)), wrapped);
}

/** The text where it says what the tree does; else the tree's own. */
function checked(text: string | null, expected: Query): string {
  const wanted = printQuery(expected);
  if (text !== null && printOrNull(text) === wanted) return text;
  return formatSql(wanted);
}

function printOrNull(text: string): string | null {
  try {
    return printQuery(parseStatement(text));
  } catch {
    return null;
  }
}

/** A condition of WHERE; null where the value is made by what comes after WHERE. */
function conditionOf(tree: Query, body: Select, filter: ValueFilter, sources: Sources): Expression | null {
  const source = sourceOfSelect(tree, body, sources);
  if (filter.of === 'source') {
    if (source === null) throw notHere(filter);
    return fieldCondition(source, filter.path, filter);
  }
  const [name = '', ...rest] = filter.path;
  const item = itemOf(body.items, name);
  const isShown = item !== undefined || body.items.some(({ kind }) => kind === 'star');
  if (!isShown && body.items.some(({ kind }) => kind === 'dot-star') === false) return null;
  const expression = item?.expression ?? path(name);
  if (body.distinct && body.qualify !== null) return null;
  if (isAggregating(expression) || hasWindow(expression)) return null;
  if (body.groupBy !== null && item === undefined) return null;
  const names = namesOf(expression);
  const inSource = source === null || names === null ? null : resolveNames(source, names);
  if (source !== null && inSource !== null) return fieldCondition(source, [...inSource, ...rest], filter);
  if (rest.length > 0) return null;
  return applied(equalsOf(filter, typeNamed(filter.type)), expression, filter.negated);
}

function fieldCondition(source: SelectedSource, names: readonly string[], filter: ValueFilter): Expression {
  const field = findField(source.columns, names);
  if (field === null) throw notHere(filter);
  const test = equalsOf(filter, field.type.kind);
  const direct = expressionOf(source, field);
  if (direct !== null) return applied(test, direct, filter.negated);
  const resolved = { ...field, path: names.join('.') };
  if (filter.value === null) {
    const { expression } = someNull(source.row, resolved);
    return filter.negated ? not(expression) : expression;
  }
  const { expression } = anyValue(source.row, resolved, test);
  return filter.negated ? not(expression) : expression;
}

/** A condition on the columns of the result, for a query around the query. */
function outerCondition(filter: ValueFilter): Expression {
  const [name = '', ...rest] = filter.path;
  if (filter.of !== 'result' || rest.length > 0) throw notHere(filter);
  return applied(equalsOf(filter, typeNamed(filter.type)), path(name), filter.negated);
}

function applied(test: ValueTest, operand: Expression, negated: boolean): Expression {
  const condition = test(operand);
  if (!negated) return condition;
  if (condition.kind === 'is') return { ...condition, negated: true };
  // NULL is another value: a plain inequality would leave it out as well.
  if (condition.kind === 'binary') return { ...condition, operator: 'IS DISTINCT FROM' };
  return binary(not(condition), 'OR', isNull(operand));
}

function equalsOf(filter: ValueFilter, type: ScalarTypeName | 'ARRAY' | 'STRUCT'): ValueTest {
  const test = equalsValue(type, filter.value);
  if (test !== null) return test;
  throw invalidParameter(
    'value',
    `There is no condition for a value of the type ${type}; write one in the query.`,
  );
}

function notHere({ path: names }: ValueFilter): Error {
  return invalidParameter(
    'path',
    `${names.join('.').slice(0, 200)} cannot be named in a condition of this query; select it as a column first.`,
  );
}

const TYPES: Readonly<Record<string, ScalarTypeName>> = {
  INTEGER: 'INT64',
  FLOAT: 'FLOAT64',
  BOOLEAN: 'BOOL',
};

/** A type by its name in table schemas. */
function typeNamed(name: string): ScalarTypeName | 'STRUCT' {
  return TYPES[name] ?? (name === 'RECORD' ? 'STRUCT' : (name as ScalarTypeName));
}

function hasWindow(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  if ('over' in part && part.over !== null) return true;
  return Object.values(part).some(hasWindow);
}

/** Conditions between AND, printed. */
function conjunctsOf(condition: Expression): readonly string[] {
  if (condition.kind !== 'binary' || condition.operator !== 'AND') return [printCondition(condition)];
  return [...conjunctsOf(condition.left), ...conjunctsOf(condition.right)];
}

function printCondition(condition: Expression): string {
  return printQuery(queryOf(select([column(condition)]))).slice('SELECT '.length);
}
