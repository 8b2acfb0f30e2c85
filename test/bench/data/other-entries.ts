import { MADE_PROJECT, madeTime } from './made-time.ts';
import { below, chance, pick, pickNumber, uuid } from './made-values.ts';

const SEVERITIES = [
  ...Array<string>(90).fill('LOG'),
  ...Array<string>(5).fill('WARNING'),
  'ERROR',
  'ERROR',
  'ERROR',
  'ERROR',
  'FATAL',
];

/** SQL of `postgres_logs` entries; one of twenty is an error. */
export function postgresEntries(count: number, from: number, to: number, metadataType: string): string {
  const metadata = `{
    'host': concat('db-', project),
    'parsed': [{
      'application_name': ${pick(10, ['postgrest', 'supavisor', 'realtime', 'psql', 'storage'])},
      'backend_type': ${pick(11, ['client backend', 'client backend', 'autovacuum worker', 'checkpointer'])},
      'command_tag': ${pick(12, ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'authentication'])},
      'connection_from': concat('198.51.100.', ${below(13, 256)}, ':', 1024 + ${below(14, 60_000)}),
      'database_name': 'postgres', 'error_severity': severity,
      'detail': CASE WHEN severity = 'ERROR' THEN concat('Key (id)=(', ${below(15, 100_000)}, ') already exists.') END,
      'process_id': ${below(16, 100_000)}, 'query': CASE WHEN severity = 'ERROR' THEN 'insert into orders (id) values ($1)' END,
      'session_line_num': ${below(17, 100)}, 'user_name': ${pick(18, ['authenticator', 'postgres', 'supabase_admin'])},
      'sql_state_code': CASE WHEN severity = 'ERROR' THEN ${pick(19, ['23505', '42P01', '57014'])} ELSE '00000' END
    }]
  }`;
  const rows = `(SELECT *, ${pick(20, SEVERITIES)} AS severity FROM ${numbers(from, to)})`;
  return entries(
    count,
    metadata,
    metadataType,
    rows,
    `concat('connection authorized: user=app pid=', ${below(16, 100_000)})`,
  );
}

/** SQL of `auth_logs` entries. */
export function authEntries(count: number, from: number, to: number, metadataType: string): string {
  const metadata = `{
    'auth_event': [], 'level': ${pick(10, ['info', 'info', 'info', 'warning', 'error'])}, 'path': ${pick(11, ['/token', '/user', '/logout'])},
    'status': ${pickNumber(12, [200, 200, 200, 204, 400, 401, 429])}, 'msg': 'request completed',
    'method': ${pick(13, ['GET', 'POST'])}, 'duration': ${below(14, 90_000_000)},
    'remote_addr': concat('203.0.113.', ${below(15, 256)})
  }`;
  return entries(
    count,
    metadata,
    metadataType,
    numbers(from, to),
    `concat('request completed ', ${uuid(16)})`,
  );
}

function entries(
  count: number,
  metadata: string,
  metadataType: string,
  rows: string,
  message: string,
): string {
  return `SELECT ${uuid(3)} AS id, ${madeTime(count)} AS "timestamp", ${message} AS event_message, project,
    CASE WHEN ${chance(30, 4)} THEN [] ELSE [CAST(${metadata} AS STRUCT(${metadataType}))] END AS metadata
    FROM ${rows}`;
}

function numbers(from: number, to: number): string {
  return `(SELECT i, ${MADE_PROJECT} AS project FROM (SELECT range AS i FROM range(${from}, ${to})))`;
}
