import type { ServiceError } from '../errors/service-error.ts';
import { LEVELS, type Level, memberOf } from './keywords.ts';
import { unreadable } from './lexer.ts';
import { lqlError, quoteText } from './lql-error.ts';
import { comparedText, fullPath, type PathLexemes } from './path-clause.ts';
import type { RegexChecker } from './regex-checker.ts';
import type { Comparison, Condition, ValueText } from './tree.ts';

const PLAIN = /^[A-Za-z0-9_]+$/;
const NUMBER = /^\d+(?:\.\d+)?$/;
const DATE_OR_DATETIME = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})?)?$/;
/** Text that holds nothing but what ranges are made of. */
const RANGE_LIKE = /^[\w.:+-]*$/;
/** What a second operator after the first begins with. */
const OPERATOR_START = /^(?::|>|<|=|~|@>)/;

const LEVEL_PATH = 'metadata.level';

/** Reads a filter on a field. Throws a ServiceError (invalid_argument, syntax). */
export function parseField(text: string, lexemes: PathLexemes, regexes: RegexChecker): Condition {
  const path = fullPath(lexemes.path);
  const { operator, value } = lexemes;
  if (value.form === 'bare') {
    if (value.text === '' || OPERATOR_START.test(value.text)) throw badValue(text, lexemes);
    const bare = parseSpecial(text, lexemes, path);
    if (bare !== null) return bare;
    if (!isPlain(value.text)) throw unreadable(text, value.at, value.text);
  }
  switch (operator) {
    case ':':
      return { kind: 'compare', path, operator: '=', value: valueText(lexemes) };
    case ':>':
    case ':>=':
    case ':<':
    case ':<=':
      return { kind: 'compare', path, operator: operator.slice(1) as Comparison, value: valueText(lexemes) };
    case ':~':
      regexes.check(value.at, value.text);
      return { kind: 'matches', path, regex: value.text };
    case ':@>':
      return { kind: 'list_contains', path, value: valueText(lexemes) };
    case ':@>~':
      regexes.check(value.at, value.text);
      return { kind: 'list_matches', path, regex: value.text };
    default: {
      const unreachable: never = operator;
      throw new TypeError(`operator ${unreachable}`);
    }
  }
}

/** Bare text that is more than one value: NULL and ranges, which go with `:` only; null for any other text. */
function parseSpecial(text: string, lexemes: PathLexemes, path: string): Condition | null {
  const { operator, value } = lexemes;
  const isRange = value.text.includes('..') && RANGE_LIKE.test(value.text);
  if (value.text !== 'NULL' && !isRange) return null;
  if (operator !== ':') throw badValue(text, lexemes);
  if (!isRange) return { kind: 'is_null', path };
  const split = value.text.indexOf('..');
  const [from, to] = [value.text.slice(0, split), value.text.slice(split + 2)];
  for (const bound of [NUMBER, DATE_OR_DATETIME]) {
    if (!bound.test(from) || !bound.test(to)) continue;
    const toAt = value.at + split + 2;
    return { kind: 'between', path, from: { text: from, at: value.at }, to: { text: to, at: toAt } };
  }
  if (path === LEVEL_PATH && PLAIN.test(from) && PLAIN.test(to)) {
    return {
      kind: 'levels',
      path,
      from: readLevel(text, value.at, from),
      to: readLevel(text, value.at + split + 2, to),
    };
  }
  throw badValue(text, lexemes);
}

function readLevel(text: string, at: number, word: string): Level {
  const level = memberOf(LEVELS, word);
  if (level !== undefined) return level;
  throw lqlError(text, at, 'syntax', `unknown level ${quoteText(word)}, expected ${LEVELS.join(', ')}`);
}

/** Whether bare text can be a value: a word, a number, a date or a time. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text) || NUMBER.test(text) || DATE_OR_DATETIME.test(text);
}

function valueText({ value }: PathLexemes): ValueText {
  return { text: value.text, at: value.at };
}

function badValue(text: string, lexemes: PathLexemes): ServiceError {
  const { at, written } = comparedText(lexemes);
  return lqlError(text, at, 'syntax', `bad value ${quoteText(written)} for ${fullPath(lexemes.path)}`);
}
