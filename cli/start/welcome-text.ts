import type { Endpoint, ParameterSpec } from '../../shared/endpoints/endpoint.ts';
import type { Service } from '../../shared/runtime/compose.ts';

const ORIGINS = {
  demo: 'generated demo logs of the projects demo and default',
  files: 'the logs of the folder',
  database: 'the logs that the database file holds',
  bigquery: 'the logs in BigQuery',
} as const;

/**
 * What a person needs for the first request: the address, a token, the explorer where it is served, and a call of each endpoint to paste.
 * `issueCode` makes the code with which the explorer's link signs in, null for a link that does not; it is called last,
 * because the code's time begins then.
 */
export async function welcomeText(
  service: Service,
  url: string,
  issueCode: () => string | null,
): Promise<string> {
  const { config, endpoints, localToken, logs } = service;
  const project = await exampleProject(service);
  const calls = endpoints.all.map((endpoint) => {
    return `  curl -H 'X-API-KEY: ${localToken}' '${url}${exampleTarget(endpoint, project)}'\n`;
  });
  return [
    `\nListening on ${url} with ${ORIGINS[logs?.origin ?? 'bigquery']}.\n`,
    logs !== null && logs.follow !== null
      ? `New entries are read as the files in ${config.logsDirectory} grow.\n`
      : '',
    `Access token: ${localToken}\n`,
    service.explorer === null ? '' : explorerLines(url, project, issueCode()),
    'Try:\n',
    ...calls,
    'Ctrl-C stops the service.\n\n',
  ].join('');
}

function explorerLines(url: string, project: string | null, code: string | null): string {
  const question = new URLSearchParams({
    ...(project === null ? {} : { project }),
    ...(code === null ? {} : { code }),
  });
  const note = '  The link signs in once, within a minute; after that, paste the token.\n';
  return `Explorer: ${url}/${question.size === 0 ? '' : `#${question}`}\n${code === null ? '' : note}`;
}

/** A call with every required parameter; apostrophes end a shell's quoted text, so none is left bare. */
function exampleTarget(endpoint: Endpoint, project: string | null): string {
  const query = new URLSearchParams();
  for (const parameter of endpoint.parameters.filter((one) => one.required)) {
    query.set(parameter.name, exampleValue(endpoint, parameter, project));
  }
  const text = query.toString().replaceAll("'", '%27');
  return `/api/endpoints/query/${endpoint.name}${text === '' ? '' : `?${text}`}`;
}

function exampleValue(
  { projectParameter }: Endpoint,
  { name, format, example }: ParameterSpec,
  project: string | null,
): string {
  if (name !== projectParameter || project === null) return example;
  return format === 're2' ? project.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : project;
}

const PROJECT_QUERY = `SELECT project FROM logs.edge_logs WHERE project IS NOT NULL
  GROUP BY project ORDER BY COUNT(*) DESC, project LIMIT 1`;

/** The project with the most edge entries, so that the calls have something to show; null if there is none. */
async function exampleProject({ logs, warehouse, deadlineMs, nowMicros }: Service): Promise<string | null> {
  // Whoever pays for what is read has not asked for this.
  if (logs === null) return null;
  try {
    const query = { sql: PROJECT_QUERY, parameters: new Map() };
    const { rows } = await warehouse.run(query, { maxRows: 1, deadlineMs, nowMicros: nowMicros() });
    const [row] = rows.map((text) => JSON.parse(text) as { project?: unknown });
    return typeof row?.project === 'string' ? row.project : null;
  } catch {
    // Other table schemas need not have edge_logs or a project column; the parameters' own examples do then.
    return null;
  }
}
