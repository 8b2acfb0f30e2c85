import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { STRING } from '../../../../sql/types/sql-type.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  direct,
  type Emission,
  type Emitter,
  type Emitters,
  literalValue,
} from './emitter.ts';
import { bind, raiseText, unfolded } from './fragments.ts';
import { joinedText } from './joined-text.ts';
import { MAX_ELEMENTS, MAX_FOLDED_SIZE, MAX_JOINED_BYTES } from './sizes.ts';

/** NULL if any of the arrays is NULL, where DuckDB leaves it out. */
const concatenate: Emitter = ({ sql, type }) => {
  if (sql.length === 1) return sql[0] ?? '';
  return bind(sql, (...lists) => {
    const isNull = lists.map((list) => `${list} IS NULL`).join(' OR ');
    const size = lists.map((list) => `len(${list})`).join(' + ');
    const long = raiseText(`An array that is put together has at most ${MAX_ELEMENTS} elements`, type);
    const joined = `list_concat(${lists.join(', ')})`;
    return `CASE WHEN ${isNull} THEN NULL WHEN ${size} > ${MAX_ELEMENTS} THEN ${long} ELSE ${joined} END`;
  });
};

/** `a || b` of text, bytes or arrays. */
const concatOperator: Emitter = (emission) => {
  if (emission.type.kind === 'ARRAY') return concatenate(emission);
  const parts = emission.sql.map((sql, index) => ({ sql, source: emission.arguments[index] ?? null }));
  return joinedText(parts, emission.type, '||');
};

const end =
  (index: '1' | '-1'): Emitter =>
  (emission) =>
    bind([argument(emission, 0)], (list) => {
      const which = index === '1' ? 'first' : 'last';
      const error = raiseText(
        `${emission.name} cannot get the ${which} element of an empty array`,
        emission.type,
      );
      return `CASE WHEN len(${list}) = 0 THEN ${error} ELSE list_extract(${list}, ${index}) END`;
    });

/** Offsets count from 0, negative ones from the end, and both ends belong to the slice. */
const slice: Emitter = (emission) =>
  bind([argument(emission, 0), argument(emission, 1), argument(emission, 2)], (list, from, to) => {
    const start = `CASE WHEN ${from} < 0 THEN greatest(len(${list}) + ${from}, 0) ELSE ${from} END`;
    const stop = `CASE WHEN ${to} < 0 THEN len(${list}) + ${to} ELSE ${to} END`;
    return (
      `CASE WHEN ${list} IS NULL OR ${from} IS NULL OR ${to} IS NULL THEN NULL ` +
      `WHEN ${stop} < ${start} OR ${start} >= len(${list}) THEN ${list}[1:0] ` +
      `ELSE list_slice(${list}, ${start} + 1, least(${stop}, len(${list}) - 1) + 1) END`
    );
  });

/** NULL elements are left out, or stand as the text that the call names for them. */
const join: Emitter = (emission) => {
  if (argumentType(emission, 1).kind === 'BYTES') throw notSupported('ARRAY_TO_STRING of BYTES');
  const nullText = emission.sql[2];
  const list = argument(emission, 0);
  if (nullText === undefined) return joinTexts(list, argument(emission, 1), emission.arguments[1]);
  const elements = bind(
    [list, nullText],
    (all, text) => `list_transform(${all}, lambda e: coalesce(e, ${text}))`,
  );
  return joinTexts(elements, argument(emission, 1), emission.arguments[1]);
};

/** The texts of a list with a separator between them; DuckDB's own function takes only a constant one. */
export function joinTexts(list: string, separator: string, source: ResolvedExpression | undefined): string {
  if (source === undefined || source.kind === 'literal') {
    const joined = (all: string) => `coalesce(array_to_string(${all}, ${separator}), '')`;
    return bind(
      [list],
      (all) => `CASE WHEN ${all} IS NOT NULL AND ${separator} IS NOT NULL THEN ${joined(all)} END`,
    );
  }
  return bind([`list_filter(${list}, lambda e: e IS NOT NULL)`, separator], (all, between) => {
    const parts = `list_transform(${all}, lambda e: ${between} || e)`;
    const joined = `substring(array_to_string(${parts}, ''), length(${between}) + 1)`;
    const long = raiseText(`The separators of one text have at most ${MAX_JOINED_BYTES} bytes`, STRING);
    const isLong = `len(${all})::DOUBLE * strlen(${between}) > ${MAX_JOINED_BYTES}`;
    return `CASE WHEN ${between} IS NULL THEN NULL WHEN len(${all}) = 0 THEN '' WHEN ${isLong} THEN ${long} ELSE ${joined} END`;
  });
}

const series: Emitter = (emission) => {
  const [start, stop] = [argument(emission, 0), argument(emission, 1)];
  const { kind } = argumentType(emission, 0);
  if (kind !== 'INT64' && kind !== 'FLOAT64') throw notSupported(`GENERATE_ARRAY of ${kind}`);
  const step = emission.sql[2] ?? (kind === 'INT64' ? '1::BIGINT' : '1::DOUBLE');
  const isSmall = emission.safe || hasFewElements(emission);
  return bind([start, stop, step], (from, to, by) => {
    const end = isSmall ? to : unfolded(to);
    const zero = raiseText('Sequence step cannot be 0.', emission.type);
    const long = raiseText(LONG_SERIES, emission.type);
    const steps = kind === 'INT64' ? `(${to}::HUGEINT - ${from}) // ${by}` : `(${to} - ${from}) / ${by}`;
    const count = `CAST(floor(${steps}) AS BIGINT)`;
    const values =
      kind === 'INT64'
        ? `generate_series(${from}, ${end}, ${by})`
        : `list_transform(CASE WHEN ${steps} < 0 THEN [] ELSE generate_series(0, ${isSmall ? count : unfolded(count)}) END, lambda i: ${from} + i * ${by})`;
    return (
      `CASE WHEN ${from} IS NULL OR ${to} IS NULL OR ${by} IS NULL THEN NULL WHEN ${by} = 0 THEN ${zero} ` +
      `WHEN ${steps} >= ${MAX_ELEMENTS} THEN ${long} ELSE ${values} END`
    );
  });
};

/** What a series that would be longer is refused with. */
export const LONG_SERIES = `Generated arrays have at most ${MAX_ELEMENTS} elements`;

/** Whether a series is known to be short enough for a constant. */
function hasFewElements(emission: Emission): boolean {
  const [from, to, by] = [0, 1, 2].map((index) => literalValue(emission, index));
  const step = emission.sql[2] === undefined ? 1 : by;
  if ([from, to, step].some((value) => typeof value !== 'bigint' && typeof value !== 'number')) return false;
  return Math.abs(Number(to) - Number(from)) / Math.abs(Number(step)) <= MAX_FOLDED_SIZE;
}

/** Array functions. */
export const ARRAYS: Emitters = {
  ARRAY_LENGTH: direct('len'),
  ARRAY_CONCAT: concatenate,
  $CONCAT: concatOperator,
  ARRAY_REVERSE: direct('list_reverse'),
  ARRAY_FIRST: end('1'),
  ARRAY_LAST: end('-1'),
  ARRAY_SLICE: slice,
  ARRAY_TO_STRING: join,
  GENERATE_ARRAY: series,
};
