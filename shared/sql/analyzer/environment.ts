import { ServiceError } from '../../errors/service-error.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import type { TablePath } from '../ast/query.ts';
import { ColumnIds } from '../resolved/column-ids.ts';
import type { ResolvedColumn, ResolvedExpression } from '../resolved/expression.ts';
import type { ExpressionKeys } from '../resolved/expression-key.ts';
import type { OutputColumn, ResolvedCte } from '../resolved/scan.ts';
import { sqlError } from '../text/sql-error.ts';
import type { SqlType } from '../types/sql-type.ts';
import { sizeOf, typeSizeComplaint } from '../types/type-size.ts';
import type { Budget } from './budget.ts';
import type { Scope } from './scope.ts';

/** A CTE that names in a query can mean. */
export interface NamedCte {
  readonly cte: ResolvedCte;
  readonly columns: readonly OutputColumn[];
  readonly isValueTable: boolean;
  /** Set for the name of a recursive CTE in its recursive term, where it means the rows of the last step. */
  readonly recursion?: number;
  /** Set for the name of a recursive CTE where it must not stand: the message that says so. */
  readonly refusal?: string;
}

/** The CTEs in scope by lower-case name. */
export type Ctes = ReadonlyMap<string, NamedCte>;

/** Most columns that the parts of one query may have together: what a query repeats, `SELECT *` multiplies. */
const MAX_COLUMNS = 20_000;
/** Most fields that the records in those columns may have together. */
const MAX_FIELDS = 200_000;

/** Most parts that the expressions of one query may have after aliases are replaced by what they stand for. */
const MAX_EXPRESSION_PARTS = 100_000;

/** Gives columns and CTEs their ids; one for everything that ends up in one query. */
export class IdAllocator extends ColumnIds {
  readonly #most: number;
  #fields = 0;

  constructor(last = 0) {
    super(last);
    this.#most = last + MAX_COLUMNS;
  }

  /** The id of a column whose type has so many fields. Throws a ServiceError (invalid_argument) for too many. */
  override next(fields = 0): number {
    this.#fields += fields;
    if (this.#fields > MAX_FIELDS) throw tooLarge(`more than ${MAX_FIELDS} fields in its parts`);
    if (this.last >= this.#most) throw tooLarge(`more than ${MAX_COLUMNS} columns in its parts`);
    return super.next();
  }
}

/** What a query may refer to besides what stands in it. */
export interface Catalog {
  /** The dataset's name in front of table names, or null where no table may be named, only CTEs. */
  readonly dataset: string | null;
  readonly tables: TableSchemas;
  /** The types of the query parameters by name. */
  readonly parameters: ReadonlyMap<string, SqlType>;
  /** Called for every path in the tree that turned out to be a table of the dataset. */
  readonly onTable?: (table: string, item: TablePath) => void;
}

/** Everything that resolving one part of a query needs to know about what is around it. */
export interface Environment {
  readonly text: string;
  readonly catalog: Catalog;
  readonly ids: IdAllocator;
  readonly keys: ExpressionKeys;
  readonly budget: Budget;
  readonly ctes: Ctes;
  /** The names of the queries around this one, for correlated subqueries. */
  readonly outer: Scope | null;
}

/** Throws a ServiceError (invalid_argument) for a type or a number of columns that no query needs. */
export function newColumn(environment: Environment, name: string, type: SqlType): ResolvedColumn {
  const size = sizeOf(type);
  const complaint = typeSizeComplaint(size);
  if (complaint !== null) throw tooLarge(complaint);
  return { id: environment.ids.next(size.fields), name, type };
}

/** The error that a query is larger in what it means than any needs to be. */
export function tooLarge(complaint: string): ServiceError {
  return new ServiceError('invalid_argument', `The query has ${complaint}; make it smaller.`);
}

/** A ServiceError (invalid_argument) about the query's text at an offset; its message ends with line and column. */
export function analysisError(environment: Environment, at: number, message: string): ServiceError {
  return sqlError(environment.text, at, message);
}

/** Refuses expressions that make the query too large. */
export function checkExpressions(
  environment: Environment,
  expressions: Iterable<ResolvedExpression>,
  at: number,
): void {
  for (const expression of expressions) {
    if (environment.budget.spend(expression) > MAX_EXPRESSION_PARTS) {
      const message = `The query has more than ${MAX_EXPRESSION_PARTS} expressions once each alias is replaced by its expression`;
      throw analysisError(environment, at, message);
    }
  }
}
