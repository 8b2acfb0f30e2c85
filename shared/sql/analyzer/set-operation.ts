import type { SetOperator } from '../ast/query.ts';
import type { ResolvedColumn, ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import type {
  ComputedColumn,
  OutputColumn,
  ResolvedQuery,
  ResolvedScan,
  SetOperationScan,
} from '../resolved/scan.ts';
import { INT64, type SqlType, sameType, typeText } from '../types/sql-type.ts';
import { coerce } from './coerce.ts';
import { commonType } from './coercion.ts';
import { analysisError, type Environment, newColumn } from './environment.ts';
import { isGroupable } from './groupable.ts';
import { matchColumns } from './match-columns.ts';

/** UNION, INTERSECT and EXCEPT: columns go by position and take the names of the first query, or go by name. */
export function combineQueries(
  environment: Environment,
  { operator, distinct, match, at }: SetOperator,
  written: readonly ResolvedQuery[],
): ResolvedQuery {
  const inputs = match === null ? written : matchColumns(environment, match, written, at);
  const label = `${operator} ${distinct ? 'DISTINCT' : 'ALL'}`;
  const [first] = inputs;
  if (first === undefined) throw new TypeError('a set operation has inputs');
  if (!distinct && operator !== 'UNION')
    throw analysisError(environment, at, `${label} is not supported; use DISTINCT`);
  for (const [index, input] of inputs.entries()) {
    if (input.columns.length !== first.columns.length) {
      const counts = `query 1 has ${first.columns.length}, query ${index + 1} has ${input.columns.length}`;
      throw analysisError(environment, at, `Queries in ${label} have mismatched column count: ${counts}`);
    }
  }
  const types = first.columns.map((_, position) => columnType(environment, inputs, position, label, at));
  if (distinct) checkComparable(environment, types, label, at);
  const columns = first.columns.map((output, position): OutputColumn => {
    return { name: output.name, column: newColumn(environment, output.name, types[position] ?? INT64) };
  });
  return {
    scan: {
      kind: 'set-operation',
      operator,
      distinct,
      inputs: inputs.map((input) => convertInput(environment, input, types, at)),
      columns: columns.map(({ column }) => column),
    },
    columns,
    isValueTable: inputs.every((input) => input.isValueTable),
  };
}

/** Throws a ServiceError (invalid_argument) where rows of columns of these types cannot be told apart. */
export function checkComparable(
  environment: Environment,
  types: readonly SqlType[],
  label: string,
  at: number,
): void {
  const position = types.findIndex((type) => !isGroupable(type));
  const type = types[position];
  if (type === undefined) return;
  const message = `Column ${position + 1} in ${label} has type ${typeText(type)} that cannot be compared`;
  throw analysisError(environment, at, message);
}

/** What a column of a query is to others that stand beside it: a literal of its select list adapts to them. */
export function outputExpression(query: ResolvedQuery, output: OutputColumn): ResolvedExpression {
  return literalOf(query, output) ?? columnReference(output.column);
}

/** Literals in the select lists of the inputs take the types of the columns that stand beside them. */
function columnType(
  environment: Environment,
  inputs: readonly ResolvedQuery[],
  position: number,
  label: string,
  at: number,
): SqlType {
  const expressions = inputs.flatMap((input) => {
    const output = input.columns[position];
    return output === undefined ? [] : [outputExpression(input, output)];
  });
  const type = commonType(expressions);
  if (type !== null) return type;
  const found = expressions.map((expression) => typeText(expression.type)).join(', ');
  throw analysisError(environment, at, `Column ${position + 1} in ${label} has incompatible types: ${found}`);
}

/** A query whose columns are coerced to these types, as an input of a set operation. */
export function convertInput(
  environment: Environment,
  input: ResolvedQuery,
  types: readonly SqlType[],
  at: number,
): SetOperationScan['inputs'][number] {
  const computed: ComputedColumn[] = [];
  const columns = input.columns.map((output, position): ResolvedColumn => {
    const { column } = output;
    const type = types[position] ?? column.type;
    const literal = literalOf(input, output);
    if (sameType(column.type, type) && literal === null) return column;
    const converted = newColumn(environment, column.name, type);
    computed.push({
      column: converted,
      expression: coerce(environment, literal ?? columnReference(column), type, at),
    });
    return converted;
  });
  const scan: ResolvedScan =
    computed.length === 0 ? input.scan : { kind: 'project', input: input.scan, computed };
  return { scan, columns };
}

/** The literal that a column is, where nothing but the select list has changed the rows since. */
function literalOf({ scan }: ResolvedQuery, { literal }: OutputColumn): ResolvedExpression | null {
  return scan.kind === 'project' && literal !== undefined ? literal : null;
}
