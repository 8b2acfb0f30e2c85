import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { STRING } from '../../../../sql/types/sql-type.ts';
import { bigint, clauses, duck, joined, type Sql, typedLiteral, word } from '../duck/sql.ts';
import { notSupported, REFUSAL } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  direct,
  literalValue,
} from './call-site.ts';
import { raiseText, unfolded, withLocals } from './fragments.ts';
import { joinedText } from './joined-text.ts';
import { onBytes } from './latin1.ts';
import { MAX_ELEMENTS, MAX_FOLDED_SIZE, MAX_JOINED_BYTES } from './sizes.ts';

/** NULL if any of the arrays is NULL, where DuckDB leaves it out. */
const concatenate: CallTranslator = (site) => {
  const { sql, type } = site;
  if (sql.length === 1) return argument(site, 0);
  return withLocals(sql, (...lists) => {
    const isNull = joined(
      lists.map((list) => duck`${list} IS NULL`),
      ' OR ',
    );
    const size = joined(
      lists.map((list) => duck`len(${list})`),
      ' + ',
    );
    const long = raiseText(`An array that is put together has at most ${MAX_ELEMENTS} elements`, type);
    const all = duck`list_concat(${joined(lists, ', ')})`;
    return duck`CASE WHEN ${isNull} THEN NULL WHEN ${size} > ${MAX_ELEMENTS} THEN ${long} ELSE ${all} END`;
  });
};

/** `a || b` of text, bytes or arrays. */
const concatOperator: CallTranslator = (site) => {
  if (site.type.kind === 'ARRAY') return concatenate(site);
  const parts = site.sql.map((sql, index) => ({ sql, source: site.arguments[index] ?? null }));
  return joinedText(parts, site.type, '||');
};

const end =
  (index: 1 | -1): CallTranslator =>
  (site) =>
    withLocals([argument(site, 0)], (list) => {
      const which = index === 1 ? 'first' : 'last';
      const error = raiseText(`${site.name} cannot get the ${which} element of an empty array`, site.type);
      return duck`CASE WHEN len(${list}) = 0 THEN ${error} ELSE list_extract(${list}, ${index}) END`;
    });

/** Offsets count from 0, negative ones from the end, and both ends belong to the slice. */
const slice: CallTranslator = (site) =>
  withLocals([argument(site, 0), argument(site, 1), argument(site, 2)], (list, from, to) => {
    const start = duck`CASE WHEN ${from} < 0 THEN greatest(len(${list}) + ${from}, 0) ELSE ${from} END`;
    const stop = duck`CASE WHEN ${to} < 0 THEN len(${list}) + ${to} ELSE ${to} END`;
    return duck`CASE WHEN ${list} IS NULL OR ${from} IS NULL OR ${to} IS NULL THEN NULL WHEN ${stop} < ${start} OR ${start} >= len(${list}) THEN ${list}[1:0] ELSE list_slice(${list}, ${start} + 1, least(${stop}, len(${list}) - 1) + 1) END`;
  });

/** NULL elements are left out, or stand as the text that the call names for them. */
const join: CallTranslator = (site) => {
  const nullText = site.sql[2];
  const list = argument(site, 0);
  if (nullText === undefined) return joinTexts(list, argument(site, 1), site.arguments[1]);
  const elements = withLocals(
    [list, nullText],
    (all, text) =>
      duck`CASE WHEN ${text} IS NOT NULL THEN list_transform(${all}, lambda e: coalesce(e, ${text})) END`,
  );
  return joinTexts(elements, argument(site, 1), site.arguments[1]);
};

/** The texts of a list with a separator between them; DuckDB's own function takes only a constant one. */
export function joinTexts(list: Sql, separator: Sql, source: ResolvedExpression | undefined): Sql {
  if (source === undefined || source.kind === 'literal') {
    const whole = (all: Sql) => duck`coalesce(array_to_string(${all}, ${separator}), '')`;
    return withLocals(
      [list],
      (all) => duck`CASE WHEN ${all} IS NOT NULL AND ${separator} IS NOT NULL THEN ${whole(all)} END`,
    );
  }
  return withLocals([duck`list_filter(${list}, lambda e: e IS NOT NULL)`, separator], (all, between) => {
    const parts = duck`list_transform(${all}, lambda e: ${between} || e)`;
    const whole = duck`substring(array_to_string(${parts}, ''), length(${between}) + 1)`;
    const long = raiseText(`The separators of one text have at most ${MAX_JOINED_BYTES} bytes`, STRING);
    const isLong = duck`len(${all})::DOUBLE * strlen(${between}) > ${MAX_JOINED_BYTES}`;
    return duck`CASE WHEN ${between} IS NULL OR ${all} IS NULL THEN NULL WHEN len(${all}) = 0 THEN '' WHEN ${isLong} THEN ${long} ELSE ${whole} END`;
  });
}

/** GENERATE_ARRAY. With SAFE, an array that GoogleSQL could make and the engine cannot is an error nevertheless. */
const series: CallTranslator = (site) => {
  const [start, stop] = [argument(site, 0), argument(site, 1)];
  const { kind } = argumentType(site, 0);
  if (kind === 'NUMERIC' || kind === 'BIGNUMERIC') return decimalSeries(site, kind);
  if (kind !== 'INT64' && kind !== 'FLOAT64') throw notSupported(`GENERATE_ARRAY of ${kind}`);
  const isFloat = kind === 'FLOAT64';
  const step = site.sql[2] ?? (isFloat ? typedLiteral('1::DOUBLE') : bigint(1n));
  const isSmall = hasFewElements(site);
  const failure = (message: string) => (site.safe ? word('NULL') : raiseText(message, site.type));
  return withLocals([start, stop, step], (from, to, by) => {
    const steps = isFloat ? floatSteps(from, to, by) : duck`(${to}::HUGEINT - ${from}) // ${by}`;
    const count = (value: Sql) => (isSmall ? value : unfolded(value));
    const values = isFloat
      ? duck`list_transform(CASE WHEN ${steps} < 0 THEN [] ELSE generate_series(0, ${count(duck`CAST(${steps} AS BIGINT)`)}) END, lambda i: CASE WHEN i = 0 THEN ${from} ELSE ${from} + i * ${by} END)`
      : duck`generate_series(${from}, ${count(wholeEnd(site, from, to, by))}, ${by})`;
    const long = raiseText(LONG_SERIES, site.type);
    return clauses(
      duck`CASE WHEN ${from} IS NULL OR ${to} IS NULL OR ${by} IS NULL THEN NULL`,
      duck`WHEN ${by} = 0 THEN ${failure('Sequence step cannot be 0.')}`,
      isFloat ? duck`WHEN isinf(${by}) THEN ${failure('Sequence step cannot be +/-inf.')}` : null,
      isFloat
        ? duck`WHEN isnan(${from} + ${to} + ${by}) AND (isnan(${from}) OR isnan(${to}) OR isnan(${by})) THEN ${failure('Sequence start, end, and step cannot be NaN.')}`
        : null,
      duck`WHEN ${steps} >= ${MAX_ELEMENTS} THEN ${site.safe ? long.refusing() : long}`,
      duck`ELSE ${values} END`,
    );
  });
};

/** A series of decimals, counted in units of their last digit. */
function decimalSeries(site: CallSite, kind: 'NUMERIC' | 'BIGNUMERIC'): Sql {
  const one = kind === 'NUMERIC' ? 10n ** 9n : 10n ** 18n;
  const step = site.sql[2];
  const units = [0, 1].map((index) => duck`gsql_units(${argument(site, index)})`);
  const by = step === undefined ? duck`${one}::HUGEINT` : duck`gsql_units(${step})`;
  const failure = (message: string) => (site.safe ? word('NULL') : raiseText(message, site.type));
  return withLocals([...units, by], (from, to, each) => {
    const steps = duck`(${to} - ${from}) // ${each}`;
    const value = duck`gsql_${word(kind.toLowerCase())}_of(${from} + i * ${each})`;
    const values = duck`list_transform(CASE WHEN (${from} > ${to}) = (${each} > 0) AND ${from} <> ${to} THEN [] ELSE generate_series(0, ${unfolded(duck`CAST(${steps} AS BIGINT)`)}) END, lambda i: ${value})`;
    const long = raiseText(LONG_SERIES, site.type);
    const far = raiseText(
      `${REFUSAL}GENERATE_ARRAY of ${kind} values that are as far from each other`,
      site.type,
    );
    return clauses(
      duck`CASE WHEN ${from} IS NULL OR ${to} IS NULL OR ${each} IS NULL THEN NULL`,
      duck`WHEN ${each} = 0 THEN ${failure('Sequence step cannot be 0.')}`,
      duck`WHEN abs(${to}::DOUBLE - ${from}::DOUBLE) > 1.6e38::DOUBLE THEN ${site.safe ? far.refusing() : far}`,
      duck`WHEN ${steps} >= ${MAX_ELEMENTS} THEN ${site.safe ? long.refusing() : long}`,
      duck`ELSE ${values} END`,
    );
  });
}

/** A series ends where the distance from its start is no INT64 any more. */
function wholeEnd(site: CallSite, from: Sql, to: Sql, by: Sql): Sql {
  if (isNear(site)) return to;
  const upward = duck`least(${to}, ${from}::HUGEINT + 9223372036854775807::HUGEINT // ${by} * ${by})`;
  const downward = duck`greatest(${to}, ${from}::HUGEINT + (-9223372036854775808)::HUGEINT // ${by} * ${by})`;
  return duck`CAST(CASE WHEN ${by} > 0 THEN ${upward} ELSE ${downward} END AS BIGINT)`;
}

/** The same for FLOAT64: the distance from its start is finite. An infinite start is the whole series where it is the end, too. */
function floatSteps(from: Sql, to: Sql, by: Sql): Sql {
  const limit = duck`1.7976931348623157e308::DOUBLE / abs(${by})`;
  return duck`CASE WHEN ${from} = ${to} THEN 0 WHEN (${from} > ${to}) = (${by} > 0) THEN -1 ELSE floor(least((${to} - ${from}) / ${by}, ${limit})) END`;
}

/** Whether both ends of a series of INT64 are known to be so near that their distance is an INT64. */
function isNear(site: CallSite): boolean {
  return [0, 1].every((index) => {
    const end = literalValue(site, index);
    return typeof end === 'bigint' && end < 2n ** 62n && end > -(2n ** 62n);
  });
}

/** What a series that would be longer is refused with. */
export const LONG_SERIES = `Generated arrays have at most ${MAX_ELEMENTS} elements`;

/** Whether a series is known to be short enough for a constant. */
function hasFewElements(site: CallSite): boolean {
  const [from, to, by] = [0, 1, 2].map((index) => literalValue(site, index));
  const step = site.sql[2] === undefined ? 1 : by;
  if ([from, to, step].some((value) => typeof value !== 'bigint' && typeof value !== 'number')) return false;
  return Math.abs(Number(to) - Number(from)) / Math.abs(Number(step)) <= MAX_FOLDED_SIZE;
}

/** Array functions. */
export const ARRAYS: CallTranslators = {
  ARRAY_LENGTH: direct('len'),
  ARRAY_CONCAT: concatenate,
  $CONCAT: concatOperator,
  ARRAY_REVERSE: direct('list_reverse'),
  ARRAY_FIRST: end(1),
  ARRAY_LAST: end(-1),
  ARRAY_SLICE: slice,
  ARRAY_TO_STRING: onBytes(join),
  GENERATE_ARRAY: series,
};
