type Family = 'DATE' | 'DATETIME' | 'TIMESTAMP';

const FAMILIES: readonly Family[] = ['DATE', 'DATETIME', 'TIMESTAMP'];

/** DATE_ADD takes DATETIME and TIMESTAMP as well, and so on; a function's own type is tried first. */
function ownFirst(own: Family, line: (type: Family) => string): string[] {
  return [own, ...FAMILIES.filter((type) => type !== own)].map(line);
}

const set = (type: string, kind: string): string => `${type.toLowerCase()}_${kind}`;
const zone = (type: Family): string => (type === 'TIMESTAMP' ? '[, STRING]' : '');

const SHIFT = FAMILIES.flatMap((own) =>
  ['ADD', 'SUB'].flatMap((verb) =>
    ownFirst(own, (type) => `${own}_${verb}(${type}, interval:${set(type, 'step')}) -> ${type}`),
  ),
);
const DIFFERENCE = FAMILIES.flatMap((own) =>
  ownFirst(own, (type) => {
    const parts = type === 'TIMESTAMP' ? 'timestamp_step' : set(type, 'bound');
    return `${own}_DIFF(${type}, ${type}, part:${parts}) -> INT64`;
  }),
);
const TRUNCATE = FAMILIES.flatMap((own) =>
  ownFirst(own, (type) => {
    const parts = type === 'DATE' ? 'date_bound' : 'datetime_bound';
    return `${own}_TRUNC(${type}, part:${parts}${zone(type)}) -> ${type}`;
  }),
);
const FORMAT = FAMILIES.flatMap((own) =>
  ownFirst(own, (type) => `FORMAT_${own}(STRING, ${type}${zone(type)}) -> STRING`),
);
const BUCKET = FAMILIES.map(
  (type) => `${type}_BUCKET(${type}, interval:${set(type, 'step')}[, ${type}]) -> ${type}`,
);

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions and its siblings. */
export const DATE_TIME_FUNCTIONS: readonly string[] = [
  ...SHIFT,
  ...DIFFERENCE,
  ...TRUNCATE,
  ...FORMAT,
  ...BUCKET,
  'TIME_ADD(TIME, interval:time) -> TIME',
  'TIME_SUB(TIME, interval:time) -> TIME',
  'TIME_DIFF(TIME, TIME, part:time) -> INT64',
  'TIME_TRUNC(TIME, part:time) -> TIME',
  'FORMAT_TIME(STRING, TIME) -> STRING',
  'CURRENT_DATE([STRING]) -> DATE',
  'CURRENT_DATETIME([STRING]) -> DATETIME',
  'CURRENT_TIME([STRING]) -> TIME',
  'CURRENT_TIMESTAMP() -> TIMESTAMP',
  'DATE(TIMESTAMP[, STRING]) -> DATE',
  'DATE(DATETIME) -> DATE',
  'DATE(DATE) -> DATE',
  'DATE(INT64, INT64, INT64) -> DATE',
  'DATETIME(TIMESTAMP[, STRING]) -> DATETIME',
  'DATETIME(DATETIME) -> DATETIME',
  'DATETIME(DATE[, TIME]) -> DATETIME',
  'DATETIME(INT64, INT64, INT64, INT64, INT64, INT64) -> DATETIME',
  'TIME(TIMESTAMP[, STRING]) -> TIME',
  'TIME(DATETIME) -> TIME',
  'TIME(TIME) -> TIME',
  'TIME(INT64, INT64, INT64) -> TIME',
  'TIMESTAMP(STRING[, STRING]) -> TIMESTAMP',
  'TIMESTAMP(DATE[, STRING]) -> TIMESTAMP',
  'TIMESTAMP(DATETIME[, STRING]) -> TIMESTAMP',
  'TIMESTAMP(TIMESTAMP) -> TIMESTAMP',
  'STRING(TIMESTAMP[, STRING]) -> STRING',
  'STRING(DATE) -> STRING',
  'STRING(DATETIME) -> STRING',
  'STRING(TIME) -> STRING',
  'LAST_DAY(DATE[, part:last_day]) -> DATE',
  'LAST_DAY(DATETIME[, part:last_day]) -> DATE',
  'PARSE_DATE(STRING, STRING) -> DATE',
  'PARSE_DATETIME(STRING, STRING) -> DATETIME',
  'PARSE_TIME(STRING, STRING) -> TIME',
  'PARSE_TIMESTAMP(STRING, STRING[, STRING]) -> TIMESTAMP',
  'MAKE_INTERVAL(INT64, INT64, INT64, INT64, INT64, INT64) -> INTERVAL',
  ...['DAYS', 'HOURS', 'INTERVAL'].map((unit) => `JUSTIFY_${unit}(INTERVAL) -> INTERVAL`),
  'UNIX_DATE(DATE) -> INT64',
  'DATE_FROM_UNIX_DATE(INT64) -> DATE',
  ...['SECONDS', 'MILLIS', 'MICROS'].flatMap((unit) => [
    `UNIX_${unit}(TIMESTAMP) -> INT64`,
    `TIMESTAMP_${unit}(INT64) -> TIMESTAMP`,
    `TIMESTAMP_FROM_UNIX_${unit}(INT64) -> TIMESTAMP`,
    `TIMESTAMP_FROM_UNIX_${unit}(TIMESTAMP) -> TIMESTAMP`,
  ]),
];
