import { escapeUnprintable } from '../../shared/runtime/printable.ts';
import { isoTime } from '../../shared/time/iso-timestamp.ts';
import type { WarmingJob } from '../../shared/warming/scheduler/warming-jobs.ts';
import { formatTable } from '../terminal/format-table.ts';

/** An endpoint with the job that keeps its results warm. */
export interface EndpointJob {
  readonly endpoint: string;
  readonly job: WarmingJob;
}

/** A line a job. */
export function jobsTable(jobs: readonly EndpointJob[]): string {
  const rows = jobs.map(({ endpoint, job }) => [
    endpoint,
    job.state,
    `${job.schedule} ${job.timeZone}`.trim(),
    timeText(job.lastAttemptMs),
    outcome(job),
    timeText(job.nextRunMs),
  ]);
  return formatTable(['ENDPOINT', 'STATE', 'SCHEDULE', 'LAST CALL', 'OUTCOME', 'NEXT CALL'], rows);
}

/** Everything that is known of the jobs, times in ISO 8601. */
export function jobsJson(jobs: readonly EndpointJob[]): string {
  const records = jobs.map(({ endpoint, job }) => ({
    endpoint,
    job: job.name,
    state: job.state,
    schedule: job.schedule,
    timeZone: job.timeZone,
    lastAttemptAt: isoTime(job.lastAttemptMs),
    lastFailure: job.lastFailure,
    nextRunAt: isoTime(job.nextRunMs),
  }));
  return `${JSON.stringify(records, null, 2)}\n`;
}

/** How the last call ended, in few words: `ok`, `failed: 7 …`, `none`. */
function outcome({ lastAttemptMs, lastFailure }: WarmingJob): string {
  if (lastFailure !== null) {
    const { code, message } = lastFailure;
    return escapeUnprintable(`failed: ${`${code} ${message}`.trim().slice(0, 200)}`);
  }
  return lastAttemptMs === null ? 'none' : 'ok';
}

function timeText(ms: number | null): string {
  return isoTime(ms) ?? 'never';
}
