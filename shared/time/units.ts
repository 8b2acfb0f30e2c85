export const MICROS_PER_MS = 1_000n;
export const MICROS_PER_SECOND = 1_000n * MICROS_PER_MS;
export const MICROS_PER_MINUTE = 60n * MICROS_PER_SECOND;
export const MICROS_PER_HOUR = 60n * MICROS_PER_MINUTE;
export const MICROS_PER_DAY = 24n * MICROS_PER_HOUR;

/** The spans that settings cut time into, in UTC. */
export const SPAN_MICROS = { hour: MICROS_PER_HOUR, day: MICROS_PER_DAY } as const;
/** A length of time into which a setting cuts logs or results. */
export type TimeSpan = keyof typeof SPAN_MICROS;

/** The range of a GoogleSQL TIMESTAMP, 0001-01-01T00:00:00Z to 9999-12-31T23:59:59.999999Z, in microseconds since the epoch. */
export const MIN_TIMESTAMP_MICROS = -719_162n * MICROS_PER_DAY;
export const MAX_TIMESTAMP_MICROS = 2_932_897n * MICROS_PER_DAY - 1n;

/** Whether a number of microseconds since the epoch is a GoogleSQL TIMESTAMP. */
export function isTimestamp(micros: bigint): boolean {
  return micros >= MIN_TIMESTAMP_MICROS && micros <= MAX_TIMESTAMP_MICROS;
}

/** The greatest multiple of `step` that is not above `micros`, before the epoch too. */
export function floorTo(micros: bigint, step: bigint): bigint {
  const rest = micros % step;
  return micros - (rest < 0n ? rest + step : rest);
}
