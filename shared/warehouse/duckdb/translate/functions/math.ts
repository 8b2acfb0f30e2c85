import { FLOAT64, NUMERIC } from '../../../../sql/types/sql-type.ts';
import { notSupported } from '../not-supported.ts';
import { duckType } from './duck-type.ts';
import { argument, argumentType, type Emission, type Emitter, type Emitters } from './emitter.ts';
import { bind, raise, raiseText } from './fragments.ts';
import { parseNumeric } from './parse-text.ts';

/**
 * A function of FLOAT64 whose result must be finite where its arguments are; `domain` says for which arguments DuckDB
 * can be asked at all.
 */
function checked(body: (...names: string[]) => string, domain?: (...names: string[]) => string): Emitter {
  return (emission) => {
    if (argumentType(emission, 0).kind !== 'FLOAT64')
      throw notSupported(`${emission.name} on ${argumentType(emission, 0).kind}`);
    return bind(emission.sql, (...names) => {
      const shown = names.map((name) => `gsql_float_text(${name})`).join(` || ', ' || `);
      const error = raise(
        `'Floating point error in function: ${emission.name}(' || ${shown} || ')'`,
        FLOAT64,
      );
      const areFinite = names.map((name) => `isfinite(${name})`).join(' AND ');
      const value = body(...names);
      const guard = domain === undefined ? '' : `WHEN NOT (${domain(...names)}) THEN ${error} `;
      return `CASE ${guard}WHEN NOT isfinite(${value}) AND ${areFinite} THEN ${error} ELSE ${value} END`;
    });
  };
}

/** A function that is finite for finite arguments. */
const total =
  (name: string): Emitter =>
  (emission) =>
    `${name}(${emission.sql.join(', ')})`;

const inverse = (name: string): Emitter => checked((x) => `1 / ${name}(${x})`);

const unit = (x = ''): string => `${x} BETWEEN -1 AND 1`;
const positive = (x = ''): string => `${x} > 0 OR isnan(${x})`;

const sign: Emitter = (emission) => {
  const type = duckType(emission.type);
  if (emission.type.kind !== 'FLOAT64') return `CAST(sign(${argument(emission, 0)}) AS ${type})`;
  return bind(
    [argument(emission, 0)],
    (x) => `CASE WHEN isnan(${x}) THEN ${x} ELSE CAST(sign(${x}) AS ${type}) END`,
  );
};

/** ROUND and TRUNC, with digits behind the point or, negative, before it. */
function toDigits(name: 'round' | 'trunc'): Emitter {
  return (emission) => {
    const { kind } = emission.type;
    const [value, digits] = [argument(emission, 0), emission.sql[1]];
    if (kind === 'FLOAT64') {
      if (digits === undefined) return `${name}(${value})`;
      return bind([value, digits], (x, n) => {
        const places = `CAST(CASE WHEN ${n} > 400 THEN 400 WHEN ${n} < -400 THEN -400 ELSE ${n} END AS INTEGER)`;
        const isFraction = `${n} BETWEEN 1 AND 15 AND abs(${x}) < 1e15`;
        return `CASE WHEN ${isFraction} THEN gsql_${name}(${x}, ${places}) ELSE ${name}(${x}, ${places}) END`;
      });
    }
    if (kind === 'BIGNUMERIC') throw notSupported(`${emission.name} on BIGNUMERIC`);
    return numericToDigits(emission, value, name);
  };
}

/** NUMERIC counted in billionths, of which a power of ten is kept whole. */
function numericToDigits(emission: Emission, value: string, name: 'round' | 'trunc'): string {
  const digits = emission.arguments[1];
  const literal = digits === undefined ? 0n : digits.kind === 'literal' ? digits.value : null;
  if (literal === null && digits?.kind === 'literal') return `CAST(NULL AS ${duckType(NUMERIC)})`;
  if (typeof literal !== 'bigint')
    throw notSupported(`${emission.name} on NUMERIC with digits that are not a literal`);
  if (literal >= 9n) return value;
  if (literal < -29n) return `(${value} - ${value})`;
  if (literal >= 0n && name === 'round')
    return `CAST(round(${value}, ${literal}) AS ${duckType(emission.type)})`;
  const step = `${10n ** (9n - literal)}::HUGEINT`;
  return bind([`gsql_units(${value})`], (units) => {
    const half = name === 'trunc' ? '' : ` + CASE WHEN ${units} < 0 THEN -1 ELSE 1 END * (${step} // 2)`;
    return `gsql_numeric_of((${units}${half}) // ${step} * ${step})`;
  });
}

const whole =
  (name: 'ceil' | 'floor'): Emitter =>
  (emission) => {
    if (emission.type.kind === 'BIGNUMERIC') throw notSupported(`${emission.name} on BIGNUMERIC`);
    const value = `${name}(${argument(emission, 0)})`;
    return emission.type.kind === 'FLOAT64' ? value : `CAST(${value} AS ${duckType(emission.type)})`;
  };

/** The count of bounds that are not above the value. */
const rangeBucket: Emitter = (emission) => {
  const { kind } = argumentType(emission, 0);
  if (kind === 'STRUCT' || kind === 'ARRAY' || kind === 'JSON') throw notSupported(`RANGE_BUCKET of ${kind}`);
  return bind([argument(emission, 0), argument(emission, 1)], (point, bounds) => {
    const error = raiseText('RANGE_BUCKET does not take an array with a NULL', emission.type);
    const nanCase = kind === 'FLOAT64' ? `WHEN isnan(${point}) THEN 0 ` : '';
    return (
      `CASE WHEN ${point} IS NULL OR ${bounds} IS NULL THEN NULL WHEN list_count(${bounds}) < len(${bounds}) THEN ${error} ` +
      `${nanCase}ELSE len(list_filter(${bounds}, lambda b: b <= ${point})) END`
    );
  });
};

const absolute: Emitter = (emission) => {
  if (emission.type.kind === 'BIGNUMERIC') throw notSupported('ABS on BIGNUMERIC');
  return `abs(${argument(emission, 0)})`;
};

const cubeRoot: Emitter = (emission) =>
  bind([`cbrt(${argument(emission, 0)})`, argument(emission, 0)], (root, x) => {
    // DuckDB's root of a cube may be off by a last bit.
    const near = `round(${root})`;
    return `CASE WHEN ${near} * ${near} * ${near} = ${x} THEN ${near} ELSE ${root} END`;
  });

/** Mathematical functions. */
export const MATH: Emitters = {
  PARSE_NUMERIC: (emission) => parseNumeric(argument(emission, 0)),
  ABS: absolute,
  SIGN: sign,
  IS_INF: ({ sql }) => `isinf(${sql[0]})`,
  IS_NAN: ({ sql }) => `isnan(${sql[0]})`,
  IEEE_DIVIDE: ({ sql }) => `(${sql[0]} / ${sql[1]})`,
  SQRT: checked(
    (x) => `sqrt(${x})`,
    (x) => `${x} >= 0 OR isnan(${x})`,
  ),
  CBRT: cubeRoot,
  EXP: checked((x) => `exp(${x})`),
  LN: checked((x) => `ln(${x})`, positive),
  LOG10: checked((x) => `log10(${x})`, positive),
  LOG: checked(
    (x, base) => (base === undefined ? `ln(${x})` : `(ln(${x}) / ln(${base}))`),
    (x, base) =>
      base === undefined ? positive(x) : `(${positive(x)}) AND (${positive(base)}) AND ${base} <> 1`,
  ),
  POW: checked((x, y) => `pow(${x}, ${y})`),
  POWER: checked((x, y) => `pow(${x}, ${y})`),
  COS: checked(
    (x) => `cos(${x})`,
    (x) => `isfinite(${x}) OR isnan(${x})`,
  ),
  SIN: checked(
    (x) => `sin(${x})`,
    (x) => `isfinite(${x}) OR isnan(${x})`,
  ),
  TAN: checked(
    (x) => `tan(${x})`,
    (x) => `isfinite(${x}) OR isnan(${x})`,
  ),
  COT: inverse('tan'),
  CSC: inverse('sin'),
  SEC: inverse('cos'),
  COSH: checked((x) => `cosh(${x})`),
  SINH: checked((x) => `sinh(${x})`),
  TANH: total('tanh'),
  COTH: inverse('tanh'),
  CSCH: inverse('sinh'),
  SECH: checked((x) => `(1 / cosh(${x}))`),
  ACOS: checked(
    (x) => `acos(${x})`,
    (x) => `${unit(x)} OR isnan(${x})`,
  ),
  ASIN: checked(
    (x) => `asin(${x})`,
    (x) => `${unit(x)} OR isnan(${x})`,
  ),
  ATAN: total('atan'),
  ATAN2: total('atan2'),
  ACOSH: checked(
    (x) => `acosh(${x})`,
    (x) => `${x} >= 1 OR isnan(${x})`,
  ),
  ASINH: total('asinh'),
  ATANH: checked(
    (x) => `atanh(${x})`,
    (x) => `(${unit(x)} AND abs(${x}) < 1) OR isnan(${x})`,
  ),
  PI: () => 'pi()',
  ROUND: toDigits('round'),
  TRUNC: toDigits('trunc'),
  CEIL: whole('ceil'),
  CEILING: whole('ceil'),
  FLOOR: whole('floor'),
  RANGE_BUCKET: rangeBucket,
  BIT_COUNT: (emission) => {
    if (argumentType(emission, 0).kind === 'BYTES')
      return bind(
        [argument(emission, 0)],
        (bytes) => `CASE WHEN octet_length(${bytes}) = 0 THEN 0 ELSE bit_count(CAST(${bytes} AS BIT)) END`,
      );
    return `CAST(bit_count(${argument(emission, 0)}) AS BIGINT)`;
  },
};
