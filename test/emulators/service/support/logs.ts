import { loadTableSchemas } from '../../../../shared/schema/load-table-schemas.ts';
import { makeDataset } from '../../bigquery/support/emulated-dataset.ts';

/** The present of the instances. */
export const NOW = '2026-03-01T12:00:00Z';

const PATHS = ['/rest/v1/todos', '/rest/v1/profiles', '/auth/v1/token', '/storage/v1/object'];

/** What usage.api-counts answers for the last hour of these logs. */
export const RIGHT_ANSWER = {
  result: [
    {
      timestamp: '2026-03-01T11:00:00',
      total_rest_requests: 2,
      total_storage_requests: 1,
      total_auth_requests: 1,
      total_realtime_requests: 0,
    },
  ],
};

/** Puts a few requests into a new dataset of the emulator; resolves to its name. */
export async function makeLogs(): Promise<string> {
  const lines = PATHS.map((path, index) =>
    JSON.stringify({
      id: `request-${index}`,
      timestamp: `2026-03-01T11:3${index}:00Z`,
      event_message: path,
      project: 'acme',
      metadata: [{ request: [{ method: 'GET', path, url: `https://acme.example.com${path}` }] }],
    }),
  );
  return makeDataset(await loadTableSchemas('queries/sources'), new Map([['edge_logs', lines]]));
}
