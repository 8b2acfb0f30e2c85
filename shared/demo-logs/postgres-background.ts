import { API, CLIENT, LOG, type PostgresMessage, VACUUM } from './postgres-message.ts';
import type { Weighted } from './random.ts';

const CHECKPOINTER = { ...LOG, backend: 'checkpointer' } as const;
const CRON = { ...LOG, backend: 'pg_cron launcher', user: 'supabase_admin', application: 'pg_cron' } as const;

/** What PostgreSQL logs whether or not anybody calls the API. */
export const BACKGROUND: Weighted<PostgresMessage> = [
  [{ ...LOG, backend: 'not initialized', message: 'connection received: host={address} port={port}' }, 20],
  [
    {
      ...API,
      ...LOG,
      command: 'authentication',
      message:
        'connection authorized: user=authenticator database=postgres application_name=postgrest SSL enabled (protocol=TLSv1.3, cipher=TLS_AES_256_GCM_SHA384, bits=256)',
    },
    18,
  ],
  [
    {
      ...API,
      ...LOG,
      command: 'idle',
      message:
        'disconnection: session time: 0:12:{small}.104 user=authenticator database=postgres host={address} port={port}',
    },
    10,
  ],
  [{ ...CHECKPOINTER, message: 'checkpoint starting: time' }, 8],
  [
    {
      ...CHECKPOINTER,
      message:
        'checkpoint complete: wrote {number} buffers (1.2%); 0 WAL file(s) added, 0 removed, 1 recycled; write={small}.031 s, sync=0.004 s, total={small}.060 s; sync files=12, longest=0.002 s, average=0.001 s; distance={number} kB, estimate={number} kB',
    },
    8,
  ],
  [
    {
      ...VACUUM,
      message:
        'automatic vacuum of table "postgres.public.{table}": index scans: 1\npages: 0 removed, {number} remain, {small} scanned\ntuples: {small} removed, {number} remain, 0 are dead but not yet removable\nsystem usage: CPU: user: 0.03 s, system: 0.01 s, elapsed: 0.21 s',
    },
    5,
  ],
  [
    {
      ...VACUUM,
      message:
        'automatic analyze of table "postgres.public.{table}"\nsystem usage: CPU: user: 0.02 s, system: 0.00 s, elapsed: 0.08 s',
    },
    4,
  ],
  [
    {
      ...CLIENT,
      ...LOG,
      command: 'SELECT',
      message:
        "duration: {number}.{small} ms  statement: select count(*) from public.{table} where name ilike '%a%'",
    },
    7,
  ],
  [
    {
      ...API,
      ...LOG,
      command: 'SELECT',
      message:
        'duration: 2{number}.118 ms  execute 0: SELECT "public"."{table}".* FROM "public"."{table}" ORDER BY "created_at" DESC',
      detail: "Parameters: $1 = '{email}'",
    },
    5,
  ],
  [
    {
      ...CRON,
      message:
        "cron job 3 starting: delete from public.{table} where deleted_at < now() - interval '30 days'",
    },
    2,
  ],
  [{ ...CRON, message: 'cron job 3 COMMAND completed: DELETE {small}' }, 2],
  [
    {
      ...CLIENT,
      severity: 'WARNING',
      state: '25001',
      message: 'there is already a transaction in progress',
      command: 'BEGIN',
      query: 'BEGIN',
    },
    2,
  ],
  [
    {
      ...VACUUM,
      severity: 'WARNING',
      state: '55P03',
      message: 'skipping vacuum of "{table}" --- lock not available',
    },
    1,
  ],
  [
    {
      ...CLIENT,
      severity: 'ERROR',
      state: '42601',
      message: 'syntax error at or near "form"',
      command: 'SELECT',
      query: 'select * form public.{table};',
      application: 'Supabase Studio',
    },
    2,
  ],
  [
    {
      ...CLIENT,
      severity: 'FATAL',
      state: '28P01',
      message: 'password authentication failed for user "postgres"',
      detail:
        'Connection matched file "/etc/postgresql/pg_hba.conf" line 92: "host all all 0.0.0.0/0 scram-sha-256"',
      command: 'authentication',
    },
    2,
  ],
  [
    {
      ...CLIENT,
      severity: 'FATAL',
      state: '53300',
      message: 'remaining connection slots are reserved for roles with the SUPERUSER attribute',
      command: 'startup',
    },
    1,
  ],
  [
    {
      ...CLIENT,
      severity: 'FATAL',
      state: '57P01',
      message: 'terminating connection due to administrator command',
      command: 'idle',
    },
    1,
  ],
  [
    {
      ...CLIENT,
      severity: 'FATAL',
      state: '3D000',
      message: 'database "{table}" does not exist',
      command: 'startup',
    },
    0.5,
  ],
];
