import { z } from 'zod';
import { ApiFailure } from '../../shared/warehouse/bigquery/rest/api-failure.ts';
import { type TableReference, tableName } from '../../shared/warehouse/bigquery/source-tables.ts';
import { error, type Finding } from './finding.ts';

export const SUBJECT = 'BigQuery';

/** Why a source's table cannot be looked at. `isNamed`: the settings name it, and not only its dataset. */
export function tableFault(
  thrown: unknown,
  source: string,
  place: TableReference,
  isNamed: boolean,
): Finding {
  const { project, dataset, table } = place;
  if (hasStatus(thrown, 404)) {
    return isNamed
      ? error(
          SUBJECT,
          `there is no table or view ${tableName(place)}, which LQE_LOG_TABLES names for ${source}`,
          'create it, or name another one in LQE_LOG_TABLES (null for a source that is absent)',
        )
      : error(
          SUBJECT,
          `there is no table ${table} in ${project}.${dataset}`,
          'run "terraform apply", or name the dataset that has it in LQE_BIGQUERY_DATASET',
        );
  }
  if (hasStatus(thrown, 403)) {
    return error(
      SUBJECT,
      `the account in use may not read the table ${isNamed ? tableName(place) : table}`,
      'give it roles/bigquery.dataViewer on the table',
    );
  }
  return unreachable(thrown);
}

/** Why a view cannot be read. */
export function viewFault(thrown: unknown, name: string): Finding {
  if (hasStatus(thrown, 403)) {
    return error(
      SUBJECT,
      `the account in use may not read what the view ${name} reads`,
      'authorize the view on the datasets of the tables beneath it, or give roles/bigquery.dataViewer on these',
    );
  }
  if (thrown instanceof ApiFailure && (thrown.status === 400 || thrown.status === 404)) {
    return error(
      SUBJECT,
      `the view ${name} cannot be read (${thrown.message.slice(0, 300)})`,
      'mend its query',
    );
  }
  return unreachable(thrown);
}

/** Why the metadata of a dataset cannot be read, with what to change. `name` is `project.dataset`. */
export function datasetFault(thrown: unknown, name: string): Finding {
  if (hasStatus(thrown, 404)) {
    return error(
      SUBJECT,
      `there is no dataset ${name}`,
      'check LQE_BIGQUERY_DATASET and LQE_GOOGLE_PROJECT, or run "terraform apply"',
    );
  }
  if (hasStatus(thrown, 403)) {
    return error(
      SUBJECT,
      `the account in use may not see the dataset ${name}`,
      'give it roles/bigquery.metadataViewer on the dataset, or check its name',
    );
  }
  return unreachable(thrown);
}

/** Why a query cannot be run as a job of a project, with what to change. */
export function jobFault(thrown: unknown, project: string): Finding {
  if (hasStatus(thrown, 403)) {
    return error(
      SUBJECT,
      `the account in use may not run queries in the project ${project}`,
      'give it roles/bigquery.jobUser on the project',
    );
  }
  return unreachable(thrown);
}

function hasStatus(thrown: unknown, status: number): boolean {
  return thrown instanceof ApiFailure && thrown.status === status;
}

function unreachable(thrown: unknown): Finding {
  if (hasStatus(thrown, 401)) {
    return error(
      SUBJECT,
      'there are no valid Google credentials on this machine',
      'log in with "gcloud auth application-default login"',
    );
  }
  if (thrown instanceof z.ZodError) {
    return error(
      SUBJECT,
      'the server that answered is not BigQuery',
      'check BIGQUERY_EMULATOR_HOST and proxies',
    );
  }
  const status =
    thrown instanceof ApiFailure && thrown.status !== null ? ` (it answered ${thrown.status})` : '';
  return error(SUBJECT, `it cannot be reached${status}`, 'check the network, or try again in a minute');
}
