import type { LqlExplanation } from '../lql/describe.ts';
import { type ColumnSchema, columnSchema } from './column-schema.ts';
import type { Explained } from './consumer-query.ts';
import { ignoredParametersHeader } from './ignored-parameters.ts';
import { jsonReply, type Reply } from './reply.ts';

/** What is told of a query in place of its rows. */
export interface Explanation {
  readonly sources: readonly string[];
  readonly columns: readonly ColumnSchema[];
  readonly parameters: readonly { readonly name: string; readonly type: string }[];
  /** Null where the warehouse cannot say. */
  readonly estimatedBytes: number | null;
  readonly warnings: readonly string[];
  /** The source whose entries the rows are, of which there is a histogram; null for other rows. */
  readonly entriesOf: string | null;
  /** Of a query in LQL only. */
  readonly lql?: LqlExplanation;
}

/** The answer that tells of a query in place of its rows. `estimatedBytes` is null where the warehouse cannot say. */
export function encodeExplanation(
  explained: Explained,
  estimatedBytes: number | null,
  ignored: readonly string[],
): Reply {
  const explain: Explanation = {
    sources: explained.sources,
    columns: explained.columns.map(columnSchema),
    parameters: [...explained.parameters].map(([name, { type }]) => ({ name, type })),
    estimatedBytes,
    warnings: explained.warnings,
    entriesOf: explained.entriesOf,
    ...(explained.lql === undefined ? {} : { lql: explained.lql }),
  };
  const headers = ['Vary', 'X-API-KEY, Authorization', 'X-Cache', 'BYPASS'];
  if (ignored.length > 0) headers.push('X-Ignored-Parameters', ignoredParametersHeader(ignored));
  return jsonReply(200, Buffer.from(JSON.stringify({ explain })), headers);
}
