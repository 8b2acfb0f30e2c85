import type { Cte, QueryBody, SetOperator } from '../ast/query.ts';
import type { OutputColumn, ResolvedQuery } from '../resolved/scan.ts';
import { typeText } from '../types/sql-type.ts';
import { coercionCost } from './coercion.ts';
import { analysisError, type Ctes, type Environment, type NamedCte, newColumn } from './environment.ts';
import { recursiveReferenceComplaint } from './recursive-reference.ts';
import { checkComparable, combineQueries, convertInput, outputExpression } from './set-operation.ts';

/** How the parts of a query are resolved, handed over by what calls this. */
interface Resolvers {
  readonly body: (environment: Environment, body: QueryBody) => ResolvedQuery;
  readonly ctes: (environment: Environment, ctes: readonly Cte[]) => Ctes;
}

/** `non-recursive term UNION recursive term`, taken apart. */
interface RecursiveUnion {
  readonly operator: SetOperator;
  readonly bases: readonly QueryBody[];
  readonly term: QueryBody;
}

/**
 * Resolves the query of a recursive CTE: the types of its columns are those of the non-recursive term. `referenceAt` is where it
 * names itself. Throws a ServiceError (invalid_argument) for a query of another form, and for a reference in a place where
 * GoogleSQL allows none.
 */
export function resolveRecursive(
  outside: Environment,
  { name, query, at }: Cte,
  referenceAt: number,
  resolve: Resolvers,
): ResolvedQuery {
  if (query.orderBy.length > 0 || query.limit !== null)
    throw analysisError(outside, referenceAt, `A recursive query may not use ORDER BY or LIMIT: ${name}`);
  const named = (
    ctes: Ctes,
    own: Pick<NamedCte, 'refusal' | 'recursion'>,
    shape: Shape = NOTHING,
  ): Environment => {
    const columns = shape.columns.map(({ column }) => column);
    const cte = { id: 0, name, scan: { kind: 'single-row' as const }, columns };
    return {
      ...outside,
      ctes: new Map([
        ...ctes,
        [name.toLowerCase(), { columns: shape.columns, isValueTable: shape.isValueTable, cte, ...own }],
      ]),
    };
  };
  const inWith = named(outside.ctes, { refusal: `${name} may not be read in a WITH inside it` });
  const ctes = query.ctes.length === 0 ? outside.ctes : resolve.ctes(inWith, query.ctes);
  const { operator, bases, term } = recursiveUnion(outside, query.body, name, at);
  const baseEnvironment = named(ctes, { refusal: `${name} may not be read in its non-recursive term` });
  const resolvedBases = bases.map((base) => resolve.body(baseEnvironment, base));
  const [only] = resolvedBases;
  const base =
    only !== undefined && resolvedBases.length === 1
      ? only
      : combineQueries(baseEnvironment, operator, resolvedBases);
  const types = base.columns.map(({ column }) => column.type);
  const label = `UNION ${operator.distinct ? 'DISTINCT' : 'ALL'}`;
  if (operator.distinct) checkComparable(outside, types, label, operator.at);
  const recursion = outside.ids.next();
  const step = resolve.body(named(ctes, { recursion }, base), term);
  const complaint = recursiveReferenceComplaint(step.scan, recursion, name);
  if (complaint !== null) throw analysisError(outside, referenceAt, complaint);
  checkTerm(outside, base, step, operator.at);
  const columns = base.columns.map((output): OutputColumn => {
    return { name: output.name, column: newColumn(outside, output.name, output.column.type) };
  });
  return {
    scan: {
      kind: 'set-operation',
      operator: 'UNION',
      distinct: operator.distinct,
      recursion,
      inputs: [
        { scan: base.scan, columns: base.columns.map(({ column }) => column) },
        convertInput(outside, step, types, operator.at),
      ],
      columns: columns.map(({ column }) => column),
    },
    columns,
    isValueTable: base.isValueTable,
  };
}

type Shape = Pick<NamedCte, 'columns' | 'isValueTable'>;
const NOTHING: Shape = { columns: [], isValueTable: false };

/** The last query of a UNION is the recursive term, in pipe syntax too. */
function recursiveUnion(environment: Environment, body: QueryBody, name: string, at: number): RecursiveUnion {
  if (body.kind === 'query' && body.ctes.length === 0 && body.orderBy.length === 0 && body.limit === null)
    return recursiveUnion(environment, body.body, name, at);
  const union = unionOf(body);
  const term = union?.inputs.at(-1);
  if (union === null || term === undefined) {
    const message = `${name} names itself, so its query must be <non-recursive term> UNION ALL <recursive term>, or UNION DISTINCT`;
    throw analysisError(environment, at, message);
  }
  if (union.operator.match !== null) {
    const message = `${union.operator.match.syntax} cannot be used in the UNION of a recursive CTE`;
    throw analysisError(environment, union.operator.at, message);
  }
  return { operator: union.operator, bases: union.inputs.slice(0, -1), term };
}

function unionOf(body: QueryBody): { operator: SetOperator; inputs: readonly QueryBody[] } | null {
  if (body.kind === 'set-operation')
    return body.operator === 'UNION' ? { operator: body, inputs: body.inputs } : null;
  if (body.kind !== 'pipe' || body.operator.kind !== 'set-operation') return null;
  const { operator, input, at } = body;
  return operator.operator === 'UNION'
    ? { operator: { ...operator, at }, inputs: [input, ...operator.inputs] }
    : null;
}

function checkTerm(environment: Environment, base: ResolvedQuery, step: ResolvedQuery, at: number): void {
  const [known, given] = [base.columns.length, step.columns.length];
  if (known !== given) {
    const message = `The recursive term has ${given} columns, the non-recursive term ${known}; they must have the same number`;
    throw analysisError(environment, at, message);
  }
  for (const [index, { column }] of base.columns.entries()) {
    const own = step.columns[index];
    if (own === undefined || coercionCost(outputExpression(step, own), column.type) !== null) continue;
    const types = `(${typeText(own.column.type)}) to the column's type in the non-recursive term (${typeText(column.type)})`;
    throw analysisError(environment, at, `Cannot coerce column ${index + 1} of the recursive term ${types}`);
  }
}
