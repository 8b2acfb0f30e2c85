import type { AliasedExpression, PivotClause } from '../ast/query.ts';
import { findFunction } from '../functions/catalog.ts';
import type { ResolvedAggregate, ResolvedExpression } from '../resolved/expression.ts';
import { columnReference } from '../resolved/make-expression.ts';
import { type PlanNode, walkParts } from '../resolved/parts.ts';
import { referencedColumns } from '../resolved/references.ts';
import type { AggregateScan, ComputedColumn, OutputColumn, ProjectScan } from '../resolved/scan.ts';
import { BOOL, type SqlType, sameType, typeText } from '../types/sql-type.ts';
import { coerce } from './coerce.ts';
import { coercionCost } from './coercion.ts';
import { analysisError, checkExpressions, type Environment, newColumn } from './environment.ts';
import { type ExpressionContext, plainContext } from './expression-context.ts';
import type { From } from './from.ts';
import { isGroupable } from './groupable.ts';
import { callOperator } from './match-call.ts';
import { pipeColumns } from './pipe-names.ts';
import { pivotValueName } from './pivot-names.ts';
import { resolveExpression } from './resolve-expression.ts';
import { namesOf } from './scope.ts';

/** Aggregates that leave NULL out, by which PIVOT says which rows a column does not count. */
const IGNORE_NULLS: ReadonlySet<string> = new Set(
  `ANY_VALUE APPROX_COUNT_DISTINCT APPROX_QUANTILES ARRAY_CONCAT_AGG AVG BIT_AND BIT_OR BIT_XOR CORR COUNT COUNTIF COVAR_POP
  COVAR_SAMP LOGICAL_AND LOGICAL_OR MAX MIN STDDEV STDDEV_POP STDDEV_SAMP STRING_AGG SUM VARIANCE VAR_POP VAR_SAMP`.split(
    /\s+/,
  ),
);
const COUNT_STAR = '$COUNT_STAR';

/** An aggregate of PIVOT with its alias. */
interface PivotAggregate {
  readonly aggregate: ResolvedAggregate;
  readonly alias: string | null;
}

/** A value of PIVOT, and what it is called in a column's name behind the alias of an aggregate. */
interface PivotValue {
  readonly value: ResolvedExpression;
  readonly nameAfter: (prefix: string | null) => string;
}

/**
 * Rows grouped by the columns that PIVOT does not name, with a column for each of its values and aggregates: the aggregate of the
 * rows whose input is not distinct from the value (GoogleSQL reference, "PIVOT operator"). Throws a ServiceError (invalid_argument).
 */
export function resolvePivot(
  environment: Environment,
  rows: From,
  { aggregates, input, values }: PivotClause,
  alias: string | null,
  at: number,
): From {
  checkRows(environment, rows, 'PIVOT', at);
  const context = plainContext(environment, { names: rows.names, outer: environment.outer }, 'PIVOT');
  const found = aggregates.map((item) => resolveAggregateOf(context, item, aggregates.length === 1));
  const compared = resolveExpression(context, input);
  if (!isGroupable(compared.type)) {
    const type = typeText(compared.type);
    const message = `Type ${type} cannot be used as a FOR expression because it is not groupable`;
    throw analysisError(environment, input.at, message);
  }
  const listed = values.map((value) => resolveValue(context, value, compared.type));
  const used = referencedColumns(compared, ...found.map(({ aggregate }) => aggregate));
  checkCopies(environment, rows, used, 'PIVOT', at);
  const kept = pipeColumns(rows.names).filter(({ column }) => !used.has(column.id));
  const matches = matchingRows(context, rows, compared, listed, at);
  const results: ResolvedAggregate[] = [];
  const columns: OutputColumn[] = [];
  for (const [index, { nameAfter }] of listed.entries()) {
    const isMatch = matches.computed[index]?.column;
    if (isMatch === undefined) throw new TypeError('each value of PIVOT has a condition');
    for (const { aggregate, alias: prefix } of found) {
      const label = nameAfter(prefix);
      const column = newColumn(environment, label, aggregate.column.type);
      results.push({ ...ofMatches(aggregate, columnReference(isMatch)), column });
      columns.push({ name: label, column });
    }
  }
  const keys = kept.map(({ name, column }): ComputedColumn => {
    if (!isGroupable(column.type)) {
      const type = typeText(column.type);
      const message = `Column ${name} of type ${type} cannot be used as an implicit grouping column of a PIVOT clause`;
      throw analysisError(environment, at, `${message}; leave it out in a subquery`);
    }
    return { column: newColumn(environment, name, column.type), expression: columnReference(column) };
  });
  const scan: AggregateScan = { kind: 'aggregate', input: matches, keys, sets: null, aggregates: results };
  const names = kept.flatMap(({ name }, index): OutputColumn[] => {
    const column = keys[index]?.column;
    return column === undefined ? [] : [{ name, column }];
  });
  return { scan, names: namesOf({ kind: 'columns', alias, columns: [...names, ...columns] }) };
}

/** PIVOT and UNPIVOT turn columns, which rows that are one value each do not have. */
export function checkRows(environment: Environment, { names }: From, word: string, at: number): void {
  if (names.ranges.some(({ kind, isBehind }) => kind === 'value' && !isBehind))
    throw analysisError(
      environment,
      at,
      `${word} is not allowed on value tables; select columns in a subquery`,
    );
}

/**
 * Refuses rows that have a column twice of those that are used: GoogleSQL takes `k` and `k AS j` for one column here, which a reader
 * of the query would not.
 */
export function checkCopies(
  environment: Environment,
  rows: From,
  used: ReadonlySet<number>,
  word: string,
  at: number,
): void {
  const origins = new Map<number, number>();
  const visit = (part: PlanNode): void => {
    if (part.kind === 'project')
      for (const { column, expression } of part.computed)
        if (expression.kind === 'column') origins.set(column.id, expression.column.id);
    walkParts(part, visit);
  };
  visit(rows.scan);
  const originOf = (id: number): number => {
    const origin = origins.get(id);
    return origin === undefined ? id : originOf(origin);
  };
  const columns = pipeColumns(rows.names);
  const usedOrigins = new Map([...used].map((id) => [originOf(id), id]));
  const copy = columns.find(
    ({ column }) => (usedOrigins.get(originOf(column.id)) ?? column.id) !== column.id,
  );
  if (copy === undefined) return;
  const message = `Column ${copy.name} is a copy of a column that ${word} uses; leave one of them out`;
  throw analysisError(environment, at, message);
}

function resolveAggregateOf(
  context: ExpressionContext,
  { expression, alias, at }: AliasedExpression,
  isOnly: boolean,
): PivotAggregate {
  const { environment } = context;
  const isCall = expression.kind === 'call';
  if (isCall && expression.over !== null)
    throw analysisError(environment, at, 'Analytic function not allowed in PIVOT');
  const isAggregate = isCall && findFunction(expression.name)?.kind === 'aggregate';
  const collected: { found: ResolvedAggregate[] } = { found: [] };
  const result = isAggregate ? resolveExpression({ ...context, aggregates: collected }, expression) : null;
  const [aggregate] = collected.found;
  const isPlain = result?.kind === 'column' && result.column.id === aggregate?.column.id;
  if (!isPlain || aggregate === undefined || findFunction(aggregate.name)?.takesGroupKey)
    throw analysisError(environment, at, 'PIVOT expression must be an aggregate function call');
  checkExpressions(environment, aggregate.arguments, at);
  if (alias === null && !isOnly) {
    const message =
      'PIVOT expression must specify an alias unless it is the only pivot expression in the PIVOT clause';
    throw analysisError(environment, at, message);
  }
  const { name, nulls, having } = aggregate;
  if (having !== null)
    throw analysisError(environment, at, `HAVING ${having.bound} is not supported in an aggregate of PIVOT`);
  const isListed = name === COUNT_STAR || (IGNORE_NULLS.has(name) && nulls !== 'RESPECT');
  if (!isListed && !(name === 'ARRAY_AGG' && nulls === 'IGNORE')) {
    const advice = name === 'ARRAY_AGG' ? ' unless IGNORE NULLS is specified' : '';
    throw analysisError(environment, at, `Aggregate function ${name} is not supported in PIVOT${advice}`);
  }
  return { aggregate, alias };
}

function resolveValue(
  context: ExpressionContext,
  { expression, alias, at }: AliasedExpression,
  type: SqlType,
): PivotValue {
  const { environment } = context;
  const resolved = resolveExpression(context, expression);
  if (referencedColumns(resolved).size > 0 || hasSubquery(expression))
    throw analysisError(environment, at, 'IN expression in PIVOT clause must be constant');
  if (coercionCost(resolved, type) === null) {
    const [wanted, found] = [type, resolved.type].map(typeText);
    const message = `PIVOT IN list item must be type ${wanted} to match the PIVOT FOR expression; found ${found}`;
    throw analysisError(environment, at, message);
  }
  const value = sameType(resolved.type, type) ? resolved : coerce(environment, resolved, type, at);
  const nameAfter = (prefix: string | null): string => {
    if (alias !== null) return prefix === null ? alias : `${prefix}_${alias}`;
    const name = pivotValueName(value, prefix);
    if (name !== null) return name;
    const message = `PIVOT cannot make a column's name of this value of type ${typeText(type)}; write AS and a name after it`;
    throw analysisError(environment, at, message);
  };
  return { value, nameAfter };
}

function hasSubquery(part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return false;
  if ('kind' in part && part.kind === 'query') return true;
  return Object.values(part).some(hasSubquery);
}

/** The rows with a column for each value that says whether they have it. */
function matchingRows(
  context: ExpressionContext,
  rows: From,
  compared: ResolvedExpression,
  values: readonly PivotValue[],
  at: number,
): ProjectScan {
  const { environment } = context;
  const key = newColumn(environment, '$for', compared.type);
  const input: ProjectScan = {
    kind: 'project',
    input: rows.scan,
    computed: [{ column: key, expression: compared }],
  };
  const computed = values.map(({ value }): ComputedColumn => {
    const isOther = callOperator(context, '$IS_DISTINCT_FROM', [columnReference(key), value], at);
    const expression = callOperator(context, '$NOT', [isOther], at);
    return { column: newColumn(environment, '$match', BOOL), expression };
  });
  return { kind: 'project', input, computed };
}

/** An aggregate of those rows alone for which a condition is true. */
function ofMatches(aggregate: ResolvedAggregate, isMatch: ResolvedExpression): ResolvedAggregate {
  if (aggregate.name === COUNT_STAR) return { ...aggregate, name: 'COUNTIF', arguments: [isMatch] };
  const [first, ...others] = aggregate.arguments;
  if (first === undefined) throw new TypeError('an aggregate that leaves NULL out has an argument');
  const matching: ResolvedExpression = {
    kind: 'case',
    type: first.type,
    branches: [{ when: isMatch, result: first }],
    otherwise: { kind: 'literal', type: first.type, value: null },
  };
  return { ...aggregate, arguments: [matching, ...others] };
}
