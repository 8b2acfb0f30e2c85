import type { ServiceError } from '../errors/service-error.ts';
import { COUNT_ALL, call, column, integer, path } from '../sql/ast/build.ts';
import type { Argument, Expression } from '../sql/ast/expression.ts';
import { findFunction } from '../sql/functions/catalog.ts';
import { typeText } from '../sql/types/sql-type.ts';
import type { CompileContext } from './compile-filter.ts';
import { type CompiledColumns, sourceOf } from './compile-select.ts';
import { AGGREGATES, type Aggregate, type AggregateName } from './keywords.ts';
import { lqlError } from './lql-error.ts';
import { valueOffset } from './path-clause.ts';
import { RecordJoins } from './record-joins.ts';
import { isRecord, type ResolvedPath, resolvePath } from './resolve-path.ts';
import type { AggregateClause, GroupByClause } from './tree.ts';

const PARTS = { second: 'SECOND', minute: 'MINUTE', hour: 'HOUR', day: 'DAY' } as const;

/** Compiles the `c:` clauses of a chart, from left to right. */
export class ChartCompiler {
  readonly #context: CompileContext;
  readonly #joins: RecordJoins;
  #value: Expression = COUNT_ALL;
  #part: (typeof PARTS)[keyof typeof PARTS] = 'MINUTE';

  constructor(context: CompileContext) {
    this.#context = context;
    this.#joins = new RecordJoins(context.row);
  }

  /** Throws a ServiceError (invalid_argument: unknown_field, unsupported) with the place. */
  add(clause: AggregateClause | GroupByClause): void {
    if (clause.kind === 'group_by') this.#part = PARTS[clause.period];
    else this.#value = this.#aggregate(clause);
  }

  /** The bucket and the value, without values where there are no events in it. */
  finish(): CompiledColumns {
    const { row } = this.#context;
    const bucket = call('TIMESTAMP_TRUNC', path(row, 'timestamp'), path(this.#part));
    const items = [column(bucket, 'timestamp'), column(this.#value, 'count')];
    return { items, from: this.#joins.from(sourceOf(this.#context)) };
  }

  #aggregate(clause: AggregateClause): Expression {
    const { text, source, row } = this.#context;
    const aggregate: Aggregate = AGGREGATES[clause.function];
    const at = valueOffset(text, clause.at) + `${clause.function}(`.length;
    if (clause.path === null) {
      if (takesAnything(aggregate))
        return aggregateOf(aggregate, aggregate.distinct ? path(row, 'timestamp') : { kind: 'star', at: 0 });
      throw lqlError(text, at, 'unsupported', `${clause.function} needs a path to a number, not *`);
    }
    const resolved = resolvePath(text, at, source, clause.path);
    const complaint = complaintAbout(aggregate, resolved);
    if (complaint !== null) throw unsupported(text, at, clause.function, complaint, resolved);
    return aggregateOf(aggregate, this.#joins.field(resolved));
  }
}

/** Whether a function's value is a number whatever it is given, so that it can be charted. */
function takesAnything({ function: name }: Aggregate): boolean {
  const [signature] = findFunction(name)?.signatures ?? [];
  return signature?.arguments[0]?.pattern.kind === 'any';
}

/** What an aggregate needs that a field is not; null where it fits. */
function complaintAbout(aggregate: Aggregate, { type }: ResolvedPath): string | null {
  if (!takesAnything(aggregate)) {
    return type.kind === 'INT64' || type.kind === 'FLOAT64' ? null : 'an INT64 or FLOAT64';
  }
  return type.kind === 'ARRAY' || type.kind === 'STRUCT' ? 'a field with single values' : null;
}

function unsupported(
  text: string,
  at: number,
  name: AggregateName,
  needed: string,
  { path, type }: ResolvedPath,
): ServiceError {
  const actual = isRecord(type) ? 'a record' : typeText(type);
  return lqlError(text, at, 'unsupported', `${name} needs ${needed}, ${path} is ${actual}`);
}

function aggregateOf({ function: name, distinct, percentile }: Aggregate, value: Argument): Expression {
  if (percentile === undefined) return { ...call(name, value), distinct: distinct === true };
  const index = integer(percentile);
  return { kind: 'subscript', base: call(name, value, integer(100)), index, mode: 'offset', at: 0 };
}
