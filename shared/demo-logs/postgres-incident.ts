import { INCIDENT } from './incident.ts';
import { API, CANCELED, LOG, type PostgresMessage } from './postgres-message.ts';
import type { Weighted } from './random.ts';

const CRON = { ...LOG, backend: 'client backend', user: 'postgres', application: 'pg_cron' } as const;
const JOB = `cron job ${INCIDENT.jobId}`;

/** The job that takes the lock: what begins each of the incident's minutes. */
export const INCIDENT_MINUTES: readonly PostgresMessage[] = [
  { ...CRON, message: `${JOB} starting: ${INCIDENT.job}` },
  {
    ...CRON,
    command: 'SELECT',
    message: `process ${INCIDENT.jobPid} acquired AccessExclusiveLock on relation 24631 of database 5 after 1034.212 ms`,
    query: INCIDENT.job,
  },
  { ...CRON, command: 'SELECT', message: `duration: 150318.447 ms  statement: ${INCIDENT.job}` },
];

/** What everybody else gets meanwhile. */
export const INCIDENT_WAITS: Weighted<PostgresMessage> = [
  [
    {
      ...API,
      ...LOG,
      command: 'SELECT waiting',
      message:
        'process {pid} still waiting for AccessShareLock on relation 24631 of database 5 after 1000.118 ms',
      detail: `Process holding the lock: ${INCIDENT.jobPid}. Wait queue: {pid}, {other}.`,
      query: `SELECT "public"."${INCIDENT.table}".* FROM "public"."${INCIDENT.table}" WHERE "status" = $1`,
    },
    6,
  ],
  [
    {
      ...CANCELED,
      state: '55P03',
      message: 'canceling statement due to lock timeout',
      query: `UPDATE "public"."${INCIDENT.table}" SET "status" = $1 WHERE "id" = $2`,
      command: 'UPDATE',
    },
    2,
  ],
  [
    {
      ...API,
      severity: 'FATAL',
      state: '53300',
      command: 'startup',
      message: 'remaining connection slots are reserved for roles with the SUPERUSER attribute',
    },
    2,
  ],
];
