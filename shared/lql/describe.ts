import { printQuery } from '../sql/print/print-query.ts';
import { positionAt } from '../sql/text/sql-error.ts';
import type { QueryParameter } from '../sql/types/query-parameter.ts';
import { formatMicros } from '../time/iso-timestamp.ts';
import { isTimestamp } from '../time/units.ts';
import type { CompiledLql } from './compile.ts';
import type { Condition, LqlQuery } from './tree.ts';

/** What `explain=true` reports of a query in LQL: plain JSON whose form docs/lql.md describes. */
export interface LqlExplanation {
  readonly source: string;
  /** The clauses in their order, with the places where they begin. */
  readonly clauses: readonly object[];
  /** GoogleSQL over the endpoint's CTEs. */
  readonly sql: string;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly value: string | number | boolean | null;
  }[];
  /** The first and the last microsecond in ISO 8601, both included; null for no bound. */
  readonly window: { readonly from: string | null; readonly to: string | null };
}

/** Describes a query, `text` being what it was parsed from. */
export function describeLql(text: string, query: LqlQuery, compiled: CompiledLql): LqlExplanation {
  const { source, tree, parameters } = compiled;
  const { after, upTo } = compiled.timeRange;
  return {
    source,
    clauses: query.clauses.map(({ at, ...clause }) => ({
      ...clause,
      ...('condition' in clause ? { condition: describeCondition(clause.condition) } : {}),
      ...positionAt(text, at),
    })),
    sql: printQuery(tree),
    parameters: [...parameters].map(([name, parameter]) => ({
      name,
      type: parameter.type,
      value: describeValue(parameter),
    })),
    window: { from: describeBound(after === null ? null : after + 1n), to: describeBound(upTo) },
  };
}

/** A condition with its values as they are written. */
function describeCondition(condition: Condition): object {
  switch (condition.kind) {
    case 'compare':
    case 'list_contains':
      return { ...condition, value: condition.value.text };
    case 'between':
    case 'time_between':
      return { ...condition, from: condition.from.text, to: condition.to.text };
    case 'time': {
      const { point } = condition;
      return { ...condition, point: point.kind === 'now' ? 'now' : point.text };
    }
    default:
      return condition;
  }
}

/** Instants in ISO 8601, whole numbers as text, so that they stay exact. */
function describeValue({ type, value }: QueryParameter): string | number | boolean | null {
  if (typeof value !== 'bigint') return value;
  return type === 'TIMESTAMP' ? formatMicros(value) : String(value);
}

function describeBound(micros: bigint | null): string | null {
  const isReal = micros !== null && isTimestamp(micros);
  return isReal ? formatMicros(micros) : null;
}
