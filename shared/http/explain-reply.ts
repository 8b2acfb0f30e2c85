import type { SandboxedQuery } from '../sql/sandbox/consumer-query.ts';
import type { Column, ScalarTypeName, SqlType } from '../sql/types/sql-type.ts';
import { ignoredParametersHeader } from './ignored-parameters.ts';
import { jsonReply, type Reply } from './reply.ts';

/** A column as BigQuery's table schemas write it. */
interface ColumnSchema {
  readonly name: string;
  readonly type: string;
  readonly mode: 'NULLABLE' | 'REPEATED';
  /** Of a RECORD only. */
  readonly fields?: readonly ColumnSchema[];
}

/** The types that BigQuery's table schemas call by another name. */
const SCHEMA_NAMES: Partial<Record<ScalarTypeName, string>> = {
  INT64: 'INTEGER',
  FLOAT64: 'FLOAT',
  BOOL: 'BOOLEAN',
};

/** The answer that tells of a query in place of its rows. `estimatedBytes` is null where the warehouse cannot say. */
export function encodeExplanation(
  explained: SandboxedQuery,
  estimatedBytes: number | null,
  ignored: readonly string[],
): Reply {
  const explain = {
    sources: explained.sources,
    columns: explained.columns.map(describeColumn),
    parameters: [...explained.parameters].map(([name, { type }]) => ({ name, type })),
    estimatedBytes,
    warnings: explained.warnings,
  };
  const headers = ['Vary', 'X-API-KEY, Authorization', 'X-Cache', 'BYPASS'];
  if (ignored.length > 0) headers.push('X-Ignored-Parameters', ignoredParametersHeader(ignored));
  return jsonReply(200, Buffer.from(JSON.stringify({ explain })), headers);
}

function describeColumn({ name, type }: Column): ColumnSchema {
  const mode = type.kind === 'ARRAY' ? 'REPEATED' : 'NULLABLE';
  const element: SqlType = type.kind === 'ARRAY' ? type.element : type;
  if (element.kind === 'STRUCT') {
    const fields = element.fields.map((field, index) =>
      describeColumn({ name: field.name === '' ? `_field_${index + 1}` : field.name, type: field.type }),
    );
    return { name, type: 'RECORD', mode, fields };
  }
  return {
    name,
    type: element.kind === 'ARRAY' ? 'RECORD' : (SCHEMA_NAMES[element.kind] ?? element.kind),
    mode,
  };
}
