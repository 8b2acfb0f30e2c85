import { STRING } from '../../../../sql/types/sql-type.ts';
import { duck, type Sql, textLiteral } from '../duck/sql.ts';
import { argument, type CallTranslator, literalValue } from './call-site.ts';
import { raiseText, refuseWhere, textSql, withLocals } from './fragments.ts';
import { MAX_SPLIT_SIZE } from './sizes.ts';
import { SPECIAL_LOWER, SPECIAL_UPPER } from './special-letters.ts';

/** Letters that INITCAP would have to map to more than one, or that have a form of their own at the start of a word. */
const SPECIAL_TITLE = `${SPECIAL_UPPER}${SPECIAL_LOWER}\u01c4-\u01cc\u01f1-\u01f3\u10d0-\u10ff`;

const DELIMITERS = ' \t\n\v\f\r[](){}/|<>!?@"^#$&~_,.:;*%+-';

/** Most characters that delimiters may have; they become a class of a regular expression. */
const MAX_DELIMITERS = 1_000;

/** What means something in a class of a regular expression. */
const CLASS_MARKS = String.raw`([!-/:-@\[-\x60{-~])`;

/**
 * INITCAP: a word ends with the delimiter after it, so that all words together are the text and each begins with the one
 * letter that is upper case. Delimiters that may be letters stand by themselves.
 */
export const initcap: CallTranslator = (site) => {
  const given = site.sql[1] === undefined ? DELIMITERS : literalValue(site, 1);
  const delimiters = site.sql[1] ?? textSql(DELIMITERS);
  return withLocals([argument(site, 0), delimiters], (text, marks) => {
    const words = duck`regexp_extract_all(${text}, ${typeof given === 'string' ? textSql(wordPattern(given)) : dynamicPattern(marks)})`;
    const word = duck`upper(left(w, 1)) || lower(substring(w, 2))`;
    const piece = hasLetters(given)
      ? duck`CASE WHEN contains(${marks}, left(w, 1)) THEN w ELSE ${word} END`
      : word;
    const written = duck`list_transform(${words}, lambda w: ${piece})`;
    const special = raiseText(
      'not supported by the embedded engine: INITCAP of letters with a special case mapping',
      STRING,
    );
    const made = duck`CASE WHEN ${marks} IS NULL THEN NULL WHEN regexp_matches(${text}, ${textLiteral(`[${SPECIAL_TITLE}]`)}) THEN ${special} ELSE array_to_string(${written}, '') END`;
    const bounded = refuseWhere(
      duck`strlen(${text}) > ${MAX_SPLIT_SIZE}`,
      `INITCAP takes at most ${MAX_SPLIT_SIZE} bytes of text`,
      STRING,
      made,
    );
    if (typeof given === 'string' && given.length <= MAX_DELIMITERS) return bounded;
    return refuseWhere(
      duck`length(${marks}) > ${MAX_DELIMITERS}`,
      `INITCAP takes at most ${MAX_DELIMITERS} delimiters`,
      STRING,
      bounded,
    );
  });
};

/** Matches a word with the delimiter after it, or a word and a delimiter that may be a letter by themselves. */
function wordPattern(delimiters: string): string {
  const marks = delimiters.replace(new RegExp(CLASS_MARKS, 'g'), '\\$1');
  if (marks === '') return '(?s).+';
  return hasLetters(delimiters) ? `[^${marks}]+|[${marks}]` : `[^${marks}]*[${marks}]+|[^${marks}]+`;
}

/** Whether delimiters may be letters, which keep their case. */
function hasLetters(delimiters: unknown): boolean {
  return typeof delimiters !== 'string' || /\p{L}|\p{M}|\p{N}/u.test(delimiters);
}

/** The same as SQL, for delimiters that are known only when the query runs. */
function dynamicPattern(delimiters: Sql): Sql {
  const marks = duck`regexp_replace(${delimiters}, ${textSql(CLASS_MARKS)}, '\\\\\\1', 'g')`;
  return duck`CASE WHEN ${delimiters} = '' THEN '(?s).+' ELSE '[^' || ${marks} || ']+|[' || ${marks} || ']' END`;
}
