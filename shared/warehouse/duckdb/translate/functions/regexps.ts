import { BOOL, type SqlType, STRING } from '../../../../sql/types/sql-type.ts';
import { bigint, duck, joined, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { raiseText, textSql, withLocals } from './fragments.ts';
import { BETWEEN_BYTES } from './javascript/regexp-functions.ts';
import { onBytes } from './latin1.ts';
import { rarestPart } from './rare-text.ts';
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
      /** A text that is in whatever the pattern matches, and in few others; null where none is known. */
      readonly requiredText: string | null;
    }
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'dynamic'; readonly regexp: Sql };

function readPattern(site: CallSite): Pattern {
  const text = literalValue(site, 1);
  if (typeof text !== 'string') return { kind: 'dynamic', regexp: argument(site, 1) };
  const checked = site.context.checkRe2(text);
  if (checked.kind !== 'valid') {
    if (text.includes('\\C')) throw notSupported(`${site.name} with \\C in the pattern`);
    return { kind: 'invalid', message: `Cannot parse regular expression: ${checked.complaint}` };
  }
  const { portable, requiredTexts } = checked;
  return {
    kind: 'literal',
    text: portable,
    regexp: textSql(portable),
    structure: readStructure(portable),
    requiredText: isAtStart(portable) ? null : rarestPart(requiredTexts),
  };
}

/** Whether a pattern is of how a value starts: RE2 gives up most values at their first letters. */
function isAtStart(pattern: string): boolean {
  return /^\^(?!\.[*+])/.test(pattern);
}

/** What DuckDB reads right by itself, and runs fastest: text without operators, in which signs of host names may be escaped. */
const PLAIN_FORM = String.raw`\^?(?:[^\\^$.|?*+()\[\]{}]|\\[-./])*`;

/**
 * Whether a value has a match. DuckDB's optimizer makes LIKE of constant patterns, and loses anchors and empty groups that do
 * not stand where it expects them; it leaves a capturing group alone. A parameter's value is such a constant too.
 */
function matches(value: Sql, pattern: Exclude<Pattern, { kind: 'invalid' }>): Sql {
  if (pattern.kind === 'literal') {
    const matched = duck`regexp_matches(${value}, ${textSql(`(${pattern.text})`)})`;
    return whereFound(value, pattern, matched, word('false'));
  }
  // Only a valid pattern may be put in parentheses: they would mend `a)|(b`. One with \Q may end without \E.
  const grouped = withLocals(
    [pattern.regexp],
    (text) =>
      duck`CASE WHEN regexp_full_match(${text}, ${textLiteral(PLAIN_FORM)}) THEN ${text} WHEN regexp_matches('', ${text}) IS NULL THEN NULL WHEN contains(${text}, '\\Q') THEN '()' || ${text} ELSE '(' || ${text} || ')' END`,
  );
  return duck`regexp_matches(${value}, ${grouped})`;
}

/**
 * SQL that reads a value by a regular expression, only where the value has the text that each match has: to look for that takes a third
 * to two thirds of the time. A value that is NULL, and one that has the text, is read as it would be without. CASE alone looks at its
 * branches for the rows that take them, wherever it stands.
 */
function whereFound(value: Sql, { requiredText }: LiteralPattern, read: Sql, otherwise: Sql): Sql {
  if (requiredText === null || !isReadAgain(value)) return read;
  return duck`CASE WHEN NOT contains(${value}, ${textSql(requiredText)}) THEN ${otherwise} ELSE ${read} END`;
}

/** The error of a pattern, for every row that has a value. */
function refuseRows(value: Sql, message: string, type: SqlType): Sql {
  return duck`CASE WHEN ${value} IS NOT NULL THEN ${raiseText(message, type)} END`;
}

const contains: CallTranslator = (site) => {
  const pattern = readPattern(site);
  const value = argument(site, 0);
  if (pattern.kind === 'invalid') return refuseRows(value, pattern.message, BOOL);
  const plain = pattern.kind === 'literal' ? plainTexts(pattern.text) : null;
  if (plain !== null && (plain.length === 1 || isReadAgain(value))) return containsAny(value, plain);
  return withinWork(site, (bound) => {
    const regexp = pattern.kind === 'dynamic' ? { ...pattern, regexp: argument(bound, 1) } : pattern;
    return matches(argument(bound, 0), regexp);
  });
};

/** What a pattern without operators looks for: a text, perhaps only where the value starts or ends. */
interface PlainPattern {
  readonly text: string;
  readonly isAtStart: boolean;
  readonly isAtEnd: boolean;
}

/** From so many on, reading a value once for all of them is faster: 0.1 µs for each text of 100 letters, 0.8 µs for a regular expression. */
const MOST_TEXTS = 6;

/** The texts of which one has to be found, `a|b|^c` or the same in parentheses; null for a pattern with other operators. */
function plainTexts(pattern: string): readonly PlainPattern[] | null {
  const [, body = pattern] = /^\((?:\?:)?([^()]*)\)$/.exec(pattern) ?? [];
  const texts = body.split('|').map(plainText);
  const known = texts.filter((text) => text !== null);
  return known.length === texts.length && texts.length <= MOST_TEXTS ? known : null;
}

/** Most characters of SQL that is written once for each text; DuckDB computes what is equal once. */
const MOST_SQL = 200;

function isReadAgain(value: Sql): boolean {
  const { isVolatile, hasSubquery, mayRaise } = value.properties;
  return value.isAtom || (value.size <= MOST_SQL && !isVolatile && !hasSubquery && !mayRaise);
}

function containsAny(value: Sql, texts: readonly PlainPattern[]): Sql {
  const found = texts.map((text) => containsText(value, text));
  return found.length === 1 ? duck`${found[0]}` : duck`(${joined(found, ' OR ')})`;
}

function plainText(pattern: string): PlainPattern | null {
  const isAtStart = pattern.startsWith('^');
  const isAtEnd = pattern.endsWith('$');
  const body = pattern.slice(isAtStart ? 1 : 0, isAtEnd ? -1 : undefined);
  if (!/^(?:[^\\^$.|?*+()[\]{}]|\\[./\-_ :"'#%&,;=@])*$/.test(body)) return null;
  return { text: body.replace(/\\(.)/g, '$1'), isAtStart, isAtEnd };
}

/** DuckDB skips row groups for a start and for the whole value, by their least and greatest values. */
function containsText(value: Sql, { text, isAtStart, isAtEnd }: PlainPattern): Sql {
  if (isAtStart && isAtEnd) return duck`(${value} = ${textSql(text)})`;
  const name = isAtStart ? 'starts_with' : isAtEnd ? 'ends_with' : 'contains';
  return duck`${word(name)}(${value}, ${textSql(text)})`;
}

/** REGEXP_EXTRACT: the group's text, or the match's; NULL where nothing matches, where DuckDB gives empty text. */
const extract =
  (isOfBytes: boolean): CallTranslator =>
  (site) =>
    withinWork(site, (bound) => extractPart(bound, argument(bound, 0), isOfBytes));

const ONE = bigint(1n);

/** A call of JavaScript, which refuses some patterns for some texts. */
function inJavaScript(pattern: Pattern, call: Sql): Sql {
  const mayRefuse =
    pattern.kind === 'dynamic' || (pattern.kind === 'literal' && pattern.text.includes(BETWEEN_BYTES));
  return mayRefuse ? call.refusing() : call.raising();
}

const NOWHERE = bigint(2n ** 63n - 1n);

/**
 * Where a search begins, as JavaScript reads it: GoogleSQL counts characters, and the text ends after as many of them as it has bytes. A
 * character that stands for a byte is one of these.
 */
function startOf(value: Sql, position: Sql | undefined, isOfBytes: boolean): Sql {
  if (position === undefined || !isOfBytes) return position ?? ONE;
  return withLocals(
    [position],
    (from) => duck`CASE WHEN ${from} > greatest(length(${value}), 1) THEN ${NOWHERE} ELSE ${from} END`,
  );
}

function extractPart(site: CallSite, value: Sql, isOfBytes: boolean): Sql {
  const pattern = readPattern(site);
  const position = site.sql[2] === undefined ? 1n : literalValue(site, 2);
  const occurrence = site.sql[3] === undefined ? 1n : literalValue(site, 3);
  const isKnown = typeof position === 'bigint' && occurrence === 1n;
  if (pattern.kind !== 'literal' || !isKnown || position < 1n || !isSimple(pattern.structure)) {
    const places = duck`${startOf(value, site.sql[2], isOfBytes)}, ${site.sql[3] ?? ONE}`;
    return inJavaScript(pattern, duck`gsql_regexp_extract(${value}, ${argument(site, 1)}, ${places})`);
  }
  if (position === 1n) return extractFrom(pattern, value);
  return withLocals([value], (text) => {
    const size = isOfBytes ? duck`length(${text})` : duck`strlen(${text})`;
    const rest = duck`CASE WHEN ${size} >= ${position} THEN substring(${text}, ${position}) END`;
    return extractFrom(pattern, rest);
  });
}

/** Whether DuckDB says what a match's group is: it gives empty text for one that takes no part. */
function isSimple({ groups, isGroupOptional, isGroupNeverEmpty }: RegexpStructure): boolean {
  return groups === 0 || (groups === 1 && (!isGroupOptional || isGroupNeverEmpty));
}

type LiteralPattern = Extract<Pattern, { kind: 'literal' }>;

/** What comes before the position takes no part in the match: `^` stands for the position itself. */
function extractFrom(pattern: LiteralPattern, value: Sql): Sql {
  const { regexp, structure } = pattern;
  const group = structure.groups;
  const isNeverEmpty = group === 0 ? structure.isNeverEmpty : structure.isGroupNeverEmpty;
  if (isNeverEmpty) {
    const found = duck`nullif(regexp_extract(${value}, ${regexp}, ${group}), '')`;
    return whereFound(value, pattern, found, word('NULL'));
  }
  return withLocals(
    [value],
    (text) => duck`CASE WHEN ${matches(text, pattern)} THEN regexp_extract(${text}, ${regexp}, ${group}) END`,
  );
}

const extractAll: CallTranslator = (site) =>
  withinWork(site, (bound) => extractMatches(bound, argument(bound, 0)));

function extractMatches(site: CallSite, value: Sql): Sql {
  const pattern = readPattern(site);
  if (pattern.kind === 'literal' && pattern.structure.groups <= 1) {
    const { isNeverEmpty, isGroupOptional, groups } = pattern.structure;
    if (isNeverEmpty && !isGroupOptional)
      return duck`regexp_extract_all(${value}, ${pattern.regexp}, ${groups})`;
  }
  return withinMatches(site, value, (text) =>
    inJavaScript(pattern, duck`gsql_regexp_extract_all(${text}, ${argument(site, 1)})`),
  );
}

const replace: CallTranslator = (site) =>
  withinWork(site, (bound) => replaceMatches(bound, argument(bound, 0)));

function replaceMatches(site: CallSite, value: Sql): Sql {
  const pattern = readPattern(site);
  const replacement = literalValue(site, 2);
  if (pattern.kind !== 'literal' || typeof replacement !== 'string')
    return inJavaScript(
      pattern,
      duck`gsql_regexp_replace(${value}, ${argument(site, 1)}, ${argument(site, 2)})`,
    );
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

/** REGEXP_INSTR: the position of the first match is how much text lies before it, and one more. */
const position =
  (isOfBytes: boolean): CallTranslator =>
  (site) =>
    withinWork(site, (bound) => positionOf(bound, argument(bound, 0), isOfBytes));

/** DuckDB's own positions end here; no text is that long. */
const MAX_POSITION = 2n ** 32n - 1n;

function positionOf(site: CallSite, value: Sql, isOfBytes: boolean): Sql {
  const start = site.sql[2] === undefined ? 1n : literalValue(site, 2);
  const pattern = readPattern(site);
  const isPlain =
    pattern.kind === 'literal' && pattern.structure.groups === 0 && pattern.structure.isNeverEmpty;
  if (!isPlain || typeof start !== 'bigint' || start < 1n || site.sql.length > 3) {
    const [, regexp, from, occurrence = ONE, after = bigint(0n)] = site.sql;
    return inJavaScript(
      pattern,
      duck`gsql_regexp_instr(${value}, ${regexp}, ${startOf(value, from, isOfBytes)}, ${occurrence}, ${after})`,
    );
  }
  const before = textSql(`^((?s:.*?))(?:${pattern.text})`);
  const searched =
    start === 1n ? value : duck`substring(${value}, ${start < MAX_POSITION ? start : MAX_POSITION})`;
  return withLocals([searched], (text) => {
    const found = duck`length(regexp_extract(${text}, ${before}, 1)) + ${start}`;
    return duck`CASE WHEN ${matches(text, pattern)} THEN ${found} WHEN ${text} IS NOT NULL THEN 0 END`;
  });
}

/** A function of text and BYTES in which a position counts characters of the one and bytes of the other. */
const withPosition =
  (translator: (isOfBytes: boolean) => CallTranslator): CallTranslator =>
  (site) =>
    onBytes(translator(argumentType(site, 0).kind === 'BYTES'))(site);

/** Regular expressions. DuckDB and GoogleSQL both have RE2, with the same defaults. */
export const REGEXPS: CallTranslators = {
  REGEXP_CONTAINS: onBytes(contains),
  REGEXP_EXTRACT: withPosition(extract),
  REGEXP_SUBSTR: withPosition(extract),
  REGEXP_EXTRACT_ALL: onBytes(extractAll),
  REGEXP_REPLACE: onBytes(replace),
  REGEXP_INSTR: withPosition(position),
};
