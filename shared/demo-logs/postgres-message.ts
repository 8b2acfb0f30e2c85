import { randomOf, type Slot } from './slots.ts';

/**
 * A kind of message in PostgreSQL's log, with fields named as in `parsed` of postgres_logs. In all texts
 * `{table}`, `{pid}`, `{other}`, `{xid}`, `{number}`, `{small}`, `{address}`, `{port}`, `{uuid}` and `{email}` stand for made values.
 */
export interface PostgresMessage {
  readonly severity: 'LOG' | 'WARNING' | 'ERROR' | 'FATAL';
  /** The five characters of SQLSTATE (PostgreSQL's appendix A). */
  readonly state: string;
  readonly message: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly query?: string;
  readonly command?: string;
  readonly backend?: string;
  /** Without one, no session is logged in: no user and no database. */
  readonly user?: string;
  readonly application?: string;
  /** Where it is always the same process. */
  readonly pid?: number;
}

export const API = { backend: 'client backend', user: 'authenticator', application: 'postgrest' } as const;
export const CLIENT = { backend: 'client backend', user: 'postgres', application: 'psql' } as const;
export const LOG = { severity: 'LOG', state: '00000' } as const;
export const VACUUM = { ...LOG, backend: 'autovacuum worker' } as const;

export const CANCELED: PostgresMessage = {
  ...API,
  severity: 'ERROR',
  state: '57014',
  message: 'canceling statement due to statement timeout',
  command: 'SELECT',
  query:
    'WITH pgrst_source AS (SELECT "public"."{table}".* FROM "public"."{table}" WHERE "status" = $1 ORDER BY "created_at" DESC) SELECT * FROM pgrst_source',
};

/** What a failed REST request leaves in the database's log, by its status. */
const BY_STATUS: Readonly<Record<number, readonly PostgresMessage[]>> = {
  400: [
    {
      ...API,
      severity: 'ERROR',
      state: '42703',
      message: 'column {table}.nmae does not exist',
      hint: 'Perhaps you meant to reference the column "{table}.name".',
      command: 'SELECT',
      query: 'SELECT "public"."{table}"."nmae" FROM "public"."{table}" LIMIT $1 OFFSET $2',
    },
    {
      ...API,
      severity: 'ERROR',
      state: '22P02',
      message: 'invalid input syntax for type uuid: "{number}"',
      command: 'SELECT',
      query: 'SELECT "public"."{table}".* FROM "public"."{table}" WHERE "owner" = $1',
    },
  ],
  401: [
    {
      ...API,
      severity: 'ERROR',
      state: '42501',
      message: 'permission denied for table {table}',
      command: 'SELECT',
    },
  ],
  403: [
    {
      ...API,
      severity: 'ERROR',
      state: '42501',
      message: 'new row violates row-level security policy for table "{table}"',
      command: 'INSERT',
      query:
        'INSERT INTO "public"."{table}"("id", "name") SELECT "id", "name" FROM json_to_record($1) AS _("id" bigint, "name" text)',
    },
  ],
  404: [
    {
      ...API,
      severity: 'ERROR',
      state: '42P01',
      message: 'relation "public.{table}_archive" does not exist',
      command: 'SELECT',
      query:
        "select id,\n       name -- for the export\nfrom public.{table}_archive /* until March */ where a = 'b;c'",
    },
  ],
  409: [
    {
      ...API,
      severity: 'ERROR',
      state: '23505',
      message: 'duplicate key value violates unique constraint "{table}_pkey"',
      detail: 'Key (id)=({number}) already exists.',
      command: 'INSERT',
      query: 'INSERT INTO "public"."{table}"("id", "name") VALUES ($1, $2) RETURNING *',
    },
    {
      ...API,
      severity: 'ERROR',
      state: '23503',
      message: 'insert or update on table "{table}" violates foreign key constraint "{table}_owner_fkey"',
      detail: 'Key (owner)=({uuid}) is not present in table "users".',
      command: 'INSERT',
      query: 'INSERT INTO "public"."{table}"("id", "owner") VALUES ($1, $2) RETURNING *',
    },
  ],
  500: [
    {
      ...API,
      severity: 'ERROR',
      state: '40P01',
      message: 'deadlock detected',
      detail:
        'Process {pid} waits for ShareLock on transaction {xid}; blocked by process {other}.\nProcess {other} waits for ShareLock on transaction {xid}; blocked by process {pid}.',
      hint: 'See server log for query details.',
      command: 'UPDATE',
      query: 'UPDATE "public"."{table}" SET "updated_at" = now() WHERE "id" = $1',
    },
  ],
  503: [CANCELED],
  504: [CANCELED],
};

/** The error that made the REST request in a slot fail, the same for all sources that log it; null where there is none. */
export function databaseErrorOf(slot: Slot, status: number): PostgresMessage | null {
  const errors = BY_STATUS[status];
  return errors === undefined ? null : randomOf(slot, 'database_error').pick(errors);
}
