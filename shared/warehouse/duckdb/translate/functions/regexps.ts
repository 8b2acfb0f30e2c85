import { arrayOf, BOOL, INT64, type SqlType, STRING } from '../../../../sql/types/sql-type.ts';
import { duck, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { allDynamicMatches, allMatches } from './all-matches.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { raiseText, textSql, withLocals } from './fragments.ts';
import { withinMatches, withinReplacement, withinWork } from './regexp-limits.ts';
import { type RegexpStructure, readStructure } from './regexp-structure.ts';

/** A pattern of a call: a literal that was checked, one that is no regular expression, or one known only when it runs. */
type Pattern =
  | {
      readonly kind: 'literal';
      readonly text: string;
      /** SQL of the text. */
      readonly regexp: Sql;
      readonly structure: RegexpStructure;
    }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'dynamic'; readonly regexp: Sql };

function readPattern(site: CallSite): Pattern {
  if (argumentType(site, 0).kind === 'BYTES') throw notSupported(`${site.name} on BYTES`);
  const text = literalValue(site, 1);
  if (typeof text !== 'string') return { kind: 'dynamic', regexp: argument(site, 1) };
  const checked = site.context.checkRe2(text);
  if (checked.kind !== 'valid') {
    return { kind: 'invalid', message: `Cannot parse regular expression: ${checked.complaint}` };
  }
  const { portable } = checked;
  return { kind: 'literal', text: portable, regexp: textSql(portable), structure: readStructure(portable) };
}

/** What DuckDB reads right by itself, and runs fastest: text without operators. */
const PLAIN_FORM = String.raw`\^?[^\\^$.|?*+()\[\]{}]*`;

/**
 * Whether a value has a match. DuckDB's optimizer makes LIKE of constant patterns, and loses anchors and empty groups that do
 * not stand where it expects them; it leaves a capturing group alone. A parameter's value is such a constant too.
 */
function matches(value: Sql, pattern: Exclude<Pattern, { kind: 'invalid' }>): Sql {
  if (pattern.kind === 'literal') return duck`regexp_matches(${value}, ${textSql(`(${pattern.text})`)})`;
  // Only a valid pattern may be put in parentheses: they would mend `a)|(b`. One with \Q may end without \E.
  const grouped = withLocals(
    [pattern.regexp],
    (text) =>
      duck`CASE WHEN regexp_full_match(${text}, ${textLiteral(PLAIN_FORM)}) THEN ${text} WHEN regexp_matches('', ${text}) IS NULL THEN NULL WHEN contains(${text}, '\\Q') THEN '()' || ${text} ELSE '(' || ${text} || ')' END`,
  );
  return duck`regexp_matches(${value}, ${grouped})`;
}

/** The error of a pattern, for every row that has a value. */
function refuseRows(value: Sql, message: string, type: SqlType): Sql {
  return duck`CASE WHEN ${value} IS NOT NULL THEN ${raiseText(message, type)} END`;
}

const contains: CallTranslator = (site) => {
  const pattern = readPattern(site);
  const value = argument(site, 0);
  if (pattern.kind === 'invalid') return refuseRows(value, pattern.message, BOOL);
  const plain = pattern.kind === 'literal' ? plainText(pattern.text) : null;
  if (plain !== null)
    return duck`${word(plain.isAnchored ? 'starts_with' : 'contains')}(${value}, ${textSql(plain.text)})`;
  return withinWork(site, (bound) => {
    const regexp = pattern.kind === 'dynamic' ? { ...pattern, regexp: argument(bound, 1) } : pattern;
    return matches(argument(bound, 0), regexp);
  });
};

/** The text that a pattern without metacharacters looks for, perhaps only at the start. */
function plainText(pattern: string): { readonly text: string; readonly isAnchored: boolean } | null {
  const isAnchored = pattern.startsWith('^');
  const body = isAnchored ? pattern.slice(1) : pattern;
  if (!/^(?:[^\\^$.|?*+()[\]{}]|\\[./\-_ :"'#%&,;=@])*$/.test(body)) return null;
  return { text: body.replace(/\\(.)/g, '$1'), isAnchored };
}

const MANY_GROUPS =
  'Regular expressions passed into extraction functions must not have more than 1 capturing group';

/** REGEXP_EXTRACT: the group's text, or the match's; NULL where nothing matches, where DuckDB gives empty text. */
const extract: CallTranslator = (site) => withinWork(site, (bound) => extractPart(bound, argument(bound, 0)));

function extractPart(site: CallSite, value: Sql): Sql {
  const position = site.sql[2] === undefined ? 1n : literalValue(site, 2);
  if (typeof position !== 'bigint') throw notSupported(`${site.name} with a position that is not a literal`);
  if (position < 1n) return refuseRows(value, 'Position must be positive', STRING);
  if (position === 1n) return extractFrom(site, value);
  return withLocals([value], (text) => {
    const rest = duck`CASE WHEN length(${text}) >= ${position} THEN substring(${text}, ${position}) END`;
    return extractFrom(site, rest);
  });
}

/** What comes before the position takes no part in the match: `^` stands for the position itself. */
function extractFrom(site: CallSite, value: Sql): Sql {
  const occurrence = readOccurrence(site);
  const pattern = readPattern(site);
  if (pattern.kind === 'invalid') return refuseRows(value, pattern.message, STRING);
  if (pattern.kind === 'dynamic') {
    if (occurrence !== 1n)
      throw notSupported(`${site.name} with a pattern that is not a literal and an occurrence`);
    return extractDynamic(value, pattern.regexp);
  }
  const { regexp, structure } = pattern;
  if (structure.groups > 1) return refuseRows(value, MANY_GROUPS, STRING);
  const group = structure.groups;
  const isNeverEmpty = group === 0 ? structure.isNeverEmpty : structure.isGroupNeverEmpty;
  if (group === 1 && structure.isGroupOptional && (!isNeverEmpty || occurrence !== 1n)) {
    throw notSupported(`${site.name} with a group that may take no part in a match`);
  }
  if (occurrence !== 1n) return duck`list_extract(${allMatches(value, pattern, site.name)}, ${occurrence})`;
  if (isNeverEmpty) return duck`nullif(regexp_extract(${value}, ${regexp}, ${group}), '')`;
  return withLocals(
    [value],
    (text) => duck`CASE WHEN ${matches(text, pattern)} THEN regexp_extract(${text}, ${regexp}, ${group}) END`,
  );
}

function readOccurrence(site: CallSite): bigint {
  const occurrence = site.sql[3] === undefined ? 1n : literalValue(site, 3);
  if (typeof occurrence !== 'bigint' || occurrence < 1n)
    throw notSupported(`${site.name} with an occurrence that is not a positive literal`);
  return occurrence;
}

function extractDynamic(value: Sql, regexp: Sql): Sql {
  return withLocals([value, regexp], (text, pattern) => {
    const groups = duck`gsql_group_count(${pattern})`;
    const many = raiseText(MANY_GROUPS, STRING);
    const unsure = raiseText(
      'not supported by the embedded engine: a capturing group that matches empty text, in a pattern that is not a literal',
      STRING,
    );
    return duck`CASE WHEN ${groups} > 1 AND ${text} IS NOT NULL THEN ${many} WHEN NOT ${matches(text, { kind: 'dynamic', regexp: pattern })} THEN NULL WHEN ${groups} = 0 THEN regexp_extract(${text}, ${pattern}) WHEN regexp_extract(${text}, ${pattern}, 1) = '' THEN ${unsure} ELSE regexp_extract(${text}, ${pattern}, 1) END`;
  });
}

const extractAll: CallTranslator = (site) =>
  withinWork(site, (bound) => extractMatches(bound, argument(bound, 0)));

function extractMatches(site: CallSite, value: Sql): Sql {
  const pattern = readPattern(site);
  const type = arrayOf(STRING);
  if (pattern.kind === 'invalid') return refuseRows(value, pattern.message, type);
  if (pattern.kind === 'dynamic') {
    return withLocals([value, pattern.regexp], (text, regexp) => {
      const groups = duck`gsql_group_count(${regexp})`;
      const error = raiseText(
        'not supported by the embedded engine: REGEXP_EXTRACT_ALL with groups in a pattern that is not a literal',
        type,
      );
      const found = withinMatches(site, text, (searched) => allDynamicMatches(searched, regexp, site.name));
      return duck`CASE WHEN ${groups} > 0 AND ${text} IS NOT NULL THEN ${error} ELSE ${found} END`;
    });
  }
  const { groups, isGroupOptional } = pattern.structure;
  if (groups > 1) return refuseRows(value, MANY_GROUPS, type);
  if (isGroupOptional) throw notSupported('REGEXP_EXTRACT_ALL with a group that may take no part in a match');
  if (pattern.structure.isNeverEmpty) return allMatches(value, pattern, site.name);
  return withinMatches(site, value, (text) => allMatches(text, pattern, site.name));
}

const replace: CallTranslator = (site) =>
  withinWork(site, (bound) => replaceMatches(bound, argument(bound, 0)));

function replaceMatches(site: CallSite, value: Sql): Sql {
  const pattern = readPattern(site);
  if (pattern.kind === 'invalid') return refuseRows(value, pattern.message, STRING);
  const replacement = literalValue(site, 2);
  if (typeof replacement !== 'string' || pattern.kind === 'dynamic') {
    return withLocals([argument(site, 2)], (text) => {
      const error = raiseText(
        'not supported by the embedded engine: REGEXP_REPLACE with a backslash in a replacement that is not a literal',
        STRING,
      );
      const checked = duck`CASE WHEN contains(${text}, '\\') THEN ${error} ELSE ${text} END`;
      return withinReplacement(
        value,
        text,
        typeof replacement === 'string' ? replacement : null,
        STRING,
        (whole) => duck`regexp_replace(${whole}, ${pattern.regexp}, ${checked}, 'g')`,
      );
    });
  }
  const message = checkReplacement(replacement, pattern.structure.groups);
  if (message !== null) return refuseRows(value, message, STRING);
  const replaced = (whole: Sql) =>
    withinReplacement(
      whole,
      argument(site, 2),
      replacement,
      STRING,
      (text, other) => duck`regexp_replace(${text}, ${pattern.regexp}, ${other}, 'g')`,
    );
  return pattern.structure.isNeverEmpty ? replaced(value) : withinMatches(site, value, replaced);
}

function checkReplacement(replacement: string, groups: number): string | null {
  for (const [, character = ''] of replacement.matchAll(/\\([\s\S]?)/g)) {
    if (character === '\\') continue;
    if (!/\d/.test(character))
      return 'Invalid REGEXP_REPLACE pattern: a backslash must be followed by a digit or a backslash';
    if (Number(character) > groups) {
      return `Invalid REGEXP_REPLACE pattern: it refers to group ${character}, but the expression has ${groups}`;
    }
  }
  return null;
}

/** The position of the first match: how much text lies before it, and one more. */
const position: CallTranslator = (site) => withinWork(site, (bound) => positionOf(bound, argument(bound, 0)));

/** DuckDB's own positions end here; no text is that long. */
const MAX_POSITION = 2n ** 32n - 1n;

function positionOf(site: CallSite, value: Sql): Sql {
  const start = site.sql[2] === undefined ? 1n : literalValue(site, 2);
  if (typeof start !== 'bigint' || site.sql.length > 3)
    throw notSupported('REGEXP_INSTR with an occurrence or a position that is not a literal');
  const pattern = readPattern(site);
  if (pattern.kind === 'invalid') return refuseRows(value, pattern.message, INT64);
  if (start < 1n) return refuseRows(value, 'Position must be positive', INT64);
  if (pattern.kind === 'dynamic' || pattern.structure.groups > 0) {
    throw notSupported('REGEXP_INSTR with a capturing group or a pattern that is not a literal');
  }
  if (literalValue(site, 1) === '') return duck`CASE WHEN ${value} IS NOT NULL THEN 0 END`;
  if (!pattern.structure.isNeverEmpty)
    throw notSupported('REGEXP_INSTR with a pattern that may match empty text');
  const before = textSql(`^((?s:.*?))(?:${pattern.text})`);
  const searched =
    start === 1n ? value : duck`substring(${value}, ${start < MAX_POSITION ? start : MAX_POSITION})`;
  return withLocals([searched], (text) => {
    const found = duck`length(regexp_extract(${text}, ${before}, 1)) + ${start}`;
    return duck`CASE WHEN ${matches(text, pattern)} THEN ${found} WHEN ${text} IS NOT NULL THEN 0 END`;
  });
}

/** Regular expressions. DuckDB and GoogleSQL both have RE2, with the same defaults. */
export const REGEXPS: CallTranslators = {
  REGEXP_CONTAINS: contains,
  REGEXP_EXTRACT: extract,
  REGEXP_SUBSTR: extract,
  REGEXP_EXTRACT_ALL: extractAll,
  REGEXP_REPLACE: replace,
  REGEXP_INSTR: position,
};
