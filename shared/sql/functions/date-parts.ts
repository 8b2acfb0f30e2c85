const TIME = ['MICROSECOND', 'MILLISECOND', 'SECOND', 'MINUTE', 'HOUR'] as const;
const DATE_STEPS = ['DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'] as const;
const DATE_BOUNDS = ['DAY', 'WEEK', 'ISOWEEK', 'MONTH', 'QUARTER', 'YEAR', 'ISOYEAR'] as const;
const DATE_FIELDS = ['DAYOFWEEK', 'DAYOFYEAR', ...DATE_BOUNDS] as const;

/** The keywords that a family of signatures accepts, by the name that signature lines use for the set. */
export const PART_SETS: Readonly<Record<string, readonly string[]>> = {
  /** Steps of a DATE, of a DATETIME, of a TIMESTAMP. */
  date_step: DATE_STEPS,
  datetime_step: [...TIME, ...DATE_STEPS],
  timestamp_step: [...TIME, 'DAY'],
  /** Units whose beginnings TRUNC goes back to and DIFF counts. */
  date_bound: DATE_BOUNDS,
  datetime_bound: [...TIME, ...DATE_BOUNDS],
  last_day: DATE_BOUNDS.slice(1),
  /** What EXTRACT reads. */
  date_field: DATE_FIELDS,
  datetime_field: [...TIME, ...DATE_FIELDS],
  interval_field: [...TIME, 'DAY', 'MONTH', 'YEAR'],
  time: TIME,
  normal_form: ['NFC', 'NFKC', 'NFD', 'NFKD'],
};

/** What may stand in WEEK(…). */
export const WEEKDAYS: readonly string[] = [
  'SUNDAY',
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
];
