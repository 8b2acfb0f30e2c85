import { z } from 'zod';
import { ConfigurationError } from '../../shared/errors/configuration-error.ts';
import type { Config } from '../../shared/runtime/config.ts';
import type { TableSchemas } from '../../shared/schema/table-schema.ts';
import {
  type DatasetReference,
  parseDatasetReference,
} from '../../shared/warehouse/bigquery/dataset-reference.ts';
import { dryRunTables } from '../../shared/warehouse/bigquery/jobs/dry-run.ts';
import { selectAllFrom } from '../../shared/warehouse/bigquery/jobs/underlying-tables.ts';
import { makeRestApi, type RestApi } from '../../shared/warehouse/bigquery/rest/rest-api.ts';
import { backoffMs } from '../../shared/warehouse/bigquery/rest/retries.ts';
import {
  insideNamesOf,
  locateSources,
  type TableReference,
  tableName,
} from '../../shared/warehouse/bigquery/source-tables.ts';
import { datasetFault, jobFault, SUBJECT, tableFault, viewFault } from './bigquery-faults.ts';
import { isView, tableAnswer, tableFaults } from './check-table.ts';
import { error, type Finding, warning } from './finding.ts';
import { hiddenNames } from './hidden-names.ts';

const DEADLINE_MS = 30_000;
/** BigQuery's documentation has said of the tables that a query reads that the list of more is not complete. */
const MOST_TABLES = 50;

const datasetAnswer = z.object({ location: z.string().optional() });

/** What was found of a part of the warehouse, and where it lies; null where that is not known. */
interface Looked {
  readonly findings: readonly Finding[];
  readonly place: { readonly what: string; readonly location: string } | null;
}

/** What all parts of the check need. */
interface Context {
  readonly config: Config;
  readonly schemas: TableSchemas;
  /** The API as the project sees it that runs queries. */
  readonly jobs: RestApi;
  readonly signal: AbortSignal;
}

/** Looks whether queries can be run and whether the sources' tables and views are as the stored queries need them. */
export async function checkBigQuery(config: Config, schemas: TableSchemas): Promise<readonly Finding[]> {
  const { googleProject: project, bigqueryDataset: dataset, bigqueryEmulatorHost: emulatorHost } = config;
  if (project === null) throw new TypeError('the configuration was not checked');
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const context: Context = { config, schemas, jobs: makeRestApi({ project, emulatorHost }), signal };
  try {
    const { logTables } = config;
    const tables = locateSources({ sources: schemas.keys(), project, dataset, logTables });
    const hasCommon = dataset !== null && [...schemas.keys()].some((source) => !logTables.has(source));
    const common = hasCommon ? await checkDataset(parseDatasetReference(dataset, project), context) : NOTHING;
    // Without the dataset nothing can be said of the tables in it, nor, where BigQuery cannot be reached, of others.
    if (hasCommon && common.place === null && common.findings.length > 0) return common.findings;
    const sources = await Promise.all(
      [...tables].map(([source, place]) => checkSource(source, place, context)),
    );
    const looked = [common, ...sources];
    return unique([
      ...locationFaults(looked, config.bigqueryLocation),
      ...(await checkJobs(context)),
      ...looked.flatMap(({ findings }) => findings),
      ...hiddenNames(insideNamesOf(project, tables), schemas),
    ]);
  } catch (thrown) {
    if (!(thrown instanceof ConfigurationError)) throw thrown;
    return thrown.message.split('\n').map((line) => error('settings', line, 'no function starts until then'));
  }
}

const NOTHING: Looked = { findings: [], place: null };

/** The dataset of the sources that the settings name no tables for. */
async function checkDataset(
  { project, dataset }: DatasetReference,
  { config: { bigqueryEmulatorHost: emulatorHost }, signal }: Context,
): Promise<Looked> {
  try {
    const api = makeRestApi({ project, emulatorHost });
    const answer = await api.call({ method: 'GET', path: `/datasets/${dataset}` }, signal);
    const { location = '' } = datasetAnswer.parse(answer);
    return { findings: [], place: { what: 'the dataset', location } };
  } catch (thrown) {
    return { findings: [datasetFault(thrown, `${project}.${dataset}`)], place: null };
  }
}

async function checkJobs({
  jobs,
  config: { bigqueryLocation },
  signal,
}: Context): Promise<readonly Finding[]> {
  const configuration = { dryRun: true, query: { query: 'SELECT 1', useLegacySql: false } };
  const location = bigqueryLocation === null ? {} : { location: bigqueryLocation };
  const jobReference = { projectId: jobs.project, ...location };
  try {
    await jobs.call({ method: 'POST', path: '/jobs', body: { configuration, jobReference } }, signal);
    return [];
  } catch (thrown) {
    return [jobFault(thrown, jobs.project)];
  }
}

async function checkSource(source: string, place: TableReference | null, context: Context): Promise<Looked> {
  if (place === null) {
    const remedy = 'if it has a table, name it in LQE_LOG_TABLES';
    return {
      ...NOTHING,
      findings: [
        warning(SUBJECT, `the source ${source} is absent, so queries over it answer no rows`, remedy),
      ],
    };
  }
  const { config, schemas, signal } = context;
  const isNamed = config.logTables.has(source);
  const { project, dataset, table } = place;
  try {
    const api = makeRestApi({ project, emulatorHost: config.bigqueryEmulatorHost });
    const path = `/datasets/${dataset}/tables/${encodeURIComponent(table)}`;
    const answer = tableAnswer.parse(await api.call({ method: 'GET', path }, signal));
    const kind = isView(answer) ? 'view' : 'table';
    const what = isNamed ? `the ${kind} ${tableName(place)} (${source})` : `the ${kind} ${source}`;
    const faults = tableFaults(schemas.get(source) ?? [], answer, { what, isNamed }, config.partitionBy);
    const unreadable = isView(answer) ? await viewFaults(source, place, context) : [];
    const { location = '' } = answer;
    return { findings: [...faults, ...unreadable], place: { what, location } };
  } catch (thrown) {
    return { ...NOTHING, findings: [tableFault(thrown, source, place, isNamed)] };
  }
}

/** Whether a view can be read, with the tables beneath it. */
async function viewFaults(
  source: string,
  place: TableReference,
  { jobs, schemas, config: { bigqueryLocation: location }, signal }: Context,
): Promise<readonly Finding[]> {
  const name = tableName(place);
  try {
    const query = selectAllFrom(place, schemas.get(source) ?? []);
    const request = { query, queryParameters: [], labels: {} };
    const tables = await dryRunTables(jobs, request, { location, signal, delayMs: backoffMs });
    if (tables.length < MOST_TABLES) return [];
    return [
      warning(
        SUBJECT,
        `the view ${name} reads ${tables.length} tables or more, of which BigQuery may not name all, so queries over it may be refused`,
        `let it read fewer than ${MOST_TABLES}`,
      ),
    ];
  } catch (thrown) {
    return [viewFault(thrown, name)];
  }
}

/** Everything that one query may read must lie where queries run. */
function locationFaults(looked: readonly Looked[], given: string | null): readonly Finding[] {
  const places = looked.flatMap(({ place }) => (place === null || place.location === '' ? [] : [place]));
  const [first] = places;
  if (first === undefined) return [];
  const expectedLocation = given ?? first.location;
  return places.flatMap(({ what, location }) => {
    if (location.toLowerCase() === expectedLocation.toLowerCase()) return [];
    const remedy =
      given !== null && places.every((place) => place.location === location)
        ? `set LQE_BIGQUERY_LOCATION=${location}`
        : 'no query can read both; copy its logs to where the others are';
    return [error(SUBJECT, `${what} lies in ${location}, not in ${expectedLocation}`, remedy)];
  });
}

function unique(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
