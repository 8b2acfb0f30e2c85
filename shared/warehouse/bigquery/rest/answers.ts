import * as z from 'zod';

/** A column or field of a result as BigQuery's REST API describes it. */
export interface FieldSchema {
  readonly name?: string | undefined;
  readonly type: string;
  readonly mode?: string | undefined;
  readonly fields?: readonly FieldSchema[] | undefined;
}

const fieldSchema: z.ZodType<FieldSchema> = z.lazy(() =>
  z.object({
    name: z.string().optional(),
    type: z.string(),
    mode: z.string().optional(),
    fields: z.array(fieldSchema).optional(),
  }),
);

/** What names a job; the location is missing where it is the default one. */
export const jobReference = z.object({ jobId: z.string(), location: z.string().optional() });

const byteCount = z
  .string()
  .regex(/^\d+$/)
  .transform((text) => Number(text));

/** What jobs.query and jobs.getQueryResults answer. Rows are looked at when they are written. */
export const queryAnswer = z.object({
  jobComplete: z.boolean().optional(),
  jobReference: jobReference.optional(),
  schema: z.object({ fields: z.array(fieldSchema).default([]) }).optional(),
  rows: z.array(z.unknown()).optional(),
  pageToken: z.string().optional(),
  totalBytesProcessed: byteCount.optional(),
  /** Of jobs.query alone, and not always there. */
  totalBytesBilled: byteCount.optional(),
  cacheHit: z.boolean().optional(),
});

/** The name by which the REST API knows a job. */
export type JobReference = z.infer<typeof jobReference>;
/** One page of a query's result, or that the query still runs. */
export type QueryAnswer = z.infer<typeof queryAnswer>;
/** The state of a job, and what it read and billed by now. */
export type JobAnswer = z.infer<typeof jobAnswer>;

/** What jobs.get answers, and jobs.cancel as `job`, of what a job took. */
export const jobAnswer = z.object({
  status: z.object({
    state: z.string(),
    errorResult: z.object({ reason: z.string().optional() }).optional(),
  }),
  statistics: z
    .object({
      query: z
        .object({
          totalBytesProcessed: byteCount.optional(),
          totalBytesBilled: byteCount.optional(),
          cacheHit: z.boolean().optional(),
        })
        .default({}),
    })
    .default({ query: {} }),
});

/** What jobs.insert answers of a query that was only looked at; one that reads no table names none. */
export const dryRunAnswer = z.object({
  statistics: z.object({
    query: z.object({
      referencedTables: z
        .array(z.object({ projectId: z.string(), datasetId: z.string(), tableId: z.string() }))
        .default([]),
    }),
  }),
});

/** What any call answers when it fails. */
export const errorAnswer = z.object({
  error: z.object({
    message: z.string().default(''),
    errors: z
      .array(z.object({ reason: z.string().default(''), message: z.string().default('') }))
      .default([]),
  }),
});
