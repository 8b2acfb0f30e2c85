import { randomUUID } from 'node:crypto';
import { ENDPOINT_SETTINGS } from '../../shared/endpoints/endpoint-settings.ts';
import { PARAMETER_SETTINGS } from '../../shared/endpoints/parameter-settings.ts';
import type { FileSetting } from '../../shared/endpoints/setting-table.ts';

/** Settings to begin with: every one that has no default, the project and bounds of time. */
export function settingsText(name: string): string {
  const settings = {
    id: randomUUID(),
    name,
    description: `What ${name} answers, in a sentence.`,
    maxRows: 100,
    cacheTtlSeconds: 0,
    warmEverySeconds: null,
    sandbox: true,
    redactPii: false,
    projectParameter: 'project',
    timeWindow: { start: 'iso_timestamp_start', end: 'iso_timestamp_end' },
    parameters: [
      {
        name: 'project',
        type: 'STRING',
        required: true,
        description: 'The project whose log entries are read',
        example: 'demo',
      },
      {
        name: 'iso_timestamp_start',
        type: 'TIMESTAMP',
        description: 'Only entries after this instant (exclusive); without it there is no lower bound',
        example: '2026-01-31T12:00:00Z',
      },
      {
        name: 'iso_timestamp_end',
        type: 'TIMESTAMP',
        description: 'Only entries up to this instant (inclusive); without it there is no upper bound',
        example: '2026-01-31T13:00:00Z',
      },
    ],
  };
  return `${JSON.stringify(settings, null, 2)}\n`;
}

/** A query to begin with that runs as it is; its comments explain the settings too, for JSON has none. */
export function queryText(name: string): string {
  return `-- The query of the endpoint ${name}, in GoogleSQL.
--
-- Tables are written logs.<source>: queries/sources has one <source>.json for each. @name is a parameter that
-- ${name}.json declares; every one that is declared must be used here, and the other way round.
--
-- The CTEs of WITH are what consumers may query with sql and lql where "sandbox" is true. Give them the columns id,
-- timestamp, event_message and metadata, so that LQL and the explorer can work with them.
--
-- What ${name}.json may say (docs/own-endpoints.md has all of it):
${explained(ENDPOINT_SETTINGS)}
-- and of each parameter:
${explained(PARAMETER_SETTINGS)}
WITH edge_logs AS (
  SELECT id, timestamp, event_message, metadata
  FROM logs.edge_logs
  -- A bound that is not given is NULL. Written like this, no CASE and no OR, bounds keep BigQuery from reading more.
  WHERE project = @project
    AND timestamp > IFNULL(@iso_timestamp_start, TIMESTAMP '0001-01-01 00:00:00+00')
    AND timestamp <= IFNULL(@iso_timestamp_end, TIMESTAMP '9999-12-31 23:59:59.999999+00')
)
-- What a request without sql and lql gets.
SELECT id, timestamp, event_message
FROM edge_logs
ORDER BY timestamp DESC
LIMIT 100
`;
}

function explained(table: Readonly<Record<string, FileSetting>>): string {
  const width = Math.max(...Object.keys(table).map((name) => name.length));
  return Object.entries(table)
    .map(([name, { means }]) => `--   ${name.padEnd(width)}  ${means}`)
    .join('\n');
}

/** The module of the function that serves the endpoint in the cloud. */
export function functionText(name: string): string {
  return `import type { HttpDeps } from '../shared/http/http-deps.ts';
import { makeQueryHandler } from '../shared/http/query/query-handler.ts';
import type { HttpHandler } from '../shared/http/response/reply.ts';

/**
 * The function that serves the endpoint \`${name}\` and nothing else. What it answers is in queries/${name}.json and
 * queries/${name}.sql; "npm run build" bundles it, and terraform deploys it under the name that functions/index.ts
 * registers.
 */
export function ${factoryName(name)}(service: HttpDeps): HttpHandler {
  return makeQueryHandler(service, { only: '${name}' });
}
`;
}

/** `errors.by-path` is made by `makeErrorsByPath`. */
export function factoryName(name: string): string {
  return `make${name
    .split(/[._-]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;
}
