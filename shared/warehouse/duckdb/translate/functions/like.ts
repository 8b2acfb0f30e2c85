import { escapePattern } from '../../../../re2/escape-pattern.ts';
import { BOOL } from '../../../../sql/types/sql-type.ts';
import { duck, filtered, joined, mapped, type Sql, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { argument, type CallTranslator, literalValue } from './call-site.ts';
import { raiseText, refuseWhere, textSql, withLocals } from './fragments.ts';
import { onBytes } from './latin1.ts';
import { translateLiteral } from './literals.ts';

/** Most wildcards of a pattern that is matched by a regular expression. */
const MAX_WILDCARDS = 100;
/** Most characters of a literal pattern that is tried at each place of a text. */
const MAX_TRIED = 50;
/** Most characters of a pattern of several parts that is no literal. */
const MAX_DYNAMIC = 1_000;
/** The most that a text and a pattern that is no literal may be, multiplied by each other, in bytes. */
const MAX_WORK = 100_000_000;

/**
 * `text LIKE pattern`. A pattern that ends with an open backslash raises an error in SQL, for a literal even where the
 * text is NULL.
 */
export const like: CallTranslator = (site) => {
  const pattern = literalValue(site, 1);
  const value = argument(site, 0);
  if (pattern === undefined) return likeDynamic(value, argument(site, 1));
  // The one pattern of all rows is read before any of them, also where the value is NULL.
  if (endsInBackslash(String(pattern))) return raiseText(BACKSLASH, BOOL);
  return likeLiteral(value, argument(site, 1), String(pattern));
};

const BACKSLASH = 'LIKE pattern ends with a backslash';

function endsInBackslash(pattern: string): boolean {
  return (/\\*$/.exec(pattern)?.[0].length ?? 0) % 2 === 1;
}

/** `x LIKE ANY (a, b)`: as `x LIKE a OR x LIKE b`. */
export function quantifiedLike(operator: 'OR' | 'AND'): CallTranslator {
  return (site) =>
    withLocals([argument(site, 0)], (text) => {
      const tests = site.sql.slice(1).map((pattern, index) => {
        const known = literalValue(site, index + 1);
        return known === undefined ? likeDynamic(text, pattern) : likeLiteral(text, pattern, String(known));
      });
      return duck`(${joined(tests, ` ${operator} `)})`;
    });
}

/** `x LIKE ANY UNNEST(array)`: false for an array that is empty or NULL, and for ALL true. */
export function likeInArray(operator: 'OR' | 'AND'): CallTranslator {
  const ofList = onBytes(quantifiedLike(operator));
  const ofArray = onBytes(likeAmong(operator));
  return (site) => {
    const [value, array] = site.arguments;
    const elements = array?.kind === 'array' ? array.elements : [];
    const patterns = elements.filter((element) => element.kind === 'literal');
    if (value === undefined || patterns.length === 0 || patterns.length < elements.length)
      return ofArray(site);
    const sql = [argument(site, 0), ...patterns.map(translateLiteral)];
    return ofList({ ...site, arguments: [value, ...patterns], sql });
  };
}

/** Each pattern is matched by itself, so their limits are for all patterns together. */
function likeAmong(operator: 'OR' | 'AND'): CallTranslator {
  const decisive = word(operator === 'OR' ? 'true' : 'false');
  const otherwise = word(operator === 'OR' ? 'false' : 'true');
  return (site) =>
    withLocals([argument(site, 0), argument(site, 1)], (text, list) => {
      const sizeOf = (patterns: Sql) =>
        duck`coalesce(list_sum(${mapped(patterns, (one) => duck`strlen(${one})`)}), 0)`;
      const complex = filtered(list, (one) => duck`NOT ${isPlain(one)}`);
      const answers = withLocals(
        [mapped(list, (pattern) => likeDynamic(text, pattern))],
        (all) =>
          duck`CASE WHEN list_contains(${all}, ${decisive}) THEN ${decisive} WHEN list_count(${all}) < len(${all}) THEN NULL ELSE ${otherwise} END`,
      );
      const isLong = duck`strlen(${text})::DOUBLE * ${sizeOf(list)} > ${MAX_WORK}`;
      const limited = refuseWhere(duck`${sizeOf(complex)} > ${MAX_DYNAMIC}`, COMPLEX, BOOL, answers);
      return duck`CASE WHEN ${list} IS NULL OR len(${list}) = 0 THEN ${otherwise} WHEN ${text} IS NULL THEN NULL ELSE ${refuseWhere(isLong, LONG, BOOL, limited)} END`;
    });
}

function likeLiteral(value: Sql, patternSql: Sql, pattern: string): Sql {
  if (endsInBackslash(pattern))
    return duck`CASE WHEN ${value} IS NOT NULL THEN ${raiseText(BACKSLASH, BOOL)} END`;
  const parts = [...pattern.matchAll(/\\[\s\S]|%+|_|[^\\%_]+/gu)].map(([part]) => part);
  const isMixed = parts.some((part) => part === '_' || part.startsWith('\\'));
  const open = parts.filter((part) => part.startsWith('%')).length;
  // DuckDB reads a text once for patterns of % and letters alone. For others it tries every combination of places.
  if (isMixed && open > 0 && (open > 1 || pattern.length > MAX_TRIED))
    return duck`regexp_full_match(${value}, ${textSql(regexpOf(parts))})`;
  return pattern.includes('\\')
    ? duck`(${value} LIKE ${patternSql} ESCAPE '\\')`
    : duck`(${value} LIKE ${patternSql})`;
}

/** The same as a regular expression, with all that stands between two wildcards as it is. */
function regexpOf(parts: readonly string[]): string {
  if (parts.filter((part) => part === '_').length > MAX_WILDCARDS)
    throw notSupported(`LIKE with a pattern of % and more than ${MAX_WILDCARDS} times _`);
  const written = parts.map((part) => {
    if (part.startsWith('%')) return '.*';
    return part === '_' ? '.' : escapePattern(part.startsWith('\\') ? part.slice(1) : part);
  });
  return `(?s)${written.join('')}`;
}

const LONG = `LIKE with a pattern that is not a literal takes at most ${MAX_WORK} bytes of text times bytes of pattern`;
const COMPLEX = `LIKE with _, or parts between several %, takes at most ${MAX_DYNAMIC} characters of pattern that is not a literal`;

/** Whether DuckDB reads the text once for a pattern. */
const isPlain = (pattern: Sql): Sql => duck`regexp_full_match(${pattern}, '(?s)%?[^%_\\\\]*%?')`;

/** A pattern that is known only when the query runs. DuckDB tries the places of one that has more than a part to look for. */
function likeDynamic(value: Sql, pattern: Sql): Sql {
  return withLocals([value, pattern], (text, wanted) => {
    const regexp = duck`regexp_full_match(${text}, '(?s)' || gsql_like_regexp(${wanted}))`;
    const matched = refuseWhere(duck`length(${wanted}) > ${MAX_DYNAMIC}`, COMPLEX, BOOL, regexp);
    const tried = duck`(${text} LIKE gsql_like_pattern(${wanted}) ESCAPE '\\')`;
    return refuseWhere(
      duck`strlen(${text})::DOUBLE * strlen(${wanted}) > ${MAX_WORK}`,
      LONG,
      BOOL,
      duck`CASE WHEN ${isPlain(wanted)} THEN ${tried} ELSE ${matched} END`,
    );
  });
}
