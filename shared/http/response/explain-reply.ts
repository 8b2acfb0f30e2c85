import type { LqlExplanation } from '../../lql/describe.ts';
import type { ExplainedQuery } from '../query/consumer-query.ts';
import { type ColumnSchema, columnSchema } from './column-schema.ts';
import { ignoredParametersHeader } from './ignored-parameters.ts';
import { jsonReply, type Reply } from './reply.ts';

/** The description of a query in place of its rows. */
export interface Explanation {
  readonly sources: readonly string[];
  readonly columns: readonly ColumnSchema[];
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  /** What the query would read, at most; null where the warehouse does not count. */
  readonly estimatedBytes: number | null;
  /** What it would bill for that, at most; null where the warehouse does not bill. */
  readonly estimatedBytesBilled: number | null;
  /** The most that it may bill; null where there is no cap, or nothing is billed. */
  readonly maxBytesBilled: number | null;
  /** Whether it would be refused for that; null where nothing is billed, or where that shows only as it runs. */
  readonly wouldBeRefused: boolean | null;
  readonly warnings: readonly string[];
  /** The source whose entries the rows are, of which there is a histogram; null for other rows. */
  readonly entriesOf: string | null;
  /** Of a query in LQL only. */
  readonly lql?: LqlExplanation;
}

/** What a query costs, as far as it is known before it runs. */
export type ExplainedCost = Pick<
  Explanation,
  'estimatedBytes' | 'estimatedBytesBilled' | 'maxBytesBilled' | 'wouldBeRefused'
>;

/** The answer that describes a query in place of its rows. */
export function encodeExplanation(
  explained: ExplainedQuery,
  cost: ExplainedCost,
  ignored: readonly string[],
): Reply {
  const explain: Explanation = {
    sources: explained.sources,
    columns: explained.columns.map(columnSchema),
    parameters: [...explained.parameters].map(([name, { type }]) => ({ name, type })),
    ...cost,
    warnings: explained.warnings,
    entriesOf: explained.entriesOf,
    ...(explained.lql === undefined ? {} : { lql: explained.lql }),
  };
  const headers = ['Vary', 'X-API-KEY, Authorization', 'X-Cache', 'BYPASS'];
  if (ignored.length > 0) headers.push('X-Ignored-Parameters', ignoredParametersHeader(ignored));
  return jsonReply(200, Buffer.from(JSON.stringify({ explain })), headers);
}
