/** A volume that is a number. */
interface VolumeNumber {
  readonly flag: `--${string}`;
  readonly value: string;
  readonly min: number;
  readonly max: number;
  /** What counts where it is not given; a name is what Terraform deploys. */
  readonly fallback: number | 'retentionDays' | 'minInstances' | 'memoryMib';
  readonly help: string;
}

/** The volumes of `lqe cost` that are numbers, by name. The defaults are the size that the docs speak of. */
export const VOLUME_NUMBERS = {
  tibPerMonth: {
    flag: '--tib-per-month',
    value: 'TIB',
    min: 0,
    max: 1_000_000,
    fallback: 0.34,
    help: 'Logs that are written in a month, in TiB; 0.34 is 1 TiB in 90 days',
  },
  retentionDays: {
    flag: '--retention-days',
    value: 'DAYS',
    min: 1,
    max: 3650,
    fallback: 'retentionDays',
    help: 'Days that logs are kept',
  },
  projects: {
    flag: '--projects',
    value: 'N',
    min: 1,
    max: 10_000_000,
    fallback: 100,
    help: 'Number of projects in the logs, all of the same size',
  },
  blockMib: {
    flag: '--block-mib',
    value: 'MIB',
    min: 0,
    max: 1_000_000,
    fallback: 64,
    help: 'MiB of each partition below which clustering by project saves nothing, as BigQuery documents',
  },
  windowHours: {
    flag: '--window-hours',
    value: 'HOURS',
    min: 0.01,
    max: 87_600,
    fallback: 1,
    help: 'Hours between the time bounds of a call, for endpoints that take bounds',
  },
  missPercent: {
    flag: '--misses',
    value: 'PERCENT',
    min: 0,
    max: 100,
    fallback: 0.1,
    help: 'Share of the calls of cached endpoints that find no cached answer, in percent',
  },
  consumerCalls: {
    flag: '--consumer-calls',
    value: 'N',
    min: 0,
    max: 1e12,
    fallback: 100_000,
    help: 'Queries in sql and lql in a month, over all columns of one source',
  },
  warmHours: {
    flag: '--warm-hours',
    value: 'HOURS',
    min: 0,
    max: 730,
    fallback: 730,
    help: 'Hours of the month in which the sets are asked for',
  },
  tokens: {
    flag: '--tokens',
    value: 'N',
    min: 1,
    max: 10_000_000,
    fallback: 100,
    help: 'Access tokens that call',
  },
  callSeconds: {
    flag: '--call-seconds',
    value: 'SECONDS',
    min: 0.001,
    max: 3600,
    fallback: 0.3,
    help: 'How long a call takes',
  },
  atOnce: {
    flag: '--at-once',
    value: 'N',
    min: 1,
    max: 1000,
    fallback: 10,
    help: 'Calls that share an instance at the same time',
  },
  answerKib: {
    flag: '--answer-kib',
    value: 'KIB',
    min: 0,
    max: 1_000_000,
    fallback: 20,
    help: 'Size of an answer as it is sent',
  },
  logKib: {
    flag: '--log-kib',
    value: 'KIB',
    min: 0,
    max: 1000,
    fallback: 1,
    help: "Size of a call's line in the service's log",
  },
  minInstances: {
    flag: '--min-instances',
    value: 'N',
    min: 0,
    max: 1000,
    fallback: 'minInstances',
    help: 'Instances of each function that are kept running',
  },
  memoryMib: {
    flag: '--memory-mib',
    value: 'MIB',
    min: 256,
    max: 4096,
    fallback: 'memoryMib',
    help: "Memory of a function's instance",
  },
} as const satisfies Record<string, VolumeNumber>;

/** A quantity of `lqe cost` that an option sets. */
export type VolumeName = keyof typeof VOLUME_NUMBERS;
