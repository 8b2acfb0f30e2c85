/** Severities from the least to the most: what a level range runs through. */
export const LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
/** A severity that a level range of LQL may begin or end with. */
export type Level = (typeof LEVELS)[number];

/** The aggregates of a chart by the functions of GoogleSQL that they are. */
export const AGGREGATES = {
  count: { function: 'COUNT' },
  countd: { function: 'COUNT', distinct: true },
  avg: { function: 'AVG' },
  sum: { function: 'SUM' },
  max: { function: 'MAX' },
  p50: { function: 'APPROX_QUANTILES', percentile: 50 },
  p95: { function: 'APPROX_QUANTILES', percentile: 95 },
  p99: { function: 'APPROX_QUANTILES', percentile: 99 },
} as const satisfies Record<string, Aggregate>;
/** An aggregate of a chart, as LQL spells it. */
export type AggregateName = keyof typeof AGGREGATES;
export const AGGREGATE_NAMES = Object.keys(AGGREGATES) as readonly AggregateName[];

/** The GoogleSQL call of a chart's aggregate; `percentile`, from 0 to 100, is set where it is one. */
export interface Aggregate {
  readonly function: string;
  readonly distinct?: true;
  readonly percentile?: number;
}

/** The buckets of a chart by their spellings. */
export const PERIODS = {
  second: 'second',
  s: 'second',
  minute: 'minute',
  m: 'minute',
  hour: 'hour',
  h: 'hour',
  day: 'day',
  d: 'day',
} as const;
/** The length of one bucket of a chart. */
export type Period = (typeof PERIODS)[keyof typeof PERIODS];

/** The units of `this@` and `last@` by their spellings. */
export const UNITS = {
  second: 'second',
  seconds: 'second',
  s: 'second',
  minute: 'minute',
  minutes: 'minute',
  m: 'minute',
  hour: 'hour',
  hours: 'hour',
  h: 'hour',
  day: 'day',
  days: 'day',
  d: 'day',
  week: 'week',
  weeks: 'week',
  w: 'week',
  month: 'month',
  months: 'month',
  mm: 'month',
  year: 'year',
  years: 'year',
  y: 'year',
} as const;
/** A unit of time in `this@` and `last@`. */
export type Unit = (typeof UNITS)[keyof typeof UNITS];

/** The value of a table under one of its own keys; undefined for any other text. */
export function lookUp<Table extends object>(table: Table, key: string): Table[keyof Table] | undefined {
  return Object.hasOwn(table, key) ? table[key as keyof Table] : undefined;
}

/** The member of a list of words that equals a text; undefined where none does. */
export function memberOf<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  return words.find((word) => word === text);
}
