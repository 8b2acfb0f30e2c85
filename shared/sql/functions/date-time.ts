import { type Entries, type FunctionEntry, raising, sameFor, scalar } from './entry.ts';

type Family = 'DATE' | 'DATETIME' | 'TIMESTAMP';

const FAMILIES: readonly Family[] = ['DATE', 'DATETIME', 'TIMESTAMP'];

/** DATE_ADD takes DATETIME and TIMESTAMP as well, and so on; a function's own type is tried first. */
function ownFirst(own: Family, signature: (type: Family) => string): string[] {
  return [
    own,
    ...FAMILIES.filter((type) => type !== own && type !== 'DATE'),
    ...(own === 'DATE' ? [] : ['DATE' as const]),
  ].map(signature);
}

const set = (type: string, kind: string): string => `${type.toLowerCase()}_${kind}`;
const zone = (type: Family): string => (type === 'TIMESTAMP' ? '[, STRING]' : '');

/** The same without DATE in the functions of other types: a DATE there becomes a DATETIME. */
function withoutDates(own: Family, signature: (type: Family) => string): string[] {
  return ownFirst(own, signature).slice(0, own === 'DATE' ? 3 : -1);
}

/** What moving or truncating a value answers: a DATE stays one in the functions of dates only. */
const movedType = (own: Family, type: Family): Family =>
  own !== 'DATE' && type === 'DATE' ? 'DATETIME' : type;

/** What a format may name is not all computed everywhere. */
const format = (description: string, ...signatures: readonly string[]): FunctionEntry => ({
  ...scalar(description, ...signatures),
  isSafeByItself: true,
});

/** What DATE, DATETIME and TIMESTAMP have alike. */
const ofFamily = (own: Family): Entries => ({
  [`${own}_ADD`]: scalar(
    `Adds an interval to a ${own}.`,
    ...ownFirst(own, (type) => `(${type}, interval:${set(type, 'step')}) -> ${movedType(own, type)}`),
  ),
  [`${own}_SUB`]: scalar(
    `Subtracts an interval from a ${own}.`,
    ...ownFirst(own, (type) => `(${type}, interval:${set(type, 'step')}) -> ${movedType(own, type)}`),
  ),
  [`${own}_DIFF`]: scalar(
    `The bounds of a part between two ${own} values, the first minus the second.`,
    ...withoutDates(own, (type) => {
      const parts = type === 'TIMESTAMP' ? 'timestamp_step' : set(type, 'bound');
      return `(${type}, ${type}, part:${parts}) -> INT64`;
    }),
  ),
  [`${own}_TRUNC`]: scalar(
    `The beginning of the part that a ${own} is in.`,
    ...ownFirst(own, (type) => {
      const parts = type === 'DATE' ? 'date_bound' : 'datetime_bound';
      return `(${type}, part:${parts}${zone(type)}) -> ${movedType(own, type)}`;
    }),
  ),
  [`FORMAT_${own}`]: format(
    `A ${own} as text, after a format such as %Y-%m-%d.`,
    ...withoutDates(own, (type) => `(STRING, ${type}${zone(type)}) -> STRING`),
  ),
  [`${own}_BUCKET`]: scalar(
    `The beginning of the bucket that a ${own} is in.`,
    `(${own}, interval:${set(own, 'step')}[, ${own}]) -> ${own}`,
    `(${own}, INTERVAL[, ${own}]) -> ${own}`,
  ),
});

const clock = (description: string, signature: string): FunctionEntry => ({
  ...scalar(description, signature),
  readsClock: true,
});

const EPOCH: Readonly<Record<string, string>> = {
  SECONDS: 'seconds',
  MILLIS: 'milliseconds',
  MICROS: 'microseconds',
};

const ofEpoch = (unit: string, words: string): Entries => ({
  [`UNIX_${unit}`]: scalar(`The ${words} since 1970-01-01 00:00:00 UTC.`, '(TIMESTAMP) -> INT64'),
  [`TIMESTAMP_${unit}`]: scalar(`The instant so many ${words} after 1970-01-01 UTC.`, '(INT64) -> TIMESTAMP'),
  [`TIMESTAMP_FROM_UNIX_${unit}`]: scalar(
    `The instant so many ${words} after 1970-01-01 UTC.`,
    '(INT64) -> TIMESTAMP',
    '(TIMESTAMP) -> TIMESTAMP',
  ),
});

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/timestamp_functions and its siblings. */
export const DATE_TIME_FUNCTIONS: Entries = {
  ...ofFamily('DATE'),
  ...ofFamily('DATETIME'),
  ...ofFamily('TIMESTAMP'),
  TIME_ADD: scalar('Adds an interval to a TIME.', '(TIME, interval:time) -> TIME'),
  TIME_SUB: scalar('Subtracts an interval from a TIME.', '(TIME, interval:time) -> TIME'),
  TIME_DIFF: scalar('The bounds of a part between two TIME values.', '(TIME, TIME, part:time) -> INT64'),
  TIME_TRUNC: scalar('The beginning of the part that a TIME is in.', '(TIME, part:time) -> TIME'),
  FORMAT_TIME: format('A TIME as text, after a format such as %H:%M.', '(STRING, TIME) -> STRING'),
  CURRENT_DATE: clock('The date of the present.', '([STRING]) -> DATE'),
  CURRENT_DATETIME: clock('The date and time of the present.', '([STRING]) -> DATETIME'),
  CURRENT_TIME: clock('The time of day of the present.', '([STRING]) -> TIME'),
  CURRENT_TIMESTAMP: clock('The present instant.', '() -> TIMESTAMP'),
  DATE: scalar(
    'A DATE of an instant in a zone, of a DATETIME, of the text of an instant, or of year, month and day.',
    '(TIMESTAMP[, STRING]) -> DATE',
    '(DATETIME) -> DATE',
    '(DATE) -> DATE',
    '(STRING*) -> DATE',
    '(INT64, INT64, INT64) -> DATE',
  ),
  DATETIME: scalar(
    'A DATETIME of an instant in a zone, of a date and a time, of its text, or of its six parts.',
    '(TIMESTAMP[, STRING]) -> DATETIME',
    '(DATETIME) -> DATETIME',
    '(DATE[, TIME]) -> DATETIME',
    '(STRING) -> DATETIME',
    '(INT64, INT64, INT64, INT64, INT64, INT64) -> DATETIME',
  ),
  TIME: scalar(
    'A TIME of an instant in a zone, of a DATETIME, or of hour, minute and second.',
    '(TIMESTAMP[, STRING]) -> TIME',
    '(DATETIME) -> TIME',
    '(TIME) -> TIME',
    '(INT64, INT64, INT64) -> TIME',
  ),
  TIMESTAMP: scalar(
    'The instant of a text, or of a date or DATETIME in a zone.',
    '(STRING[, STRING]) -> TIMESTAMP',
    '(DATE[, STRING]) -> TIMESTAMP',
    '(DATETIME[, STRING]) -> TIMESTAMP',
    '(TIMESTAMP) -> TIMESTAMP',
  ),
  STRING: scalar(
    'A date or time as text, or a JSON string.',
    '(TIMESTAMP[, STRING]) -> STRING',
    '(DATE) -> STRING',
    '(DATETIME) -> STRING',
    '(TIME) -> STRING',
    '(JSON) -> STRING',
  ),
  LAST_DAY: scalar(
    'The last day of the part that a date is in, of its month if none is given.',
    '(DATE[, part:last_day]) -> DATE',
    '(DATETIME[, part:last_day]) -> DATE',
  ),
  PARSE_DATE: format('The DATE of a text, after a format.', '(STRING, STRING) -> DATE'),
  PARSE_DATETIME: format('The DATETIME of a text, after a format.', '(STRING, STRING) -> DATETIME'),
  PARSE_TIME: format('The TIME of a text, after a format.', '(STRING, STRING) -> TIME'),
  PARSE_TIMESTAMP: format(
    'The instant of a text, after a format, in a zone.',
    '(STRING, STRING[, STRING]) -> TIMESTAMP',
  ),
  MAKE_INTERVAL: raising(
    'An INTERVAL of its parts, by place or by name.',
    `([${['year', 'month', 'day', 'hour', 'minute', 'second'].map((part) => `${part}? => INT64 = 0`).join(', ')}]) -> INTERVAL`,
  ),
  ...sameFor(['JUSTIFY_DAYS', 'JUSTIFY_HOURS', 'JUSTIFY_INTERVAL'], () =>
    scalar('An INTERVAL whose smaller parts are carried into larger ones.', '(INTERVAL) -> INTERVAL'),
  ),
  UNIX_DATE: scalar('The days since 1970-01-01.', '(DATE) -> INT64'),
  DATE_FROM_UNIX_DATE: scalar('The date so many days after 1970-01-01.', '(INT64) -> DATE'),
  ...Object.assign({}, ...Object.entries(EPOCH).map(([unit, words]) => ofEpoch(unit, words))),
};
