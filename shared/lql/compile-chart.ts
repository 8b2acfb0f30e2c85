import type { ServiceError } from '../errors/service-error.ts';
import { findFunction } from '../sql/functions/catalog.ts';
import { typeText } from '../sql/types/sql-type.ts';
import type { CompileContext } from './compile-filter.ts';
import type { CompiledColumns } from './compile-select.ts';
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
  #value = 'COUNT(*)';
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
    const list = `TIMESTAMP_TRUNC(${row}.\`timestamp\`, ${this.#part}) AS \`timestamp\`, ${this.#value} AS \`count\``;
    return { list, joins: this.#joins.sql };
  }

  #aggregate(clause: AggregateClause): string {
    const { text, source, row } = this.#context;
    const { path } = clause;
    const aggregate: Aggregate = AGGREGATES[clause.function];
    const at = valueOffset(text, clause.at) + `${clause.function}(`.length;
    if (path === null) {
      if (takesAnything(aggregate)) return call(aggregate, aggregate.distinct ? `${row}.\`timestamp\`` : '*');
      throw lqlError(text, at, 'unsupported', `${clause.function} needs a path to a number, not *`);
    }
    const resolved = resolvePath(text, at, source, path);
    const complaint = complaintAbout(aggregate, resolved);
    if (complaint !== null) throw unsupported(text, at, clause.function, complaint, resolved);
    return call(aggregate, this.#joins.field(resolved));
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

function call(aggregate: Aggregate, value: string): string {
  const { function: name, distinct, percentile } = aggregate;
  if (percentile !== undefined) return `${name}(${value}, 100)[OFFSET(${percentile})]`;
  return `${name}(${distinct ? 'DISTINCT ' : ''}${value})`;
}
