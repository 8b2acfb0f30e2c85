export type ScalarType = 'STRING' | 'INT64' | 'FLOAT64' | 'BOOL' | 'TIMESTAMP';

export type Field =
  | { readonly kind: 'scalar'; readonly type: ScalarType }
  | { readonly kind: 'list'; readonly element: ScalarType }
  /** Every record is repeated. */
  | { readonly kind: 'record'; readonly fields: Fields };

export type Fields = Readonly<Record<string, Field>>;

const STRING: Field = { kind: 'scalar', type: 'STRING' };
const INT64: Field = { kind: 'scalar', type: 'INT64' };
const FLOAT64: Field = { kind: 'scalar', type: 'FLOAT64' };
const BOOL: Field = { kind: 'scalar', type: 'BOOL' };

function listOf(element: ScalarType): Field {
  return { kind: 'list', element };
}

function record(fields: Fields): Field {
  return { kind: 'record', fields };
}

function all(field: Field, names: string): Fields {
  return Object.fromEntries(names.split(' ').map((name) => [name, field]));
}

function source(metadata: Fields): Fields {
  return {
    id: STRING,
    timestamp: { kind: 'scalar', type: 'TIMESTAMP' },
    event_message: STRING,
    metadata: record(metadata),
  };
}

/** The columns of each source of the data set, as its reference lists them. */
export const SCHEMAS: Readonly<Record<string, Fields>> = {
  edge_logs: source({
    load_balancer_redirect_identifier: STRING,
    request: record({
      ...all(STRING, 'method path host protocol search url'),
      headers: record(
        all(
          STRING,
          'host user_agent referer x_real_ip cf_connecting_ip cf_ipcountry x_client_info content_length',
        ),
      ),
      cf: record({
        ...all(INT64, 'asn clientTrustScore'),
        ...all(STRING, 'asOrganization city country latitude isEUCountry'),
        botManagement: record({
          score: INT64,
          ...all(BOOL, 'verifiedBot corporateProxy'),
          detectionIds: listOf('INT64'),
        }),
      }),
    }),
    response: record({
      ...all(INT64, 'status_code origin_time'),
      headers: record(all(STRING, 'content_type content_length cf_cache_status cf_ray')),
    }),
  }),
  postgres_logs: source({
    host: STRING,
    parsed: record({
      ...all(STRING, 'error_severity user_name database_name command_tag sql_state_code backend_type'),
      ...all(STRING, 'connection_from session_id session_start_time timestamp query detail hint'),
      ...all(INT64, 'process_id session_line_num transaction_id'),
    }),
  }),
  auth_logs: source({
    ...all(STRING, 'level msg path method component host remote_addr referer timestamp error request_id'),
    status: INT64,
    duration: FLOAT64,
    metering: BOOL,
    args: listOf('STRING'),
    auth_event: record({
      ...all(STRING, 'action actor_id actor_username log_type'),
      actor_via_sso: BOOL,
      traits: record(all(STRING, 'provider user_email user_id channel')),
    }),
  }),
};

/** The field that a path names, or null where there is none. */
export function fieldAt(fields: Fields, path: string): Field | null {
  let field: Field | null = { kind: 'record', fields };
  for (const name of path.split('.')) {
    field =
      field?.kind === 'record' && Object.hasOwn(field.fields, name) ? (field.fields[name] ?? null) : null;
  }
  return field;
}

/** Every path of a source with its field, records included. */
export function pathsOf(fields: Fields, prefix = ''): readonly (readonly [string, Field])[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`;
    const below = field.kind === 'record' ? pathsOf(field.fields, `${path}.`) : [];
    return [[path, field] as const, ...below];
  });
}
