/**
 * The story in the demo logs: at minute 20 of every hour a cron job of project `demo` locks the table `orders`
 * for three minutes. Requests pile up behind the lock: statement timeouts, a full pool, 503 and 504.
 */
export const INCIDENT = {
  project: 'demo',
  table: 'orders',
  path: '/rest/v1/orders',
  firstMinute: 20,
  minutes: 3,
  jobId: 7,
  jobPid: 2211,
  job: 'select reports.rebuild_order_totals()',
} as const;

/** Whether the project suffers from the incident in this second. */
export function isIncident(project: string, second: number): boolean {
  return project === INCIDENT.project && minuteOfIncident(second) !== null;
}

/** 0 for the incident's first minute; null outside it. */
export function minuteOfIncident(second: number): number | null {
  const minute = Math.floor(second / 60) - 60 * Math.floor(second / 3600) - INCIDENT.firstMinute;
  return minute >= 0 && minute < INCIDENT.minutes ? minute : null;
}
