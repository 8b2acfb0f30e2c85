/** What the schedule says of the job that keeps one endpoint's results warm. */
export interface WarmingJob {
  /** `projects/<project>/locations/<region>/jobs/<job>`. */
  readonly name: string;
  /** `disabled` and `update_failed` are the platform's own doing; `unknown` is a state that this version does not know. */
  readonly state: 'enabled' | 'paused' | 'disabled' | 'update_failed' | 'unknown';
  /** In cron's format. */
  readonly schedule: string;
  readonly timeZone: string;
  /** Milliseconds since the epoch, as the other times; null before the first attempt. */
  readonly lastAttemptMs: number | null;
  /** How the last attempt failed; null where it succeeded, is under way, or there was none. */
  readonly lastFailure: { readonly code: number; readonly message: string } | null;
  /** Null while the job is paused. */
  readonly nextRunMs: number | null;
}

/**
 * The jobs that call the function `warm`, by the name of their endpoint. Any method throws a ServiceError whose
 * message is for the operator: not_found where the endpoint has no job, permission_denied, else unavailable.
 */
export interface WarmingJobs {
  get(endpoint: string): Promise<WarmingJob>;
  /** Makes the job call now, whatever its schedule; it answers before the call is done. */
  run(endpoint: string): Promise<WarmingJob>;
  pause(endpoint: string): Promise<WarmingJob>;
  resume(endpoint: string): Promise<WarmingJob>;
  /** Frees the connection. Never throws. */
  close(): Promise<void>;
}
