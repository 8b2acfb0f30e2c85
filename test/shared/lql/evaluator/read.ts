import { RE2JS } from 're2js';
import {
  AGGREGATES,
  type AggregateName,
  type Clause,
  type FieldTest,
  LEVELS,
  type Level,
  LqlFault,
  type Order,
  PERIODS,
  type Period,
  type Query,
} from './model.ts';
import { readTimeTest } from './read-time.ts';

const NUMBER = '\\d+(?:\\.\\d+)?';
const DATE = '\\d{4}-\\d\\d-\\d\\d(?:T\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,6})?(?:Z|[+-]\\d\\d:\\d\\d)?)?';
const PLAIN = new RegExp(`^(?:[A-Za-z0-9_]+|${NUMBER}|${DATE})$`);
const RANGE = new RegExp(`^(?:(${NUMBER})\\.\\.(${NUMBER})|(${DATE})\\.\\.(${DATE}))$`);
const WORD = /^(?:\\"|[A-Za-z0-9._!%$^\\+[\]?(){}#&*\-/<=>@;,|])+$/;
const QUOTED = /^"((?:\\["\\]|\\(?!["\\])|[^"\\])*)"/;

/** Reads a query by the grammar of the reference alone. */
export function readLql(text: string): Query {
  const clauses: Clause[] = [];
  let rest = text.replace(/^[ \t\r\n]+/, '');
  while (rest !== '') {
    const negated = rest.startsWith('-');
    const start = negated ? rest.slice(1) : rest;
    const { clause, length } = readClause(start, negated);
    clauses.push(clause);
    rest = start.slice(length);
    if (rest !== '' && !/^[ \t\r\n]/.test(rest)) throw unreadable(rest);
    rest = rest.replace(/^[ \t\r\n]+/, '');
  }
  return clauses;
}

interface Read {
  readonly clause: Clause;
  /** How many characters the clause takes. */
  readonly length: number;
}

function readClause(text: string, negated: boolean): Read {
  const token = /^[^ \t\r\n]*/.exec(text)?.[0] ?? '';
  const keyword = /^(?:f|from|s|select|c|chart|t|timestamp):/.exec(token)?.[0] ?? '';
  const rest = token.slice(keyword.length);
  const length = token.length;
  if (keyword.startsWith('t')) {
    return { clause: { kind: 'time', negated, test: readTimeTest(`:${rest}`) }, length };
  }
  if (keyword !== '' && negated) throw new LqlFault('syntax', "'-' must precede a filter");
  switch (keyword[0]) {
    case 'f':
      if (!/^[A-Za-z0-9_]+$/.test(rest)) throw unreadable(token);
      return { clause: { kind: 'from', source: rest }, length };
    case 's':
      return { clause: readSelect(rest), length };
    case 'c':
      return { clause: readChart(rest), length };
    default:
      return readFilter(text, token, negated);
  }
}

function readSelect(text: string): Clause {
  if (text === '*') return { kind: 'select', path: null, alias: null };
  const [, path, alias = null] = /^([A-Za-z0-9_.]+)(?:@([A-Za-z0-9_]+))?$/.exec(text) ?? [];
  if (path === undefined) throw unreadable(text);
  return { kind: 'select', path: wholePath(path), alias };
}

function readChart(text: string): Clause {
  const [, written] = /^group_by\((?:t|timestamp)::([a-z]+)\)$/.exec(text) ?? [];
  const period = PERIODS.find((one) => one === written || one[0] === written);
  if (period !== undefined) return { kind: 'group', period: period satisfies Period };
  const [, name, path] = /^([a-z0-9]+)\((\*|[A-Za-z0-9_.]+)\)$/.exec(text) ?? [];
  const aggregate: AggregateName | undefined = AGGREGATES.find((one) => one === name);
  if (aggregate === undefined || path === undefined) throw unreadable(text);
  return { kind: 'aggregate', name: aggregate, path: path === '*' ? null : wholePath(path) };
}

function readFilter(text: string, token: string, negated: boolean): Read {
  const [head, path] = /^([A-Za-z0-9_.]+):/.exec(text) ?? [];
  if (head !== undefined && path !== undefined) {
    const { length, ...clause } = readField(wholePath(path), text.slice(head.length), negated);
    return { clause, length: head.length + length };
  }
  const regex = text.startsWith('~');
  const start = regex ? 1 : 0;
  const quoted = readQuoted(text.slice(start));
  const word = token.slice(start);
  if (quoted === null && !WORD.test(word)) throw unreadable(token);
  const message = quoted?.text ?? word.replaceAll('\\"', '"');
  if (regex) checkRegex(message);
  const length = start + (quoted?.length ?? word.length);
  return { clause: { kind: 'message', negated, regex, text: message }, length };
}

type FieldClause = Extract<Clause, { kind: 'field' | 'levels' }> & { readonly length: number };

function readField(path: string, text: string, negated: boolean): FieldClause {
  const operator = /^(?:@>~|@>|~|>=|<=|>|<)?/.exec(text)?.[0] ?? '';
  const start = text.slice(operator.length);
  const token = /^[^ \t\r\n]*/.exec(start)?.[0] ?? '';
  const quoted = readQuoted(start) ?? readParens(start);
  const length = operator.length + (quoted?.length ?? token.length);
  const field = (test: FieldTest): FieldClause => ({ kind: 'field', negated, path, test, length });
  if (quoted === null && operator === '') {
    if (token === 'NULL') return field({ kind: 'null' });
    const [, a, b, c, d] = RANGE.exec(token) ?? [];
    const [from, to] = [a ?? c, b ?? d];
    if (from !== undefined && to !== undefined) return field({ kind: 'between', from, to });
    const [low, high, ...more] = token.split('..');
    if (path === 'metadata.level' && low !== undefined && high !== undefined && more.length === 0) {
      return { kind: 'levels', negated, from: readLevel(low), to: readLevel(high), length };
    }
  }
  if (quoted === null && (!PLAIN.test(token) || token === 'NULL')) throw unreadable(token);
  return field(valueTest(operator, quoted?.text ?? token));
}

function valueTest(operator: string, value: string): FieldTest {
  switch (operator) {
    case '~':
      checkRegex(value);
      return { kind: 'matches', pattern: value };
    case '@>~':
      checkRegex(value);
      return { kind: 'containsMatch', pattern: value };
    case '@>':
      return { kind: 'contains', value };
    default:
      return { kind: 'compare', order: `:${operator}` as Order, value };
  }
}

function readLevel(name: string): Level {
  const level = LEVELS.find((one) => one === name);
  if (level === undefined) throw new LqlFault('syntax', `unknown level '${name}'`);
  return level;
}

interface QuotedText {
  readonly text: string;
  readonly length: number;
}

function readQuoted(text: string): QuotedText | null {
  if (!text.startsWith('"')) return null;
  const [whole, inner = ''] = QUOTED.exec(text) ?? [];
  if (whole === undefined) throw new LqlFault('syntax', 'unterminated double quote');
  return { text: inner.replaceAll(/\\(["\\])/g, '$1'), length: whole.length };
}

function readParens(text: string): QuotedText | null {
  if (!text.startsWith('(')) return null;
  const end = text.indexOf(')');
  if (end === -1) throw new LqlFault('syntax', 'unterminated parenthesis');
  return { text: text.slice(1, end).replaceAll(/\\(["\\])/g, '$1'), length: end + 1 };
}

function wholePath(path: string): string {
  return path.replace(/^m\./, 'metadata.');
}

function checkRegex(pattern: string): void {
  try {
    RE2JS.compile(pattern);
  } catch (error) {
    throw new LqlFault('syntax', `'${pattern}' is no regular expression: ${String(error)}`);
  }
}

function unreadable(text: string): LqlFault {
  return new LqlFault('syntax', `cannot read '${text}'`);
}
