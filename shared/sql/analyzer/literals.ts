import { MICROS_PER_DAY } from '../../time/units.ts';
import type { Literal } from '../ast/expression.ts';
import type { LiteralValue, ResolvedExpression, ResolvedLiteral } from '../resolved/expression.ts';
import {
  BIGNUMERIC,
  BOOL,
  BYTES,
  DATE,
  DATETIME,
  FLOAT64,
  INT64,
  JSON_TYPE,
  NUMERIC,
  type ScalarType,
  type SqlType,
  STRING,
  TIME,
  TIMESTAMP,
} from '../types/sql-type.ts';
import { parseDate, parseDatetime, parseTimestamp, parseTimeValue } from '../values/civil-time.ts';
import { JsonSyntaxError, readJson } from '../values/json-document.ts';
import { analysisError, type Environment } from './environment.ts';

const MAX_INT64 = 2n ** 63n - 1n;
export const MIN_INT64 = -(2n ** 63n);

/** Digits after the point, and the largest value times ten to their power. */
const NUMERIC_SCALE = 9;
const MAX_SCALED_NUMERIC = 10n ** 38n - 1n;
const BIGNUMERIC_SCALE = 38;
const MAX_SCALED_BIGNUMERIC = 2n ** 255n - 1n;
const MIN_SCALED_BIGNUMERIC = -(2n ** 255n);

/** The digits after the point that a decimal type has. */
const SCALES: Readonly<Record<string, number>> = { NUMERIC: NUMERIC_SCALE, BIGNUMERIC: BIGNUMERIC_SCALE };

const TEXT_PARSERS: Readonly<
  Record<string, { type: ScalarType; parse: (text: string) => bigint | string | null }>
> = {
  DATE: { type: DATE, parse: parseDate },
  DATETIME: { type: DATETIME, parse: parseDatetime },
  TIME: { type: TIME, parse: parseTimeValue },
  TIMESTAMP: { type: TIMESTAMP, parse: parseTimestamp },
  NUMERIC: {
    type: NUMERIC,
    parse: (text) => parseDecimal(text, NUMERIC_SCALE, -MAX_SCALED_NUMERIC, MAX_SCALED_NUMERIC),
  },
  BIGNUMERIC: {
    type: BIGNUMERIC,
    parse: (text) => parseDecimal(text, BIGNUMERIC_SCALE, MIN_SCALED_BIGNUMERIC, MAX_SCALED_BIGNUMERIC),
  },
  JSON: { type: JSON_TYPE, parse: parseJson },
};

/** The value of a literal. Throws for one that its type cannot hold. */
export function resolveLiteral(environment: Environment, literal: Literal): ResolvedLiteral {
  const { type, value, at } = literal;
  if (type === 'NULL') return { kind: 'literal', type: INT64, value: null };
  if (type === 'BOOL') return { kind: 'literal', type: BOOL, value: value === 'TRUE' };
  if (type === 'STRING') return { kind: 'literal', type: STRING, value };
  if (type === 'BYTES') return { kind: 'literal', type: BYTES, value };
  if (type === 'INT64')
    return { kind: 'literal', type: INT64, value: readInteger(environment, value, at, MAX_INT64) };
  if (type === 'FLOAT64') return readFloat(value);
  const parsed = convertText(value, type);
  const isExact = !(type in SCALES) || !hasDigitsBeyond(value, SCALES[type] ?? 0);
  if (parsed === null || !isExact)
    throw analysisError(environment, at, `Invalid ${type} literal: ${JSON.stringify(value)}`);
  return parsed;
}

function readInteger(environment: Environment, spelling: string, at: number, most: bigint): bigint {
  const value = BigInt(spelling.toLowerCase());
  if (value > most) throw analysisError(environment, at, `Invalid integer literal: ${spelling}`);
  return value;
}

/** `-9223372036854775808` has a digit string that INT64 itself does not hold. */
export function resolveNegatedInteger(environment: Environment, literal: Literal): ResolvedLiteral {
  return {
    kind: 'literal',
    type: INT64,
    value: -readInteger(environment, literal.value, literal.at, -MIN_INT64),
  };
}

/** What is too large for FLOAT64 is an infinity. */
function readFloat(spelling: string): ResolvedLiteral {
  return { kind: 'literal', type: FLOAT64, value: Number(spelling), digits: spelling };
}

/** `-1.5` is a literal too. */
export function negateFloat(literal: ResolvedLiteral): ResolvedLiteral {
  return { ...literal, value: -Number(literal.value), digits: `-${literal.digits ?? ''}` };
}

/**
 * The parts of an array or struct. Where all of them are constant, a FLOAT64 among them has its value alone, and `[]`
 * is an array of INT64.
 */
export function constantParts(parts: readonly ResolvedExpression[]): readonly ResolvedExpression[] {
  return parts.every(isLiteral) ? parts.map(settled) : parts;
}

/** Whether an expression is a literal, or an array or struct of literals. */
export function isLiteral(expression: ResolvedExpression): boolean {
  if (expression.kind === 'array') return expression.elements.every(isLiteral);
  if (expression.kind === 'struct') return expression.fields.every(isLiteral);
  return expression.kind === 'literal';
}

function settled(expression: ResolvedExpression): ResolvedExpression {
  const { kind, type } = expression;
  if (kind === 'literal') return { kind, type, value: expression.value };
  return kind === 'array' ? { kind, type, elements: expression.elements } : expression;
}

/**
 * What CAST makes of a FLOAT64 literal as NUMERIC or BIGNUMERIC: the digits as they stand in the query; null where the
 * value has to be converted instead.
 */
export function castDigits(expression: ResolvedExpression, target: SqlType): ResolvedLiteral | null {
  const isDecimal = target.kind === 'NUMERIC' || target.kind === 'BIGNUMERIC';
  if (!isDecimal || expression.kind !== 'literal' || expression.digits === undefined) return null;
  return convertText(expression.digits, target.kind);
}

/** A literal as one of another type that GoogleSQL converts it to; null if the value does not fit. */
export function convertLiteral(literal: ResolvedLiteral, target: SqlType): ResolvedLiteral | null {
  const { value } = literal;
  if (value === null) return { kind: 'literal', type: target, value: null };
  if (literal.type.kind === 'STRING' && target.kind === 'BYTES')
    return { kind: 'literal', type: BYTES, value };
  if (literal.type.kind === 'STRING') return convertText(String(value), target.kind);
  if (literal.type.kind === 'DATE' && target.kind === 'DATETIME' && typeof value === 'bigint')
    return { kind: 'literal', type: DATETIME, value: value * MICROS_PER_DAY };
  if (target.kind === 'FLOAT64') return { kind: 'literal', type: FLOAT64, value: Number(value) };
  if (target.kind === 'NUMERIC' || target.kind === 'BIGNUMERIC')
    return convertText(literal.digits ?? decimalText(value, target.kind), target.kind);
  return null;
}

/** toFixed() rounds the exact value, halves away from zero, but writes an exponent from 1e21 on, where all is whole. */
function decimalText(value: LiteralValue, type: 'NUMERIC' | 'BIGNUMERIC'): string {
  if (typeof value !== 'number') return String(value);
  if (Math.abs(value) >= 1e21) return String(BigInt(value));
  return value.toFixed(type === 'NUMERIC' ? NUMERIC_SCALE : BIGNUMERIC_SCALE);
}

function convertText(text: string, type: string): ResolvedLiteral | null {
  const parser = TEXT_PARSERS[type];
  const value = parser?.parse(text) ?? null;
  return parser === undefined || value === null ? null : { kind: 'literal', type: parser.type, value };
}

/** Whether a decimal number has a digit other than 0 behind the scale, which a literal may not have and CAST rounds. */
function hasDigitsBeyond(text: string, scale: number): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text)?.slice(1) ?? [];
  const digits = (whole + fraction).replace(/0+$/, '');
  return digits !== '' && digits.length - whole.length - Number(exponent) > scale;
}

const DECIMAL = /^\s*([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?\s*$/;

/** A decimal number in plain spelling; digits after the scale are rounded half away from zero. */
function parseDecimal(text: string, scale: number, minScaled: bigint, maxScaled: bigint): string | null {
  const match = DECIMAL.exec(text);
  if (match === null || (match[2] ?? '') + (match[3] ?? '') === '') return null;
  const [sign, whole, fraction, exponent] = [
    match[1],
    match[2] ?? '',
    match[3] ?? '',
    Number(match[4] ?? '0'),
  ];
  const shift = scale + exponent - fraction.length;
  const digits = BigInt(whole + fraction);
  const scaled =
    shift >= 0
      ? digits * 10n ** BigInt(shift)
      : (digits + 5n * 10n ** BigInt(-shift - 1)) / 10n ** BigInt(-shift);
  if (sign === '-' ? -scaled < minScaled : scaled > maxScaled) return null;
  const padded = scaled.toString().padStart(scale + 1, '0');
  const integer = padded.slice(0, -scale);
  const decimals = padded.slice(-scale).replace(/0+$/, '');
  return (sign === '-' && scaled !== 0n ? '-' : '') + integer + (decimals === '' ? '' : `.${decimals}`);
}

function parseJson(text: string): string | null {
  try {
    readJson(text);
    const [document = text] = text.split('\0', 1);
    return document;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return null;
    throw error;
  }
}
