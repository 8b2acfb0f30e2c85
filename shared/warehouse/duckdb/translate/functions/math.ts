import { FLOAT64, NUMERIC } from '../../../../sql/types/sql-type.ts';
import { duck, EMPTY, filtered, joined, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
} from './call-site.ts';
import { duckType } from './duck-type.ts';
import { raise, raiseText, withLocals } from './fragments.ts';
import { parseNumeric } from './parse-text.ts';

/**
 * A function of FLOAT64 whose result must be finite where its arguments are; `domain` says for which arguments DuckDB
 * can be asked at all.
 */
function checked(body: (...names: Sql[]) => Sql, domain?: (...names: Sql[]) => Sql): CallTranslator {
  return (site) => {
    if (argumentType(site, 0).kind !== 'FLOAT64')
      throw notSupported(`${site.name} on ${argumentType(site, 0).kind}`);
    return withLocals(site.sql, (...names) => {
      const shown = joined(
        names.map((name) => duck`gsql_float_text(${name})`),
        " || ', ' || ",
      );
      const error = raise(
        duck`${textLiteral(`Floating point error in function: ${site.name}(`)} || ${shown} || ')'`,
        FLOAT64,
      );
      const areFinite = joined(
        names.map((name) => duck`isfinite(${name})`),
        ' AND ',
      );
      const value = body(...names);
      const guard = domain === undefined ? EMPTY : duck`WHEN NOT (${domain(...names)}) THEN ${error} `;
      return duck`CASE ${guard}WHEN NOT isfinite(${value}) AND ${areFinite} THEN ${error} ELSE ${value} END`;
    });
  };
}

/** A function that is finite for finite arguments. */
const total =
  (name: string): CallTranslator =>
  (site) =>
    duck`${word(name)}(${joined(site.sql, ', ')})`;

const inverse = (name: string): CallTranslator => checked((x) => duck`1 / ${word(name)}(${x})`);

const unit = (x: Sql | undefined): Sql => duck`${x} BETWEEN -1 AND 1`;
const positive = (x: Sql | undefined): Sql => duck`${x} > 0 OR isnan(${x})`;

const sign: CallTranslator = (site) => {
  const type = duckType(site.type);
  if (site.type.kind !== 'FLOAT64') return duck`CAST(sign(${argument(site, 0)}) AS ${type})`;
  return withLocals(
    [argument(site, 0)],
    (x) => duck`CASE WHEN isnan(${x}) THEN ${x} ELSE CAST(sign(${x}) AS ${type}) END`,
  );
};

/** ROUND and TRUNC, with digits behind the point or, negative, before it. */
function toDigits(name: 'round' | 'trunc'): CallTranslator {
  return (site) => {
    const { kind } = site.type;
    const [value, digits] = [argument(site, 0), site.sql[1]];
    if (kind === 'FLOAT64') {
      if (digits === undefined) return duck`${word(name)}(${value})`;
      return withLocals([value, digits], (x, n) => {
        const places = duck`CAST(CASE WHEN ${n} > 400 THEN 400 WHEN ${n} < -400 THEN -400 ELSE ${n} END AS INTEGER)`;
        const isFraction = duck`${n} BETWEEN 1 AND 15 AND abs(${x}) < 1e15`;
        return duck`CASE WHEN ${isFraction} THEN gsql_${word(name)}(${x}, ${places}) ELSE ${word(name)}(${x}, ${places}) END`;
      });
    }
    if (kind === 'BIGNUMERIC') throw notSupported(`${site.name} on BIGNUMERIC`);
    return numericToDigits(site, value, name);
  };
}

/** NUMERIC counted in billionths, of which a power of ten is kept whole. */
function numericToDigits(site: CallSite, value: Sql, name: 'round' | 'trunc'): Sql {
  const digits = site.arguments[1];
  const literal = digits === undefined ? 0n : digits.kind === 'literal' ? digits.value : null;
  if (literal === null && digits?.kind === 'literal') return duck`CAST(NULL AS ${duckType(NUMERIC)})`;
  if (typeof literal !== 'bigint')
    throw notSupported(`${site.name} on NUMERIC with digits that are not a literal`);
  if (literal >= 9n) return value;
  if (literal < -29n) return duck`(${value} - ${value})`;
  if (literal >= 0n && name === 'round')
    return duck`CAST(round(${value}, ${literal}) AS ${duckType(site.type)})`;
  const step = duck`${10n ** (9n - literal)}::HUGEINT`;
  return withLocals([duck`gsql_units(${value})`], (units) => {
    const half =
      name === 'trunc' ? EMPTY : duck` + CASE WHEN ${units} < 0 THEN -1 ELSE 1 END * (${step} // 2)`;
    return duck`gsql_numeric_of((${units}${half}) // ${step} * ${step})`;
  });
}

const whole =
  (name: 'ceil' | 'floor'): CallTranslator =>
  (site) => {
    if (site.type.kind === 'BIGNUMERIC') throw notSupported(`${site.name} on BIGNUMERIC`);
    const value = duck`${word(name)}(${argument(site, 0)})`;
    return site.type.kind === 'FLOAT64' ? value : duck`CAST(${value} AS ${duckType(site.type)})`;
  };

/** The count of bounds that are not above the value. */
const rangeBucket: CallTranslator = (site) => {
  const { kind } = argumentType(site, 0);
  if (kind === 'STRUCT' || kind === 'ARRAY' || kind === 'JSON') throw notSupported(`RANGE_BUCKET of ${kind}`);
  return withLocals([argument(site, 0), argument(site, 1)], (point, bounds) => {
    const error = raiseText('RANGE_BUCKET does not take an array with a NULL', site.type);
    const nanCase = kind === 'FLOAT64' ? duck`WHEN isnan(${point}) THEN 0 ` : EMPTY;
    return duck`CASE WHEN ${point} IS NULL OR ${bounds} IS NULL THEN NULL WHEN list_count(${bounds}) < len(${bounds}) THEN ${error} ${nanCase}ELSE len(${filtered(bounds, (bound) => duck`${bound} <= ${point}`)}) END`;
  });
};

const absolute: CallTranslator = (site) => {
  if (site.type.kind === 'BIGNUMERIC') throw notSupported('ABS on BIGNUMERIC');
  return duck`abs(${argument(site, 0)})`;
};

const cubeRoot: CallTranslator = (site) =>
  withLocals([duck`cbrt(${argument(site, 0)})`, argument(site, 0)], (root, x) => {
    // DuckDB's root of a cube may be off by a last bit.
    const near = duck`round(${root})`;
    return duck`CASE WHEN ${near} * ${near} * ${near} = ${x} THEN ${near} ELSE ${root} END`;
  });

/** Mathematical functions. */
export const MATH: CallTranslators = {
  PARSE_NUMERIC: (site) => parseNumeric(argument(site, 0)),
  ABS: absolute,
  SIGN: sign,
  IS_INF: ({ sql }) => duck`isinf(${sql[0]})`,
  IS_NAN: ({ sql }) => duck`isnan(${sql[0]})`,
  IEEE_DIVIDE: ({ sql }) => duck`(${sql[0]} / ${sql[1]})`,
  SQRT: checked(
    (x) => duck`sqrt(${x})`,
    (x) => duck`${x} >= 0 OR isnan(${x})`,
  ),
  CBRT: cubeRoot,
  EXP: checked((x) => duck`exp(${x})`),
  LN: checked((x) => duck`ln(${x})`, positive),
  LOG10: checked((x) => duck`log10(${x})`, positive),
  LOG: checked(
    (x, base) => (base === undefined ? duck`ln(${x})` : duck`(ln(${x}) / ln(${base}))`),
    (x, base) =>
      base === undefined ? positive(x) : duck`(${positive(x)}) AND (${positive(base)}) AND ${base} <> 1`,
  ),
  POW: checked((x, y) => duck`pow(${x}, ${y})`),
  POWER: checked((x, y) => duck`pow(${x}, ${y})`),
  COS: checked(
    (x) => duck`cos(${x})`,
    (x) => duck`isfinite(${x}) OR isnan(${x})`,
  ),
  SIN: checked(
    (x) => duck`sin(${x})`,
    (x) => duck`isfinite(${x}) OR isnan(${x})`,
  ),
  TAN: checked(
    (x) => duck`tan(${x})`,
    (x) => duck`isfinite(${x}) OR isnan(${x})`,
  ),
  COT: inverse('tan'),
  CSC: inverse('sin'),
  SEC: inverse('cos'),
  COSH: checked((x) => duck`cosh(${x})`),
  SINH: checked((x) => duck`sinh(${x})`),
  TANH: total('tanh'),
  COTH: inverse('tanh'),
  CSCH: inverse('sinh'),
  SECH: checked((x) => duck`(1 / cosh(${x}))`),
  ACOS: checked(
    (x) => duck`acos(${x})`,
    (x) => duck`${unit(x)} OR isnan(${x})`,
  ),
  ASIN: checked(
    (x) => duck`asin(${x})`,
    (x) => duck`${unit(x)} OR isnan(${x})`,
  ),
  ATAN: total('atan'),
  ATAN2: total('atan2'),
  ACOSH: checked(
    (x) => duck`acosh(${x})`,
    (x) => duck`${x} >= 1 OR isnan(${x})`,
  ),
  ASINH: total('asinh'),
  ATANH: checked(
    (x) => duck`atanh(${x})`,
    (x) => duck`(${unit(x)} AND abs(${x}) < 1) OR isnan(${x})`,
  ),
  PI: () => word('pi()'),
  ROUND: toDigits('round'),
  TRUNC: toDigits('trunc'),
  CEIL: whole('ceil'),
  CEILING: whole('ceil'),
  FLOOR: whole('floor'),
  RANGE_BUCKET: rangeBucket,
  BIT_COUNT: (site) => {
    if (argumentType(site, 0).kind === 'BYTES')
      return withLocals(
        [argument(site, 0)],
        (bytes) =>
          duck`CASE WHEN octet_length(${bytes}) = 0 THEN 0 ELSE bit_count(CAST(${bytes} AS BIT)) END`,
      );
    return duck`CAST(bit_count(${argument(site, 0)}) AS BIGINT)`;
  },
};
