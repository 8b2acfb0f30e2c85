import type { ServiceError } from '../errors/service-error.ts';
import { lookUp, UNITS } from './keywords.ts';
import { lqlError, quoteText } from './lql-error.ts';
import { parseInstant } from './parse-instant.ts';
import { comparedText, type PathLexemes } from './path-clause.ts';
import type { Comparison, Instant, TimeCondition } from './tree.ts';

/** A number of a date or time written as two: `{01..12}`. */
const BRACES = /\{(\d+)\.\.(\d+)\}/g;
const LAST = /^last@(\d{0,4})([a-z]+)$/;

const EXAMPLES = 't:2026-01-31, t:>=2026-01-31T12:30:00Z, t:2026-01-01..2026-01-31, t:last@15m, t:today';

/** Reads a condition on the timestamp. Throws a ServiceError (invalid_argument, syntax). */
export function parseTime(text: string, lexemes: PathLexemes): TimeCondition {
  const { operator, value } = lexemes;
  if (value.form !== 'bare') throw noTime(text, lexemes);
  const comparison = comparisonOf(operator);
  if (comparison === null) throw noTime(text, lexemes);
  const point = value.text === 'now' ? { kind: 'now' as const } : parseInstant(value.text);
  if (point !== null) return { kind: 'time', operator: comparison, point };
  const interval = comparison === '=' ? (parsePeriod(value.text) ?? parseInterval(value.text)) : null;
  if (interval === null) throw noTime(text, lexemes);
  return interval;
}

function comparisonOf(operator: PathLexemes['operator']): Comparison | null {
  switch (operator) {
    case ':':
      return '=';
    case ':>':
    case ':>=':
    case ':<':
    case ':<=':
      return operator.slice(1) as Comparison;
    default:
      return null;
  }
}

function parsePeriod(written: string): TimeCondition | null {
  if (written === 'today' || written === 'yesterday') return { kind: 'day', day: written };
  if (written.startsWith('this@')) {
    const unit = lookUp(UNITS, written.slice('this@'.length));
    return unit === undefined ? null : { kind: 'this', unit };
  }
  const [, count, name] = LAST.exec(written) ?? [];
  const unit = lookUp(UNITS, name ?? '');
  if (count === undefined || unit === undefined) return null;
  return { kind: 'last', count: count === '' ? 1 : Number(count), unit };
}

/** `X..Y`, or one date or time with numbers in braces, whose left ones make X and right ones Y. */
function parseInterval(written: string): TimeCondition | null {
  const [from, to] = written.includes('{') ? openBraces(written) : splitRange(written);
  return from === null || to === null || isZoned(from) !== isZoned(to)
    ? null
    : { kind: 'time_between', from, to };
}

type Bounds = readonly [Instant | null, Instant | null];

function splitRange(written: string): Bounds {
  const split = written.indexOf('..');
  if (split < 0) return [null, null];
  return [parseInstant(written.slice(0, split)), parseInstant(written.slice(split + 2))];
}

/** Both bounds must be dates or times of the same form, which they are when each pair of numbers is equally long. */
function openBraces(written: string): Bounds {
  const pairs = [...written.matchAll(BRACES)];
  const isWide = pairs.every(
    ([, left = '', right = ''], index) =>
      left.length === right.length || isFraction(written, pairs[index]?.index ?? 0),
  );
  const areWhole = pairs.every(({ 0: whole, index }) => isWholeNumber(written, index, whole.length));
  if (!isWide || !areWhole) return [null, null];
  const bounds = [written.replace(BRACES, '$1'), written.replace(BRACES, '$2')].map(parseInstant);
  const [from = null, to = null] = bounds;
  return from?.kind === 'unix' || to?.kind === 'unix' ? [null, null] : [from, to];
}

function isFraction(written: string, at: number): boolean {
  return written[at - 1] === '.';
}

/** Whether braces stand for all the digits of a number and not for some. */
function isWholeNumber(written: string, at: number, length: number): boolean {
  return !/[\d}]/.test(written[at - 1] ?? '') && !/[\d{]/.test(written[at + length] ?? '');
}

function isZoned({ kind }: Instant): boolean {
  return kind === 'zoned' || kind === 'unix';
}

function noTime(text: string, lexemes: PathLexemes): ServiceError {
  const { at, written } = comparedText(lexemes);
  return lqlError(
    text,
    at,
    'syntax',
    `${quoteText(written)} is not a timestamp, range or period (examples: ${EXAMPLES})`,
  );
}
