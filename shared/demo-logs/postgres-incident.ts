import { INCIDENT } from './incident.ts';
import { API, CANCELED, LOG, type PostgresMessage } from './postgres-message.ts';
import type { Weighted } from './random.ts';

const CRON = {
  ...LOG,
  backend: 'client backend',
  user: 'postgres',
  application: 'pg_cron',
  pid: INCIDENT.jobPid,
} as const;
const JOB = `cron job ${INCIDENT.jobId}`;

/** What the job that takes the lock logs: in which minute of the incident, and how far into it. */
export const INCIDENT_STEPS: readonly { minute: number; afterMs: number; message: PostgresMessage }[] = [
  { minute: 0, afterMs: 31.204, message: { ...CRON, message: `${JOB} starting: ${INCIDENT.job}` } },
  {
    minute: 0,
    afterMs: 1066.871,
    message: {
      ...CRON,
      command: 'SELECT',
      message: `process ${INCIDENT.jobPid} acquired AccessExclusiveLock on relation 24631 of database 5 after 1034.212 ms`,
      query: INCIDENT.job,
    },
  },
  {
    minute: 2,
    afterMs: 59_512.66,
    message: { ...CRON, command: 'SELECT', message: `duration: 179480.118 ms  statement: ${INCIDENT.job}` },
  },
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
