import { STRING } from '../../../../sql/types/sql-type.ts';
import { duck, joined, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  direct,
  isOmitted,
  literalValue,
} from './call-site.ts';
import { raiseText, refuseWhere, textSql, unfolded, withLocals } from './fragments.ts';
import { initcap } from './initcap.ts';
import { instr } from './instr.ts';
import { joinedText } from './joined-text.ts';
import { MAX_FOLDED_SIZE, MAX_JOINED_BYTES, MAX_TEXT_BYTES } from './sizes.ts';
import { SPECIAL_LOWER, SPECIAL_UPPER } from './special-letters.ts';
import { textOf } from './value-text.ts';

/** Unicode's White_Space, which TRIM cuts off. */
const WHITESPACE =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** Only the STRING form of a function. */
function onText(translator: CallTranslator): CallTranslator {
  return (site) => {
    if (argumentType(site, 0).kind === 'BYTES') throw notSupported(`${site.name} on BYTES`);
    return translator(site);
  };
}

const isBytes = (site: CallSite): boolean => argumentType(site, 0).kind === 'BYTES';

/** SUBSTR: position 0 counts as 1, a negative one from the end, and what lies left of the text counts as its start. */
const substring: CallTranslator = (site) => {
  const [text, at] = [argument(site, 0), argument(site, 1)];
  const count = site.sql[2];
  const literal = literalValue(site, 1);
  const start = (value: Sql, position: Sql) => {
    if (typeof literal === 'bigint' && literal >= 0n) return literal === 0n ? word('1') : clamp(position);
    const fromEnd = duck`CASE WHEN length(${value}) + ${position} < 0 THEN 1 ELSE length(${value}) + ${position} + 1 END`;
    if (typeof literal === 'bigint') return fromEnd;
    return duck`CASE WHEN ${position} > 0 THEN ${clamp(position)} WHEN ${position} = 0 THEN 1 ELSE ${fromEnd} END`;
  };
  if (count === undefined)
    return withLocals([text, at], (value, position) => duck`substring(${value}, ${start(value, position)})`);
  const length = literalValue(site, 2);
  return withLocals([text, at, count], (value, position, size) => {
    const part = duck`substring(${value}, ${start(value, position)}, ${clamp(size)})`;
    if (typeof length === 'bigint' && length >= 0n) return part;
    const error = raiseText('Third argument in SUBSTR() cannot be negative', STRING);
    return duck`CASE WHEN ${size} < 0 THEN ${error} ELSE ${part} END`;
  });
};

/** DuckDB's own positions end at 2^32; its least() would turn NULL into a number. */
function clamp(position: Sql): Sql {
  const { literal } = position;
  return typeof literal === 'bigint' && literal >= 0n && literal <= 999_999_999n
    ? position
    : duck`CASE WHEN ${position} > 2147483647 THEN 2147483647 ELSE ${position} END`;
}

/** LEFT and RIGHT. */
function side(name: 'left' | 'right'): CallTranslator {
  return (site) => {
    const [text, count] = [argument(site, 0), argument(site, 1)];
    const literal = literalValue(site, 1);
    if (typeof literal === 'bigint' && literal >= 0n) return duck`${word(name)}(${text}, ${clamp(count)})`;
    return withLocals([text, count], (value, size) => {
      const error = raiseText(`Second argument in ${site.name}() cannot be negative`, STRING);
      return duck`CASE WHEN ${size} < 0 THEN ${error} ELSE ${word(name)}(${value}, ${clamp(size)}) END`;
    });
  };
}

function pad(name: 'lpad' | 'rpad'): CallTranslator {
  return (site) => {
    const fill = site.sql[2] ?? textLiteral(' ');
    return withLocals([argument(site, 0), argument(site, 1), fill], (text, size, filler) => {
      const error = (message: string) => raiseText(`${message} in ${site.name}`, STRING);
      return duck`CASE WHEN ${size} < 0 THEN ${error('Output length cannot be negative')} WHEN ${filler} = '' THEN ${error('Pattern cannot be empty')} WHEN ${size} * 4 > ${MAX_TEXT_BYTES} THEN ${error('Output exceeds 1 MB')} ELSE ${word(name)}(${text}, CAST(${mayBeLarge(site) ? unfolded(size) : size} AS INTEGER), ${filler}) END`;
    });
  };
}

const repeat: CallTranslator = (site) =>
  withLocals([argument(site, 0), argument(site, 1)], (text, count) => {
    const error = (message: string) => raiseText(message, STRING);
    return duck`CASE WHEN ${count} < 0 THEN ${error('Repeat count cannot be negative in REPEAT')} WHEN ${count} > ${MAX_TEXT_BYTES} OR ${count} * strlen(${text}) > ${MAX_TEXT_BYTES} THEN ${error('Output of REPEAT exceeds 1 MB')} ELSE repeat(${text}, ${mayBeLarge(site) ? unfolded(count) : count}) END`;
  });

/** Whether what is made may be too long for a constant. */
function mayBeLarge(site: CallSite): boolean {
  const count = literalValue(site, 1);
  return !site.safe && !(typeof count === 'bigint' && count <= MAX_FOLDED_SIZE);
}

function trim(name: 'trim' | 'ltrim' | 'rtrim'): CallTranslator {
  return ({ sql }) => duck`${word(name)}(${sql[0]}, ${sql[1] ?? textSql(WHITESPACE)})`;
}

function changeCase(name: 'upper' | 'lower'): CallTranslator {
  const special = name === 'upper' ? SPECIAL_UPPER : SPECIAL_LOWER;
  return (site) =>
    withLocals([argument(site, 0)], (text) => {
      const mended = name === 'upper' ? duck`replace(${text}, '\u00df', 'ss')` : text;
      const error = raiseText(
        `not supported by the embedded engine: ${site.name} of letters with a special case mapping`,
        STRING,
      );
      return duck`CASE WHEN strlen(${text}) = length(${text}) THEN ${word(name)}(${text}) WHEN regexp_matches(${mended}, ${textLiteral(`[${special}]`)}) THEN ${error} ELSE ${word(name)}(${mended}) END`;
    });
}

/** The text's code points, each as text. */
const characters = (text: Sql): Sql => duck`string_split(${text}, '')`;

/** DuckDB's own turns round what belongs together, such as a letter and its accent, as a whole. */
const reverse: CallTranslator = (site) =>
  withLocals(
    [argument(site, 0)],
    (text) =>
      duck`CASE WHEN strlen(${text}) = length(${text}) THEN reverse(${text}) ELSE array_to_string(list_reverse(${characters(text)}), '') END`,
  );

const concatenate: CallTranslator = (site) => {
  const parts = site.sql.map((sql, index) => ({ sql, source: site.arguments[index] ?? null }));
  return joinedText(parts, site.type, site.name);
};

/** A text that grows is measured first: by the most that it could become, and by what it does where that is too much. */
const replace: CallTranslator = (site) => {
  const [from, to] = [literalValue(site, 1), literalValue(site, 2)];
  const never =
    typeof from === 'string' && (from === '' || (typeof to === 'string' && bytesOf(to) <= bytesOf(from)));
  if (never) return direct('replace')(site);
  return withLocals([argument(site, 0), argument(site, 1), argument(site, 2)], (text, sought, other) => {
    const most = duck`strlen(${text})::DOUBLE * strlen(${other})`;
    const found = duck`(strlen(${text}) - strlen(replace(${text}, ${sought}, ''))) // strlen(${sought})`;
    const size = duck`strlen(${text}) + ${found}::DOUBLE * (strlen(${other}) - strlen(${sought}))`;
    const message = `REPLACE makes a text of at most ${MAX_JOINED_BYTES} bytes`;
    const made = duck`replace(${text}, ${sought}, ${other})`;
    const measured = refuseWhere(duck`${size} > ${MAX_JOINED_BYTES}`, message, STRING, made);
    return duck`CASE WHEN ${sought} <> '' AND ${most} > ${MAX_JOINED_BYTES} THEN ${measured} ELSE ${made} END`;
  });
};

const bytesOf = (text: string): number => Buffer.byteLength(text);

const split: CallTranslator = (site) => {
  const separator = site.sql[1] ?? textLiteral(',');
  const literal = site.sql[1] === undefined ? ',' : literalValue(site, 1);
  if (typeof literal === 'string' && literal !== '')
    return duck`string_split(${argument(site, 0)}, ${separator})`;
  return withLocals([argument(site, 0), separator], (text, mark) => {
    return duck`CASE WHEN ${mark} IS NULL THEN NULL WHEN ${mark} = '' THEN ${characters(text)} ELSE string_split(${text}, ${mark}) END`;
  });
};

/** EDIT_DISTANCE compares each letter of one text with each of the other. */
const MAX_COMPARED = 16_000_000;

const editDistance: CallTranslator = (site) =>
  withLocals([argument(site, 0), argument(site, 1)], (a, b) => {
    const error = raiseText(
      'not supported by the embedded engine: EDIT_DISTANCE of text that is not ASCII',
      site.type,
    );
    const distance = duck`levenshtein(${a}, ${b})`;
    const long = raiseText(
      `EDIT_DISTANCE compares texts of at most ${MAX_COMPARED} letters multiplied by each other`,
      site.type,
    );
    const negative = raiseText('Max distance must be non-negative', site.type);
    const capped = isOmitted(site, 2)
      ? distance
      : duck`CASE WHEN ${site.sql[2]} < 0 THEN ${negative} WHEN ${distance} <= ${site.sql[2]} THEN ${distance} WHEN ${distance} > ${site.sql[2]} THEN ${site.sql[2]} END`;
    return duck`CASE WHEN strlen(${a}) <> length(${a}) OR strlen(${b}) <> length(${b}) THEN ${error} WHEN strlen(${a})::DOUBLE * strlen(${b}) > ${MAX_COMPARED} THEN ${long} ELSE ${capped} END`;
  });

/** Characters whose NFKC casefolding is their lower case, and which never combine with their neighbours. */
const FOLDABLE =
  '\\x00-\\x7f\u00a1-\u00a7\u00a9\u00ab\u00ac\u00ae\u00b0\u00b1\u00b6\u00b7\u00bb\u00bf-\u00de\u00e0-\u012f\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0391-\u03a1\u03a4-\u03c1\u03c3-\u03cf\u0400-\u045f\u2013\u2014\u2018-\u201e\u2020-\u2022\u20ac\u2190-\u2193\u2500-\u27bf\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\u{1f300}-\u{1faff}';

const containsSubstring: CallTranslator = (site) => {
  const type = argumentType(site, 0);
  if (!['STRING', 'INT64', 'BOOL', 'DATE'].includes(type.kind))
    throw notSupported(`CONTAINS_SUBSTR in ${type.kind}`);
  return withLocals([textOf(argument(site, 0), type), argument(site, 1)], (text, part) => {
    const foldable = textLiteral(`[${FOLDABLE}]*`);
    const isFoldable = duck`regexp_full_match(${text}, ${foldable}) AND regexp_full_match(${part}, ${foldable})`;
    const error = raiseText(
      'not supported by the embedded engine: CONTAINS_SUBSTR with these characters',
      site.type,
    );
    const found = duck`contains(lower(${text}), lower(${part}))`;
    return duck`CASE WHEN ${isFoldable} THEN ${found} WHEN ${text} IS NULL OR ${part} IS NULL THEN NULL ELSE ${error} END`;
  });
};

const normalize: CallTranslator = (site) => {
  if (site.name === 'NORMALIZE' && (site.part === null || site.part.name === 'NFC')) {
    return duck`nfc_normalize(${argument(site, 0)})`;
  }
  const change = site.name === 'NORMALIZE' ? (text: Sql) => text : (text: Sql) => duck`lower(${text})`;
  const error = raiseText(
    `not supported by the embedded engine: ${site.name} of text that is not ASCII`,
    STRING,
  );
  return withLocals(
    [argument(site, 0)],
    (text) => duck`CASE WHEN strlen(${text}) <> length(${text}) THEN ${error} ELSE ${change(text)} END`,
  );
};

const translate: CallTranslator = (site) => {
  const from = literalValue(site, 1);
  if (typeof from !== 'string') throw notSupported('TRANSLATE with source characters that are not a literal');
  const isTwice = new Set(from).size < [...from].length;
  if (isTwice) return raiseText('Duplicate character in TRANSLATE source characters', STRING);
  return duck`translate(${joined(site.sql, ', ')})`;
};

/** String functions, apart from regular expressions and formats. */
export const STRINGS: CallTranslators = {
  CONCAT: concatenate,
  SUBSTR: onText(substring),
  SUBSTRING: onText(substring),
  LEFT: onText(side('left')),
  RIGHT: onText(side('right')),
  LPAD: onText(pad('lpad')),
  RPAD: onText(pad('rpad')),
  REPEAT: onText(repeat),
  TRIM: onText(trim('trim')),
  LTRIM: onText(trim('ltrim')),
  RTRIM: onText(trim('rtrim')),
  UPPER: onText(changeCase('upper')),
  LOWER: onText(changeCase('lower')),
  INITCAP: initcap,
  SPLIT: onText(split),
  REPLACE: onText(replace),
  REVERSE: onText(reverse),
  STARTS_WITH: onText(direct('starts_with')),
  ENDS_WITH: onText(direct('ends_with')),
  STRPOS: onText(direct('strpos')),
  INSTR: onText(instr),
  LENGTH: (site) => (isBytes(site) ? direct('octet_length') : direct('length'))(site),
  CHAR_LENGTH: direct('length'),
  CHARACTER_LENGTH: direct('length'),
  BYTE_LENGTH: (site) => (isBytes(site) ? direct('octet_length') : direct('strlen'))(site),
  OCTET_LENGTH: (site) => (isBytes(site) ? direct('octet_length') : direct('strlen'))(site),
  CONTAINS_SUBSTR: containsSubstring,
  EDIT_DISTANCE: onText(editDistance),
  NORMALIZE: normalize,
  NORMALIZE_AND_CASEFOLD: normalize,
  TRANSLATE: onText(translate),
};
