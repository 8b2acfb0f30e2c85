import { BIGNUMERIC, FLOAT64, NUMERIC } from '../../../../sql/types/sql-type.ts';
import { duck, EMPTY, filtered, joined, type Sql, textLiteral, typedLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { bigNumeric } from './big-decimals.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { duckType } from './duck-type.ts';
import { raise, raiseText, withLocals } from './fragments.ts';
import { nullOf } from './options.ts';
import { parseNumeric } from './parse-text.ts';

/**
 * A function of FLOAT64 whose result must be finite where its arguments are; `domain` says for which arguments DuckDB
 * can be asked at all. Others are an error if they are finite, and give NaN if one is not.
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
      // NULL where an argument is.
      const nan = duck`(${joined(names, ' + ')} + ${NAN})`;
      const guard =
        domain === undefined
          ? EMPTY
          : duck`WHEN NOT (${domain(...names)}) THEN CASE WHEN ${areFinite} THEN ${error} ELSE ${nan} END `;
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

/** A function of an angle, which no infinity is. */
const ofAngle = (name: string, x: Sql | undefined): Sql =>
  duck`${word(name)}(CASE WHEN isinf(${x}) THEN ${NAN} ELSE ${x} END)`;

const NAN = typedLiteral("'nan'::DOUBLE");

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

/** ROUND and TRUNC, with digits after the point or, negative, before it. */
function toDigits(name: 'round' | 'trunc'): CallTranslator {
  return (site) => {
    const { kind } = site.type;
    const [value, digits] = [argument(site, 0), site.sql[1]];
    if (kind === 'FLOAT64') {
      if (digits === undefined) return duck`${word(name)}(${value})`;
      return withLocals([value, digits], (x, n) => {
        const places = duck`CAST(CASE WHEN ${n} > 400 THEN 400 WHEN ${n} < -400 THEN -400 ELSE ${n} END AS INTEGER)`;
        const isFraction = duck`${n} BETWEEN 1 AND 15 AND abs(${x}) < 1e15`;
        const known = literalValue(site, 1);
        // So many places change no digit that the value has.
        const isWhole = duck`${n} >= 1 AND abs(${x}) >= 4503599627370496 OR ${n} >= 16 AND abs(${x}) >= pow(10, 17 - ${places})`;
        // As many digits as printf writes exactly; DuckDB's own functions multiply by a power of ten.
        const isLong = duck`${n} BETWEEN 16 AND 60 AND abs(${x}) < 1e15`;
        const long = duck`${word(name === 'round' ? 'gsql_round_long' : 'gsql_trunc')}(${x}, ${places})`;
        const mayBeLong = typeof known !== 'bigint' || known > 15n;
        const byDigits = mayBeLong ? duck` WHEN ${isLong} THEN ${long}` : EMPTY;
        const isUnchanged = mayBeLong ? isWhole : duck`${n} >= 1 AND abs(${x}) >= 4503599627370496`;
        const fraction = duck`CASE WHEN ${n} IS NULL THEN NULL WHEN ${isUnchanged} THEN ${x} WHEN ${isFraction} THEN gsql_${word(name)}(${x}, ${places})${byDigits}`;
        const plain = duck`${word(name)}(${x}, ${places})`;
        if (typeof known === 'bigint' && known >= 0n) return duck`${fraction} ELSE ${plain} END`;
        return duck`${fraction} ${beforeAllDigits(site, name, x, n)} WHEN isfinite(${x}) THEN ${plain} ELSE ${x} END`;
      });
    }
    const mode = site.sql[2] === undefined ? name : roundingMode(site);
    if (mode === null) return nullOf(site);
    if (kind === 'BIGNUMERIC') return bigNumeric(value, BIG_ROUNDINGS[mode], digits ?? word('0'));
    return numericToDigits(site, value, mode);
  };
}

/** Branches for places before nearly all digits, or before all, that a FLOAT64 can have. */
function beforeAllDigits({ name, type }: CallSite, kind: 'round' | 'trunc', x: Sql, n: Sql): Sql {
  const overflow = raise(
    duck`'Floating point overflow in function: ${word(name)}(' || gsql_float_text(${x}) || ', ' || ${n} || ')'`,
    type,
  );
  const none = duck`WHEN ${n} < -308 THEN CASE WHEN ${x} IS NOT NULL THEN 0::DOUBLE END`;
  const [more, less] = kind === 'round' ? [word('1.5e308'), word('0.5e308')] : [null, word('1e308')];
  const over = more === null ? EMPTY : duck`WHEN abs(${x}) >= ${more} THEN ${overflow} `;
  const last = duck`CASE ${over}WHEN abs(${x}) >= ${less} THEN sign(${x}) * 1e308 ELSE 0 * ${x} END`;
  // Powers of ten beyond 1e22 are no FLOAT64, so the digits that are kept become a number as text does.
  const digits = duck`printf('%.0f', abs(${x}))`;
  const kept = duck`length(${digits}) + ${n}`;
  const up =
    kind === 'round'
      ? duck` + CASE WHEN substring(${digits}, CAST(${kept} AS BIGINT) + 1, 1) >= '5' THEN 1 ELSE 0 END`
      : EMPTY;
  const text = duck`(CAST('0' || substring(${digits}, 1, CAST(${kept} AS BIGINT)) AS BIGINT)${up}) || 'e' || -${n}`;
  const number = duck`TRY_CAST(${text} AS DOUBLE)`;
  const far = duck`WHEN ${n} < 0 AND abs(${x}) >= 1e15 AND isfinite(${x}) THEN CASE
    WHEN ${kept} > 17 THEN ${x} WHEN ${kept} < 0 THEN 0 * ${x}
    WHEN ${number} IS NULL OR isinf(${number}) THEN ${overflow} ELSE sign(${x}) * ${number} END`;
  return duck`${none} WHEN ${n} = -308 AND isfinite(${x}) THEN ${last} ${far}`;
}

/** How what lies between two numbers of so many places becomes one of them. */
type Rounding = 'round' | 'trunc' | 'half-even';

const BIG_ROUNDINGS = { round: 'ROUND', trunc: 'TRUNC', 'half-even': 'ROUND_HALF_EVEN' } as const;

/** The mode that ROUND names; null for NULL. */
function roundingMode(site: CallSite): Rounding | null {
  const mode = literalValue(site, 2);
  if (typeof mode !== 'string') return null;
  return mode === 'ROUND_HALF_EVEN' ? 'half-even' : 'round';
}

/** NUMERIC counted in billionths, of which a power of ten is kept whole. */
function numericToDigits(site: CallSite, value: Sql, mode: Rounding): Sql {
  const digits = site.arguments[1];
  const literal = digits === undefined ? 0n : digits.kind === 'literal' ? digits.value : undefined;
  if (literal === null) return nullOf(site);
  if (typeof literal !== 'bigint') return numericToDigitsOfRow(value, argument(site, 1), mode);
  if (literal >= 9n) return value;
  if (literal < -29n) return duck`(${value} - ${value})`;
  if (literal >= 0n && mode === 'round')
    return duck`CAST(round(${value}, ${literal}) AS ${duckType(site.type)})`;
  return toStep(value, duck`${10n ** (9n - literal)}::HUGEINT`, mode);
}

function numericToDigitsOfRow(value: Sql, digits: Sql, mode: Rounding): Sql {
  return withLocals([value, digits], (x, n) => {
    const step = duck`CAST('1' || repeat('0', CAST(9 - ${n} AS BIGINT)) AS HUGEINT)`;
    const stepped = withLocals([step], (one) => toStep(x, one, mode));
    return duck`CASE WHEN ${n} >= 9 THEN ${x} WHEN ${n} < -29 THEN ${x} - ${x} WHEN ${n} IS NOT NULL THEN ${stepped} END`;
  });
}

/** The multiple of a power of ten in billionths that lies next to a NUMERIC. */
function toStep(value: Sql, step: Sql, mode: Rounding): Sql {
  return withLocals([duck`gsql_units(${value})`], (units) => {
    const one = duck`CASE WHEN ${units} < 0 THEN -1 ELSE 1 END`;
    if (mode === 'trunc') return duck`gsql_numeric_of(${units} // ${step} * ${step})`;
    if (mode === 'round')
      return duck`gsql_numeric_of((${units} + ${one} * (${step} // 2)) // ${step} * ${step})`;
    const rest = duck`abs(${units} % ${step})`;
    const isUp = duck`${rest} > ${step} // 2 OR ${rest} = ${step} // 2 AND ${units} // ${step} % 2 <> 0`;
    return duck`gsql_numeric_of((${units} // ${step} + CASE WHEN ${isUp} THEN ${one} ELSE 0 END) * ${step})`;
  });
}

const whole =
  (name: 'ceil' | 'floor'): CallTranslator =>
  (site) => {
    if (site.type.kind === 'BIGNUMERIC')
      return bigNumeric(argument(site, 0), name === 'ceil' ? 'CEIL' : 'FLOOR', word('0'));
    const value = duck`${word(name)}(${argument(site, 0)})`;
    return site.type.kind === 'FLOAT64' ? value : duck`CAST(${value} AS ${duckType(site.type)})`;
  };

/** The count of bounds that are not above the value. */
const rangeBucket: CallTranslator = (site) => {
  const { kind } = argumentType(site, 0);
  if (kind === 'STRUCT' || kind === 'ARRAY' || kind === 'JSON') throw notSupported(`RANGE_BUCKET of ${kind}`);
  return withLocals([argument(site, 0), argument(site, 1)], (point, bounds) => {
    const error = raiseText(
      'Elements in input array to RANGE_BUCKET must be in ascending order, none of them NULL or NaN',
      site.type,
    );
    const isNan = kind === 'FLOAT64' ? duck` OR isnan(${point})` : EMPTY;
    const hasNan = kind === 'FLOAT64' ? duck` OR isnan(${bounds}[-1])` : EMPTY;
    const isWrong = duck`list_count(${bounds}) < len(${bounds}) OR ${bounds} <> list_sort(${bounds})${hasNan}`;
    return duck`CASE WHEN ${point} IS NULL OR ${bounds} IS NULL${isNan} THEN NULL WHEN ${isWrong} THEN ${error} ELSE len(${filtered(bounds, (bound) => duck`${bound} <= ${point}`)}) END`;
  });
};

const cubeRoot: CallTranslator = (site) => {
  if (site.type.kind !== 'FLOAT64') throw notSupported(`CBRT on ${site.type.kind}`);
  return withLocals([duck`cbrt(${argument(site, 0)})`, argument(site, 0)], (root, x) => {
    // DuckDB's root of a cube may be off by a last bit.
    const near = duck`round(${root})`;
    return duck`CASE WHEN ${near} * ${near} * ${near} = ${x} THEN ${near} ELSE ${root} END`;
  });
};

/** Whether a logarithm to a base is of a number below all others, or to a base that is infinite. */
const isBoundless = (x: Sql | undefined, base: Sql): Sql => duck`(isinf(${base}) OR ${x} = '-inf'::DOUBLE)`;

/** Mathematical functions. */
export const MATH: CallTranslators = {
  PARSE_BIGNUMERIC: (site) => parseNumeric(argument(site, 0), BIGNUMERIC),
  PARSE_NUMERIC: (site) => parseNumeric(argument(site, 0), NUMERIC),
  ABS: (site) => duck`abs(${argument(site, 0)})`,
  SIGN: sign,
  IS_INF: ({ sql }) => duck`isinf(${sql[0]})`,
  IS_NAN: ({ sql }) => duck`isnan(${sql[0]})`,
  IEEE_DIVIDE: ({ sql }) => duck`(${sql[0]} / ${sql[1]})`,
  SQRT: checked(
    (x) => duck`sqrt(${x})`,
    // DuckDB refuses what is below zero, -inf too.
    (x) => duck`${x} >= 0 OR isnan(${x}) OR isinf(${x})`,
  ),
  CBRT: cubeRoot,
  EXP: checked((x) => duck`exp(${x})`),
  LN: checked((x) => duck`ln(${x})`, positive),
  LOG10: checked((x) => duck`log10(${x})`, positive),
  LOG: checked(
    (x, base) =>
      base === undefined
        ? duck`ln(${x})`
        : duck`CASE WHEN ${isBoundless(x, base)} THEN ${x} + ${base} + ${NAN} WHEN ${x} + ${base} IS NOT NULL THEN ln(${x}) / ln(${base}) END`,
    (x, base) =>
      base === undefined
        ? positive(x)
        : duck`${isBoundless(x, base)} OR (${positive(x)}) AND (${positive(base)}) AND (${base} <> 1 OR isinf(${x}))`,
  ),
  POW: checked((x, y) => duck`pow(${x}, ${y})`),
  POWER: checked((x, y) => duck`pow(${x}, ${y})`),
  COS: checked((x) => ofAngle('cos', x)),
  SIN: checked((x) => ofAngle('sin', x)),
  TAN: checked((x) => ofAngle('tan', x)),
  COT: checked((x) => duck`1 / ${ofAngle('tan', x)}`),
  CSC: checked((x) => duck`1 / ${ofAngle('sin', x)}`),
  SEC: checked((x) => duck`1 / ${ofAngle('cos', x)}`),
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
          duck`bit_count(CAST(CASE WHEN octet_length(${bytes}) = 0 THEN '\\x00'::BLOB ELSE ${bytes} END AS BIT))`,
      );
    return duck`CAST(bit_count(${argument(site, 0)}) AS BIGINT)`;
  },
};
