import { z } from 'zod';
import type { Config } from '../../shared/runtime/config.ts';
import { type TableSchema, tableSchema } from '../../shared/schema/table-schema.ts';
import { SUBJECT } from './bigquery-faults.ts';
import { compareSchema, type SchemaFault } from './compare-schema.ts';
import { error, type Finding, warning } from './finding.ts';

/** A table as the REST API describes it; its fields are what a schema file has and more. */
export const tableAnswer = z.object({
  type: z.string().optional(),
  location: z.string().optional(),
  schema: z.object({ fields: z.array(z.unknown()).default([]) }).optional(),
  timePartitioning: z.object({ field: z.string().optional(), type: z.string().optional() }).optional(),
  requirePartitionFilter: z.boolean().optional(),
});

/** The part of BigQuery's answer to tables.get that a check reads. */
export type TableAnswer = z.infer<typeof tableAnswer>;

/** Whether a table is a view, which reads the rows of other tables each time. */
export function isView({ type }: TableAnswer): boolean {
  return type === 'VIEW';
}

/** How a table of a source is called, and who made it. */
export interface TableWords {
  /** For example `the table edge_logs`. */
  readonly what: string;
  /** Whether Terraform has made it, and could change it. */
  readonly isNamed: boolean;
}

/** What keeps a source's table or view from being read as the source's schema says. */
export function tableFaults(
  expected: TableSchema,
  table: TableAnswer,
  { what, isNamed }: TableWords,
  partitionBy: Config['partitionBy'],
): readonly Finding[] {
  const actual = tableSchema.safeParse((table.schema?.fields ?? []).map(knownMembers));
  if (!actual.success) {
    return [error(SUBJECT, `${what} has an unknown schema`, 'compare it with queries/sources')];
  }
  const faults = compareSchema(expected, actual.data).map((fault) =>
    error(SUBJECT, `${what} ${fault.problem}`, remedyFor(fault, isView(table), isNamed)),
  );
  return isView(table) ? faults : [...faults, ...partitionFaults(what, table, partitionBy)];
}

function remedyFor({ kind, remedy }: SchemaFault, isOfView: boolean, isNamed: boolean): string {
  if (isOfView)
    return kind === 'missing' ? 'add it to the query of the view' : 'cast it in the query of the view';
  if (!isNamed) return remedy;
  return kind === 'missing'
    ? 'add it with "bq update", or name a view that has it'
    : 'name a view that casts it in LQE_LOG_TABLES';
}

function partitionFaults(
  what: string,
  { timePartitioning: actual, requirePartitionFilter }: TableAnswer,
  partitionBy: Config['partitionBy'],
): readonly Finding[] {
  const filter = error(
    SUBJECT,
    `${what} requires a partition filter, which requests without bounds of time lack`,
    'turn it off: bq update --norequire_partition_filter',
  );
  return [
    ...granularityFaults(what, actual, partitionBy),
    ...(requirePartitionFilter === true ? [filter] : []),
  ];
}

function granularityFaults(
  what: string,
  actual: TableAnswer['timePartitioning'],
  partitionBy: Config['partitionBy'],
): readonly Finding[] {
  if (actual?.field !== 'timestamp') {
    return [
      warning(
        SUBJECT,
        `${what} is not partitioned by timestamp, so every query reads and bills all of it`,
        'load its logs into a table that is partitioned by hour or day',
      ),
    ];
  }
  const type = actual.type?.toLowerCase() ?? partitionBy;
  if (type === partitionBy) return [];
  const remedy =
    type === 'hour' || type === 'day'
      ? `set LQE_PARTITION_BY=${type}`
      : 'load its logs into a table that is partitioned by hour or day';
  const problem = `${what} is partitioned by ${type}, not by ${partitionBy}, so a refusal may name a shorter time range than the longest that fits`;
  return [warning(SUBJECT, problem, remedy)];
}

/** A field without what a schema file may not say, such as policy tags. */
function knownMembers(field: unknown): unknown {
  if (typeof field !== 'object' || field === null) return field;
  const { name, type, mode, fields } = field as Readonly<Record<string, unknown>>;
  return {
    name,
    type,
    ...(mode === undefined || mode === '' ? {} : { mode }),
    ...(Array.isArray(fields) && fields.length > 0 ? { fields: fields.map(knownMembers) } : {}),
  };
}
