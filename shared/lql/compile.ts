import type { ServiceError } from '../errors/service-error.ts';
import { allOf, groupBy, integer, path, query as queryOf, select, sortedBy } from '../sql/ast/build.ts';
import type { Expression } from '../sql/ast/expression.ts';
import type { Query } from '../sql/ast/query.ts';
import { nearestNames } from '../sql/text/nearest-names.ts';
import type { QueryParameter } from '../sql/types/query-parameter.ts';
import type { Column } from '../sql/types/sql-type.ts';
import type { TimeRange } from '../time/time-range.ts';
import { ChartCompiler } from './compile-chart.ts';
import { type CompileContext, compileFilter } from './compile-filter.ts';
import { ColumnsCompiler, columnName } from './compile-select.ts';
import { lqlError } from './lql-error.ts';
import { MAX_EVENTS } from './lql-limits.ts';
import { valueOffset } from './path-clause.ts';
import { QueryValues } from './query-values.ts';
import { type LqlSource, resolvePath } from './resolve-path.ts';
import type { TimeBound } from './resolve-time.ts';
import { timeRangeOf } from './time-range.ts';
import type { FromClause, LqlQuery } from './tree.ts';

export interface CompileOptions {
  /** The columns of the CTEs that the query can read, by name. */
  readonly sources: ReadonlyMap<string, readonly Column[]>;
  /** The present, in microseconds since the epoch. */
  readonly nowMicros: bigint;
  /** What the names of the query's parameters begin with. */
  readonly parameterPrefix: string;
}

/** A query as GoogleSQL over one CTE. */
export interface CompiledLql {
  /** No value is part of it: the same clauses with other values give the same query. */
  readonly tree: Query;
  readonly parameters: ReadonlyMap<string, QueryParameter>;
  /**
   * The parameters for the key of a cached answer: equal for requests that may share one. The present, up to which
   * `last@` and `this@` reach, is in it as its minute (its second for `last@…s`), so that such an answer is at most a
   * minute old and the start of its interval is right.
   */
  readonly keyParameters: ReadonlyMap<string, QueryParameter>;
  readonly source: string;
  /** What the clauses without `-` leave of time. */
  readonly timeRange: TimeRange;
}

/**
 * Compiles a query, `text` being what it was parsed from. Throws a ServiceError (invalid_argument) with the place:
 * unknown_source, then from clause to clause unknown_field, unsupported or type.
 */
export function compileLql(text: string, query: LqlQuery, options: CompileOptions): CompiledLql {
  const source = findSource(text, query, options.sources);
  const values = new QueryValues(options.parameterPrefix);
  const row = freeRowName(query);
  const context: CompileContext = { text, source, row, values, nowMicros: options.nowMicros };
  const columns = new ColumnsCompiler(context);
  const chart = new ChartCompiler(context);
  const isChart = query.clauses.some(({ kind }) => kind === 'aggregate' || kind === 'group_by');
  const conditions: Expression[] = [];
  const bounds: TimeBound[] = [];
  for (const clause of query.clauses) {
    switch (clause.kind) {
      case 'from':
        break;
      case 'select':
      case 'select_all':
        if (!isChart) columns.add(clause);
        break;
      case 'aggregate':
      case 'group_by':
        checkTimestamp(context, clause.at);
        chart.add(clause);
        break;
      case 'filter': {
        const compiled = compileFilter(context, clause);
        conditions.push(...compiled.conditions);
        bounds.push(...compiled.bounds);
        break;
      }
      default: {
        const unreachable: never = clause;
        throw new TypeError(`clause ${JSON.stringify(unreachable)}`);
      }
    }
  }
  const { items, from } = isChart ? chart.finish() : columns.finish();
  const body = select(items, {
    from,
    where: allOf(conditions),
    groupBy: isChart ? groupBy(integer(1)) : null,
  });
  const tree = queryOf(body, isChart ? { orderBy: [sortedBy(integer(1))] } : newest(source, row));
  const { parameters, keyParameters } = values;
  return { tree, parameters, keyParameters, source: source.name, timeRange: timeRangeOf(bounds) };
}

/** The newest events come first, and no more than a list should have. */
function newest({ columns }: LqlSource, row: string): Pick<Query, 'orderBy' | 'limit'> {
  const keys = ['timestamp', 'id'].filter((name) => columns.some((column) => column.name === name));
  return { orderBy: keys.map((name) => sortedBy(path(row, name), true)), limit: integer(MAX_EVENTS) };
}

/** A name for the rows that is no column's: in ORDER BY a column of the result would come before them. */
function freeRowName({ clauses }: LqlQuery): string {
  const taken = new Set(
    clauses.map((clause) => (clause.kind === 'select' ? columnName(clause).toLowerCase() : '')),
  );
  let name = 't';
  while (taken.has(name)) name += '_';
  return name;
}

/** A chart goes by the time of events. */
function checkTimestamp({ text, source }: CompileContext, at: number): void {
  const { type } = resolvePath(text, at, source, 'timestamp');
  if (type.kind === 'TIMESTAMP') return;
  throw lqlError(text, at, 'unsupported', `c: needs a TIMESTAMP, timestamp is ${type.kind}`);
}

function findSource(text: string, query: LqlQuery, sources: CompileOptions['sources']): LqlSource {
  const from = query.clauses.find((clause) => clause.kind === 'from');
  const [only] = sources.keys();
  const name = from?.source ?? (sources.size === 1 ? only : undefined);
  const columns = name === undefined ? undefined : sources.get(name);
  if (name === undefined || columns === undefined) throw unknownSource(text, from, [...sources.keys()]);
  return { name, columns };
}

function unknownSource(text: string, from: FromClause | undefined, names: readonly string[]): ServiceError {
  if (from === undefined) {
    const message = `name the source with f:, one of: ${names.join(', ')}`;
    return lqlError(text, 0, 'unknown_source', message);
  }
  const near = nearestNames(from.source, names);
  const hint = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
  const message = `no source ${from.source.slice(0, 100)}; one of: ${names.join(', ')}${hint}`;
  return lqlError(text, valueOffset(text, from.at), 'unknown_source', message);
}
