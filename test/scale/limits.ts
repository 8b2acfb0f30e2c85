import type { Deployment } from '../../cli/cost/deployment.ts';

/** Where a number is from. */
export type Source = 'Terraform' | 'the code' | 'documentation' | 'assumed';

/** A limit of the simulation. */
export interface Limit {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly source: Source;
  /** What moves it. */
  readonly setting: string;
}

/** Most sets of a round (shared/warming/warmer.ts). */
export const MAX_SETS_OF_A_ROUND = 1000;

/** The limits that the simulation knows, by name. */
export type LimitName =
  | 'address'
  | 'tokenTurns'
  | 'logsInstances'
  | 'countsInstances'
  | 'consumerCap'
  | 'apiRequests'
  | 'runningQueries'
  | 'queuedQueries'
  | 'slots'
  | 'queryTime'
  | 'firestoreRamp'
  | 'documentWrites'
  | 'warmSets'
  | 'warmTime'
  | 'warmBytes';

/** All limits: Terraform's from its files, Google's as they were documented in 2026. */
export function limitsOf(
  deployment: Deployment,
  consumerMaxBytes: number,
): Readonly<Record<LimitName, Limit>> {
  const { maxInstances, warmConcurrency, warmDeadlineSeconds, warmMaxBytes, rateLimitPerMinute } = deployment;
  const instances = (what: string): Limit => ({
    what: `instances of ${what}`,
    value: maxInstances,
    unit: 'instances',
    source: 'Terraform',
    setting: "`function.max_instances`, `function.concurrency`; then the region's CPU quota",
  });
  return {
    address: {
      what: 'requests of the busiest address, by Cloud Armor',
      value: rateLimitPerMinute,
      unit: 'a minute',
      source: 'Terraform',
      setting: '`rate_limit_per_minute`',
    },
    tokenTurns: {
      what: "one token's `sql` and `lql`, running and waiting",
      value: deployment.consumerRunning + deployment.consumerWaiting,
      unit: 'in an instance',
      source: 'Terraform',
      setting: '`consumer_queries.running`, `consumer_queries.waiting`',
    },
    logsInstances: instances('logs-all'),
    countsInstances: instances('usage-api-counts'),
    consumerCap: {
      what: 'estimate of an hour in `sql` and `lql`',
      value: consumerMaxBytes,
      unit: 'bytes',
      source: 'Terraform',
      setting: '`consumer_queries.max_bytes_billed`; fewer columns need less',
    },
    apiRequests: {
      what: 'calls of one BigQuery method by one account',
      value: 100,
      unit: 'a second',
      source: 'documentation',
      setting: 'a quota increase; `cacheTtlSeconds` of logs.all asks less',
    },
    runningQueries: {
      what: 'queries that run on BigQuery',
      value: 100,
      unit: 'queries',
      source: 'documentation',
      setting: 'a reservation with more slots; `cacheTtlSeconds` of logs.all asks less',
    },
    queuedQueries: {
      what: 'queries that wait on BigQuery',
      value: 1000,
      unit: 'queries',
      source: 'documentation',
      setting: 'none: it is fixed; what keeps queries from waiting moves it',
    },
    slots: {
      what: 'slots of the project',
      value: 2000,
      unit: 'slots',
      source: 'documentation',
      setting: 'a reservation with more slots',
    },
    queryTime: {
      what: "time of a cold set's query",
      value: deployment.deadlineSeconds,
      unit: 'seconds',
      source: 'Terraform',
      setting: '`function.timeout_seconds`, `storedMaxBytesBilled`; warming keeps sets from being cold',
    },
    firestoreRamp: {
      what: 'Firestore operations of a new database',
      value: 500,
      unit: 'a second, half as many more every 5 minutes',
      source: 'documentation',
      setting: 'none: let calls begin slowly; memory of the instances (`function.memory_mib`) asks less',
    },
    documentWrites: {
      what: "writes of one set's demand note",
      value: 1,
      unit: 'a second',
      source: 'documentation',
      setting: '`function.max_instances`: each instance writes once a minute',
    },
    warmSets: {
      what: 'sets of a round of warming',
      value: MAX_SETS_OF_A_ROUND,
      unit: 'sets',
      source: 'the code',
      setting: 'none: those asked for least go cold',
    },
    warmTime: {
      what: 'time of a round of warming',
      value: warmDeadlineSeconds * warmConcurrency,
      unit: 'seconds of queries',
      source: 'Terraform',
      setting: '`LQE_WARM_CONCURRENCY`, `LQE_WARM_DEADLINE`',
    },
    warmBytes: {
      what: 'bytes of a round of warming',
      value: warmMaxBytes,
      unit: 'bytes',
      source: 'Terraform',
      setting: '`LQE_WARM_MAX_BYTES`',
    },
  };
}
