import { checkLimits, checkText } from './check-limits.ts';
import {
  type ClauseLexemes,
  type Lexeme,
  misplacedMinus,
  readClause,
  skipSpace,
  unreadable,
} from './lexer.ts';
import { parseChart } from './parse-chart.ts';
import { parseField } from './parse-field.ts';
import { parseTime } from './parse-time.ts';
import { fullPath, malformed, type PathLexemes, plainValue } from './path-clause.ts';
import { RegexChecker } from './regex-checker.ts';
import type { Clause, Condition, LqlQuery } from './tree.ts';

type WordLexemes = Extract<ClauseLexemes, { kind: 'word' }>;

const IDENTIFIER = /^[A-Za-z0-9_]+$/;
const SELECT = /^([A-Za-z0-9_.]+)(?:@([A-Za-z0-9_]+))?$/;
/** Characters of a word that needs no quotes; `\"` stands for a double quote. */
const WORD = /^(?:\\"|[A-Za-z0-9._!%$^\\+[\]?(){}#&*\-/<=>@;,|])+$/;

/**
 * Reads a query in LQL: all of the text or none of it. Throws a ServiceError (invalid_argument) with the place for what
 * is not in the grammar (syntax), then for what is too long or contradicts itself (unsupported).
 */
export function parseLql(text: string): LqlQuery {
  checkText(text);
  const clauses: Clause[] = [];
  const regexes = new RegexChecker(text);
  for (let at = skipSpace(text, 0); at < text.length; ) {
    const lexemes = readClause(text, at);
    clauses.push(parseClause(text, lexemes, regexes));
    at = skipSpace(text, lexemes.end);
  }
  const query = { clauses };
  checkLimits(text, query);
  return query;
}

function parseClause(text: string, lexemes: ClauseLexemes, regexes: RegexChecker): Clause {
  if (lexemes.kind === 'word') return filter(lexemes, parseWord(text, lexemes, regexes));
  switch (lexemes.path) {
    case 'f':
    case 'from':
      return parseFrom(text, unsigned(text, lexemes));
    case 's':
    case 'select':
      return parseSelect(text, unsigned(text, lexemes));
    case 'c':
    case 'chart':
      return parseChart(text, unsigned(text, lexemes));
    case 't':
    case 'timestamp':
      return filter(lexemes, parseTime(text, lexemes));
    default:
      return filter(lexemes, parseField(text, lexemes, regexes));
  }
}

function filter({ at, negated }: ClauseLexemes, condition: Condition): Clause {
  return { kind: 'filter', at, negated, condition };
}

function unsigned(text: string, lexemes: PathLexemes): PathLexemes {
  if (lexemes.negated) throw misplacedMinus(text, lexemes.at);
  return lexemes;
}

function parseFrom(text: string, lexemes: PathLexemes): Clause {
  const source = plainValue(lexemes);
  if (source === null || !IDENTIFIER.test(source)) {
    throw malformed(text, lexemes, 'expected the name of a source, as in f:edge_logs');
  }
  return { kind: 'from', at: lexemes.at, source };
}

function parseSelect(text: string, lexemes: PathLexemes): Clause {
  const value = plainValue(lexemes);
  if (value === '*') return { kind: 'select_all', at: lexemes.at };
  const [, path, alias] = SELECT.exec(value ?? '') ?? [];
  if (path === undefined) {
    throw malformed(text, lexemes, 'expected *, a path or path@alias, as in s:m.request.method@verb');
  }
  return { kind: 'select', at: lexemes.at, path: fullPath(path), alias: alias ?? null };
}

function parseWord(text: string, { at, isRegex, value, end }: WordLexemes, regexes: RegexChecker): Condition {
  if (value.form === 'bare' && value.text === '') throw unreadable(text, at, text.slice(at, end));
  const word = value.form === 'quoted' ? value.text : readWord(text, value);
  if (!isRegex) return { kind: 'message_contains', text: word };
  regexes.check(value.at, word);
  return { kind: 'message_matches', regex: word };
}

function readWord(text: string, { text: word, at }: Lexeme): string {
  if (!WORD.test(word)) throw unreadable(text, at, word);
  return word.replaceAll('\\"', '"');
}
