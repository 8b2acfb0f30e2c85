import { STRING } from '../../../../sql/types/sql-type.ts';
import { duck, joined, type Sql, textLiteral, word } from '../duck/sql.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  direct,
  literalValue,
} from './call-site.ts';
import { raiseText, refuseWhere, textSql, unfolded, withLocals } from './fragments.ts';
import { initcap } from './initcap.ts';
import { instr } from './instr.ts';
import { joinedText } from './joined-text.ts';
import { asBytes, bytesAsText, onBytes } from './latin1.ts';
import { MAX_FOLDED_SIZE, MAX_JOINED_BYTES, MAX_SPLIT_SIZE, MAX_TEXT_BYTES } from './sizes.ts';

/** Unicode's White_Space, which TRIM cuts off. */
const WHITESPACE =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

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
      const isNegative = duck`${size} < 0 AND ${value} IS NOT NULL`;
      return duck`CASE WHEN ${isNegative} THEN ${error} ELSE ${word(name)}(${value}, ${clamp(size)}) END`;
    });
  };
}

/** LPAD and RPAD. BYTES are padded as text of one letter for each byte, whatever those letters take. */
const padded =
  (name: 'lpad' | 'rpad'): CallTranslator =>
  (site) =>
    onBytes(pad(name, word(isBytes(site) ? 'length' : 'strlen')))(site);

function pad(name: 'lpad' | 'rpad', sizeOf: Sql): CallTranslator {
  return (site) => {
    const fill = site.sql[2] ?? textLiteral(' ');
    return withLocals([argument(site, 0), argument(site, 1), fill], (text, size, filler) => {
      const error = (message: string) => raiseText(`${message} in ${site.name}`, STRING);
      const isNull = duck`${text} IS NULL OR ${size} IS NULL OR ${filler} IS NULL`;
      const added = duck`(${size} - length(${text}))::DOUBLE * ${sizeOf}(${filler}) / length(${filler})`;
      const isLong = duck`${size} > length(${text}) AND ${sizeOf}(${text}) + ${added} > ${MAX_TEXT_BYTES}`;
      const count = mayBeLarge(site) ? unfolded(size) : size;
      const cases = [
        duck`WHEN ${isNull} THEN NULL`,
        duck`WHEN ${size} < 0 THEN ${error('Output length cannot be negative')}`,
        duck`WHEN ${filler} = '' THEN ${error('Pattern cannot be empty')}`,
        duck`WHEN ${size} > ${MAX_TEXT_BYTES} OR (${isLong}) THEN ${error('Output exceeds 1 MB')}`,
      ];
      return duck`CASE ${joined(cases, ' ')} ELSE ${word(name)}(${text}, CAST(${count} AS INTEGER), ${filler}) END`;
    });
  };
}

const repeated: CallTranslator = (site) => onBytes(repeat(word(isBytes(site) ? 'length' : 'strlen')))(site);

const repeat =
  (sizeOf: Sql): CallTranslator =>
  (site) =>
    withLocals([argument(site, 0), argument(site, 1)], (text, count) => {
      const error = (message: string) => raiseText(message, STRING);
      return duck`CASE WHEN ${count} < 0 THEN ${error('Repeat count cannot be negative in REPEAT')} WHEN ${count} IS NOT NULL AND strlen(${text}) = 0 THEN ${text} WHEN ${count} > ${MAX_TEXT_BYTES} OR ${count} * ${sizeOf}(${text}) > ${MAX_TEXT_BYTES} THEN ${error('Output of REPEAT exceeds 1 MB')} ELSE repeat(${text}, ${mayBeLarge(site) ? unfolded(count) : count}) END`;
    });

/** Whether what is made may be too long for a constant. */
function mayBeLarge(site: CallSite): boolean {
  const count = literalValue(site, 1);
  return !site.safe && !(typeof count === 'bigint' && count <= MAX_FOLDED_SIZE);
}

function trim(name: 'trim' | 'ltrim' | 'rtrim'): CallTranslator {
  return ({ sql }) => duck`${word(name)}(${sql[0]}, ${sql[1] ?? textSql(WHITESPACE)})`;
}

const LETTERS = { lower: 'abcdefghijklmnopqrstuvwxyz', upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' } as const;

/** DuckDB maps letter by letter; Unicode's own mapping makes several letters of some, and looks at their neighbours. */
function changeCase(name: 'upper' | 'lower'): CallTranslator {
  const other = name === 'upper' ? 'lower' : 'upper';
  return (site) => {
    const value = argument(site, 0);
    if (isBytes(site)) {
      const changed = duck`translate(${bytesAsText(value)}, ${textLiteral(LETTERS[other])}, ${textLiteral(LETTERS[name])})`;
      return asBytes(changed, site.type);
    }
    return withLocals(
      [value],
      (text) =>
        duck`CASE WHEN strlen(${text}) = length(${text}) THEN ${word(name)}(${text}) ELSE ${word(`gsql_${name}`)}(${text}) END`,
    );
  };
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

/** Each part of BYTES is made into a value of its own afterwards. */
const splitValue: CallTranslator = (site) => {
  if (site.arguments[0]?.type.kind !== 'BYTES') return split(site);
  const size = MAX_SPLIT_SIZE / 2;
  const message = `SPLIT takes BYTES of at most ${size} bytes`;
  return refuseWhere(
    duck`octet_length(${argument(site, 0)}) > ${size}`,
    message,
    site.type,
    onBytes(split)(site),
  );
};

/** EDIT_DISTANCE compares each letter of one text with each of the other. */
const MAX_COMPARED = 16_000_000;

const editDistance: CallTranslator = (site) =>
  withLocals([argument(site, 0), argument(site, 1)], (a, b) => {
    const isAscii = duck`strlen(${a}) = length(${a}) AND strlen(${b}) = length(${b})`;
    const distance = duck`CASE WHEN ${isAscii} THEN levenshtein(${a}, ${b}) ELSE gsql_edit_distance(${a}, ${b}) END`;
    const long = raiseText(
      `EDIT_DISTANCE compares texts of at most ${MAX_COMPARED} letters multiplied by each other`,
      site.type,
    );
    const negative = raiseText('Max distance must be non-negative', site.type);
    const isLong = duck`strlen(${a})::DOUBLE * strlen(${b}) > ${MAX_COMPARED}`;
    const found = duck`CASE WHEN ${isLong} THEN ${long} ELSE ${distance} END`;
    const most = site.sql[2];
    if (most === undefined || literalValue(site, 2) === ANY_DISTANCE) return found;
    return withLocals(
      [found, most],
      (edits, limit) =>
        duck`CASE WHEN ${limit} < 0 THEN ${negative} WHEN ${edits} <= ${limit} THEN ${edits} WHEN ${edits} > ${limit} THEN ${limit} END`,
    );
  });

/** What `max_distance` is where it is left out. */
const ANY_DISTANCE = 2n ** 63n - 1n;

const normalize: CallTranslator = (site) => {
  const form = textLiteral(site.part?.name ?? 'NFC');
  const isFolded = site.name === 'NORMALIZE_AND_CASEFOLD';
  return withLocals([argument(site, 0)], (text) => {
    const plain = isFolded ? duck`lower(${text})` : text;
    const made = duck`${word(isFolded ? 'gsql_fold' : 'gsql_normalize')}(${text}, ${form})`;
    return duck`CASE WHEN strlen(${text}) = length(${text}) THEN ${plain} ELSE ${made} END`;
  });
};

const translate: CallTranslator = (site) => {
  const from = literalValue(site, 1);
  const isPlain = typeof from === 'string' && new Set(from).size === [...from].length;
  return isPlain
    ? duck`translate(${joined(site.sql, ', ')})`
    : duck`gsql_translate(${joined(site.sql, ', ')})`.raising();
};

/** String functions, apart from regular expressions and formats. */
export const STRINGS: CallTranslators = {
  CONCAT: concatenate,
  SUBSTR: onBytes(substring),
  SUBSTRING: onBytes(substring),
  LEFT: onBytes(side('left')),
  RIGHT: onBytes(side('right')),
  LPAD: padded('lpad'),
  RPAD: padded('rpad'),
  REPEAT: repeated,
  TRIM: onBytes(trim('trim')),
  LTRIM: onBytes(trim('ltrim')),
  RTRIM: onBytes(trim('rtrim')),
  UPPER: changeCase('upper'),
  LOWER: changeCase('lower'),
  INITCAP: initcap,
  SPLIT: splitValue,
  REPLACE: onBytes(replace),
  REVERSE: onBytes(reverse),
  STARTS_WITH: onBytes(direct('starts_with')),
  ENDS_WITH: onBytes(direct('ends_with')),
  STRPOS: onBytes(direct('strpos')),
  INSTR: onBytes(instr),
  LENGTH: (site) => (isBytes(site) ? direct('octet_length') : direct('length'))(site),
  CHAR_LENGTH: direct('length'),
  CHARACTER_LENGTH: direct('length'),
  BYTE_LENGTH: (site) => (isBytes(site) ? direct('octet_length') : direct('strlen'))(site),
  OCTET_LENGTH: (site) => (isBytes(site) ? direct('octet_length') : direct('strlen'))(site),
  EDIT_DISTANCE: onBytes(editDistance),
  NORMALIZE: normalize,
  NORMALIZE_AND_CASEFOLD: normalize,
  TRANSLATE: onBytes(translate),
  SOUNDEX: direct('gsql_soundex'),
};
