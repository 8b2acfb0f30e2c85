/** The instant that the made entries end at; benchmarks set the service's clock to it. */
export const MADE_NOW_MICROS = BigInt(Date.UTC(2026, 0, 8)) * 1000n;

/** The made entries fill the week that usage.api-counts looks at with the interval `daily`. */
const SPAN_MICROS = 7n * 86_400_000_000n;

/** Two projects, the first with three of five entries. */
export const PROJECTS = ['abcdefghijklmnopqrst', 'tsrqponmlkjihgfedcba'] as const;

/** The instant of entry `i` of `count`: ascending, irregular, inside the week. */
export function madeTime(count: number): string {
  const step = SPAN_MICROS / BigInt(count);
  const first = MADE_NOW_MICROS - SPAN_MICROS + 1n;
  return `make_timestamp(${first} + i * ${step} + CAST(hash(i, 1) % ${step} AS BIGINT))`;
}

/** The project of entry `i`. */
export const MADE_PROJECT = `CASE WHEN hash(i, 2) % 5 < 3 THEN '${PROJECTS[0]}' ELSE '${PROJECTS[1]}' END`;
