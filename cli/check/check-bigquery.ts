import { z } from 'zod';
import type { Config } from '../../shared/runtime/config.ts';
import { type TableSchemas, tableSchema } from '../../shared/schema/table-schema.ts';
import { parseDatasetReference } from '../../shared/warehouse/bigquery/dataset-reference.ts';
import { ApiFailure } from '../../shared/warehouse/bigquery/rest/api-failure.ts';
import { makeRestApi } from '../../shared/warehouse/bigquery/rest/rest-api.ts';
import { compareSchema } from './compare-schema.ts';
import { error, type Finding, warning } from './finding.ts';

const SUBJECT = 'BigQuery';
const DEADLINE_MS = 30_000;

/** A table as the REST API describes it; its fields are what a schema file has and more. */
const tableAnswer = z.object({
  schema: z.object({ fields: z.array(z.unknown()).default([]) }).optional(),
  timePartitioning: z.object({ field: z.string().optional(), type: z.string().optional() }).optional(),
  requirePartitionFilter: z.boolean().optional(),
});
const datasetAnswer = z.object({ location: z.string().optional() });

interface Where {
  readonly project: string;
  readonly dataset: string;
}

/** Looks whether queries can be run and whether the log tables are there as the stored queries need them. */
export async function checkBigQuery(config: Config, schemas: TableSchemas): Promise<readonly Finding[]> {
  const {
    googleProject: project,
    bigqueryDataset,
    bigqueryLocation: location,
    bigqueryEmulatorHost,
  } = config;
  if (project === null || bigqueryDataset === null) throw new TypeError('the configuration was not checked');
  const where = parseDatasetReference(bigqueryDataset, project);
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const emulatorHost = bigqueryEmulatorHost;
  const tables = makeRestApi({ project: where.project, emulatorHost });
  const get = (path: string) =>
    tables.call({ method: 'GET', path: `/datasets/${where.dataset}${path}` }, signal);

  try {
    const dataset = datasetAnswer.parse(await get(''));
    const faults = locationFaults(dataset.location, location);
    const jobs = makeRestApi({ project, emulatorHost });
    const configuration = { dryRun: true, query: { query: 'SELECT 1', useLegacySql: false } };
    const jobReference = { projectId: project, ...(location === null ? {} : { location }) };
    const ran = jobs
      .call({ method: 'POST', path: '/jobs', body: { configuration, jobReference } }, signal)
      .then(
        () => [],
        (thrown: unknown) => [jobFault(thrown, project)],
      );
    const looked = [...schemas].map(async ([table, expected]) => {
      try {
        return tableFaults(
          table,
          expected,
          tableAnswer.parse(await get(`/tables/${table}`)),
          config.partitionBy,
        );
      } catch (thrown) {
        return [tableFault(thrown, table, where)];
      }
    });
    return [...faults, ...(await ran), ...(await Promise.all(looked)).flat()];
  } catch (thrown) {
    return [datasetFault(thrown, where)];
  }
}

function locationFaults(actual: string | undefined, given: string | null): readonly Finding[] {
  if (actual === undefined || actual === '' || given === null) return [];
  if (actual.toLowerCase() === given.toLowerCase()) return [];
  return [
    error(SUBJECT, `the dataset lies in ${actual}, not in ${given}`, `set LQE_BIGQUERY_LOCATION=${actual}`),
  ];
}

function tableFaults(
  table: string,
  expected: Parameters<typeof compareSchema>[0],
  { schema, timePartitioning, requirePartitionFilter }: z.infer<typeof tableAnswer>,
  partitionBy: Config['partitionBy'],
): readonly Finding[] {
  const actual = tableSchema.safeParse((schema?.fields ?? []).map(knownMembers));
  if (!actual.success) {
    return [
      error(SUBJECT, `the table ${table} has no schema that is known`, 'compare it with queries/sources'),
    ];
  }
  const faults = compareSchema(expected, actual.data).map(({ problem, remedy }) =>
    error(SUBJECT, `the table ${table} ${problem}`, remedy),
  );
  return [
    ...faults,
    ...partitionFaults(table, timePartitioning, partitionBy),
    ...(requirePartitionFilter === true
      ? [
          error(
            SUBJECT,
            `the table ${table} requires a partition filter, which requests without bounds of time lack`,
            'turn it off: bq update --norequire_partition_filter',
          ),
        ]
      : []),
  ];
}

function partitionFaults(
  table: string,
  actual: z.infer<typeof tableAnswer>['timePartitioning'],
  partitionBy: Config['partitionBy'],
): readonly Finding[] {
  if (actual?.field !== 'timestamp') {
    return [
      warning(
        SUBJECT,
        `the table ${table} is not partitioned by timestamp, so every query reads and bills all of it`,
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
  const problem = `the table ${table} is partitioned by ${type}, not by ${partitionBy}, so a refused query may be told a shorter time range than the longest that fits`;
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

function tableFault(thrown: unknown, table: string, { project, dataset }: Where): Finding {
  if (thrown instanceof ApiFailure && thrown.status === 404) {
    return error(
      SUBJECT,
      `there is no table ${table} in ${project}.${dataset}`,
      'run "terraform apply", or name the dataset that has it in LQE_BIGQUERY_DATASET',
    );
  }
  if (thrown instanceof ApiFailure && thrown.status === 403) {
    return error(
      SUBJECT,
      `the account in use may not read the table ${table}`,
      'give it roles/bigquery.dataViewer on the table',
    );
  }
  return unreachable(thrown);
}

function datasetFault(thrown: unknown, { project, dataset }: Where): Finding {
  if (thrown instanceof ApiFailure && thrown.status === 404) {
    return error(
      SUBJECT,
      `there is no dataset ${project}.${dataset}`,
      'check LQE_BIGQUERY_DATASET and LQE_GOOGLE_PROJECT, or run "terraform apply"',
    );
  }
  if (thrown instanceof ApiFailure && thrown.status === 403) {
    return error(
      SUBJECT,
      `the account in use may not see the dataset ${project}.${dataset}`,
      'give it roles/bigquery.metadataViewer on the dataset, or check its name',
    );
  }
  return unreachable(thrown);
}

function jobFault(thrown: unknown, project: string): Finding {
  if (thrown instanceof ApiFailure && thrown.status === 403) {
    return error(
      SUBJECT,
      `the account in use may not run queries in the project ${project}`,
      'give it roles/bigquery.jobUser on the project',
    );
  }
  return unreachable(thrown);
}

function unreachable(thrown: unknown): Finding {
  if (thrown instanceof ApiFailure && thrown.status === 401) {
    return error(
      SUBJECT,
      'there are no valid Google credentials here',
      'log in with "gcloud auth application-default login"',
    );
  }
  if (thrown instanceof z.ZodError) {
    return error(SUBJECT, 'what answered is not BigQuery', 'check BIGQUERY_EMULATOR_HOST and proxies');
  }
  const status =
    thrown instanceof ApiFailure && thrown.status !== null ? ` (it answered ${thrown.status})` : '';
  return error(SUBJECT, `it cannot be reached${status}`, 'check the network, or try again in a minute');
}
