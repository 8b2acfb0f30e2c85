import { STRING } from '../../../../sql/types/sql-type.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  direct,
  type Emission,
  type Emitter,
  type Emitters,
  isOmitted,
  literalValue,
} from './emitter.ts';
import { bind, raise, raiseText, textSql } from './fragments.ts';
import { textOf } from './value-text.ts';

/** The longest text that REPEAT, LPAD and RPAD make, as in BigQuery. */
const MAX_TEXT_BYTES = 1024 * 1024;

/** Unicode's White_Space, which TRIM cuts off. */
const WHITESPACE =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** Only the STRING form of a function. */
function onText(emitter: Emitter): Emitter {
  return (emission) => {
    if (argumentType(emission, 0).kind === 'BYTES') throw notSupported(`${emission.name} on BYTES`);
    return emitter(emission);
  };
}

const isBytes = (emission: Emission): boolean => argumentType(emission, 0).kind === 'BYTES';

/** SUBSTR: position 0 counts as 1, a negative one from the end, and what lies left of the text counts as its start. */
const substring: Emitter = (emission) => {
  const [text, at] = [argument(emission, 0), argument(emission, 1)];
  const count = emission.sql[2];
  const literal = literalValue(emission, 1);
  const start = (value: string, position: string) => {
    if (typeof literal === 'bigint' && literal >= 0n) return literal === 0n ? '1' : clamp(position);
    const fromEnd = `CASE WHEN length(${value}) + ${position} < 0 THEN 1 ELSE length(${value}) + ${position} + 1 END`;
    if (typeof literal === 'bigint') return fromEnd;
    return `CASE WHEN ${position} > 0 THEN ${clamp(position)} WHEN ${position} = 0 THEN 1 ELSE ${fromEnd} END`;
  };
  if (count === undefined)
    return bind([text, at], (value, position) => `substring(${value}, ${start(value, position)})`);
  const length = literalValue(emission, 2);
  return bind([text, at, count], (value, position, size) => {
    const part = `substring(${value}, ${start(value, position)}, ${clamp(size)})`;
    if (typeof length === 'bigint' && length >= 0n) return part;
    const error = raiseText('Third argument in SUBSTR() cannot be negative', STRING);
    return `CASE WHEN ${size} < 0 THEN ${error} ELSE ${part} END`;
  });
};

/** DuckDB's own positions end at 2^32; its least() would turn NULL into a number. */
function clamp(position: string): string {
  return /^\d{1,9}::BIGINT$/.test(position)
    ? position
    : `CASE WHEN ${position} > 2147483647 THEN 2147483647 ELSE ${position} END`;
}

/** LEFT and RIGHT. */
function side(name: 'left' | 'right'): Emitter {
  return (emission) => {
    const [text, count] = [argument(emission, 0), argument(emission, 1)];
    const literal = literalValue(emission, 1);
    if (typeof literal === 'bigint' && literal >= 0n) return `${name}(${text}, ${clamp(count)})`;
    return bind([text, count], (value, size) => {
      const error = raiseText(`Second argument in ${emission.name}() cannot be negative`, STRING);
      return `CASE WHEN ${size} < 0 THEN ${error} ELSE ${name}(${value}, ${clamp(size)}) END`;
    });
  };
}

function pad(name: 'lpad' | 'rpad'): Emitter {
  return (emission) => {
    const fill = emission.sql[2] ?? "' '";
    return bind([argument(emission, 0), argument(emission, 1), fill], (text, size, filler) => {
      const error = (message: string) => raiseText(`${message} in ${emission.name}`, STRING);
      return (
        `CASE WHEN ${size} < 0 THEN ${error('Output length cannot be negative')} ` +
        `WHEN ${filler} = '' THEN ${error('Pattern cannot be empty')} ` +
        `WHEN ${size} * 4 > ${MAX_TEXT_BYTES} THEN ${error('Output exceeds 1 MB')} ` +
        `ELSE ${name}(${text}, CAST(${size} AS INTEGER), ${filler}) END`
      );
    });
  };
}

const repeat: Emitter = (emission) =>
  bind([argument(emission, 0), argument(emission, 1)], (text, count) => {
    const error = (message: string) => raiseText(message, STRING);
    return (
      `CASE WHEN ${count} < 0 THEN ${error('Repeat count cannot be negative in REPEAT')} ` +
      `WHEN ${count} > ${MAX_TEXT_BYTES} OR ${count} * strlen(${text}) > ${MAX_TEXT_BYTES} THEN ${error('Output of REPEAT exceeds 1 MB')} ` +
      `ELSE repeat(${text}, ${count}) END`
    );
  });

function trim(name: 'trim' | 'ltrim' | 'rtrim'): Emitter {
  return ({ sql }) => `${name}(${sql[0]}, ${sql[1] ?? textSql(WHITESPACE)})`;
}

/**
 * Letters whose upper or lower case is more than one letter, or depends on its neighbours: GoogleSQL follows Unicode's
 * full mapping, DuckDB maps letter by letter.
 */
const SPECIAL_UPPER =
  '\u00df\u0149\u01f0\u0390\u03b0\u0587\u1e96-\u1e9a\u1f50\u1f52\u1f54\u1f56\u1f80-\u1faf\u1fb2-\u1fb4\u1fb6\u1fb7\u1fbc\u1fc2-\u1fc4\u1fc6\u1fc7\u1fcc\u1fd2\u1fd3\u1fd6\u1fd7\u1fe2-\u1fe4\u1fe6\u1fe7\u1ff2-\u1ff4\u1ff6\u1ff7\u1ffc\ufb00-\ufb06\ufb13-\ufb17';
const SPECIAL_LOWER = '\u0130\u03a3';

function changeCase(name: 'upper' | 'lower'): Emitter {
  const special = name === 'upper' ? SPECIAL_UPPER : SPECIAL_LOWER;
  return (emission) =>
    bind([argument(emission, 0)], (text) => {
      const mended = name === 'upper' ? `replace(${text}, '\u00df', 'ss')` : text;
      const error = raise(
        `'not supported by the embedded engine: ${emission.name} of letters with a special case mapping'`,
        STRING,
      );
      return (
        `CASE WHEN strlen(${text}) = length(${text}) THEN ${name}(${text}) ` +
        `WHEN regexp_matches(${mended}, '[${special}]') THEN ${error} ELSE ${name}(${mended}) END`
      );
    });
}

/** The text's code points, each as text. */
const characters = (text: string): string => `regexp_extract_all(${text}, '(?s).')`;

/** Letters that INITCAP would have to map to more than one, or that have a form of their own at the start of a word. */
const SPECIAL_TITLE = `${SPECIAL_UPPER}${SPECIAL_LOWER}\u01c4-\u01cc\u01f1-\u01f3\u10d0-\u10ff`;

const INITCAP_DELIMITERS = ' \t\n\v\f\r[](){}/|<>!?@"^#$&~_,.:;*%+-';

const initcap: Emitter = (emission) => {
  const delimiters = emission.sql[1] ?? textSql(INITCAP_DELIMITERS);
  return bind([argument(emission, 0), delimiters], (text, marks) => {
    const word = `CASE WHEN i = 1 OR contains(${marks}, substring(${text}, i - 1, 1)) THEN upper(c) ELSE lower(c) END`;
    const error = raiseText(
      'not supported by the embedded engine: INITCAP of letters with a special case mapping',
      STRING,
    );
    return (
      `CASE WHEN ${marks} IS NULL THEN NULL WHEN regexp_matches(${text}, '[${SPECIAL_TITLE}]') THEN ${error} ` +
      `ELSE array_to_string(list_transform(${characters(text)}, lambda c, i: ${word}), '') END`
    );
  });
};

const split: Emitter = (emission) => {
  const separator = emission.sql[1] ?? "','";
  const literal = emission.sql[1] === undefined ? ',' : literalValue(emission, 1);
  if (typeof literal === 'string' && literal !== '')
    return `string_split(${argument(emission, 0)}, ${separator})`;
  return bind([argument(emission, 0), separator], (text, mark) => {
    const each = `CASE WHEN ${text} = '' THEN [''] ELSE ${characters(text)} END`;
    return `CASE WHEN ${mark} IS NULL THEN NULL WHEN ${mark} = '' THEN ${each} ELSE string_split(${text}, ${mark}) END`;
  });
};

/** Places may overlap; from a negative position the search goes towards the start. */
const instr: Emitter = (emission) => {
  const [text, part] = [argument(emission, 0), argument(emission, 1)];
  if (emission.sql.length === 2) return `strpos(${text}, ${part})`;
  const numbers = [argument(emission, 2), emission.sql[3] ?? '1::BIGINT'];
  return bind([text, part, ...numbers], (whole = '', sought = '', from = '', nth = '') => {
    const error = (message: string) => raiseText(message, emission.type);
    const isFound = `substring(${whole}, i, length(${sought})) = ${sought}`;
    const last = `CASE WHEN ${from} < 0 THEN least(length(${whole}) + ${from} + 1, length(${whole}) - length(${sought}) + 1) ELSE length(${whole}) - length(${sought}) + 1 END`;
    const places = `list_filter(generate_series(greatest(${from}, 1), ${last}), lambda i: ${isFound})`;
    const place = `list_extract(${places}, CASE WHEN ${from} < 0 THEN -${nth} ELSE ${nth} END)`;
    return (
      `CASE WHEN ${whole} IS NULL OR ${sought} IS NULL OR ${from} IS NULL OR ${nth} IS NULL THEN NULL ` +
      `WHEN ${from} = 0 THEN ${error('Position must be non-zero')} WHEN ${nth} < 1 THEN ${error('Occurrence must be positive')} ` +
      `ELSE coalesce(${place}, 0) END`
    );
  });
};

const editDistance: Emitter = (emission) =>
  bind([argument(emission, 0), argument(emission, 1)], (a, b) => {
    const error = raiseText(
      'not supported by the embedded engine: EDIT_DISTANCE of text that is not ASCII',
      emission.type,
    );
    const distance = `levenshtein(${a}, ${b})`;
    const capped = isOmitted(emission, 2)
      ? distance
      : `CASE WHEN ${distance} <= ${emission.sql[2]} THEN ${distance} ELSE ${emission.sql[2]} END`;
    return `CASE WHEN strlen(${a}) <> length(${a}) OR strlen(${b}) <> length(${b}) THEN ${error} ELSE ${capped} END`;
  });

/** Characters whose NFKC casefolding is their lower case, and which never combine with their neighbours. */
const FOLDABLE =
  '\\x00-\\x7f\u00a1-\u00a7\u00a9\u00ab\u00ac\u00ae\u00b0\u00b1\u00b6\u00b7\u00bb\u00bf-\u00de\u00e0-\u012f\u0134-\u013e\u0141-\u0148\u014a-\u017e\u0391-\u03a1\u03a4-\u03c1\u03c3-\u03cf\u0400-\u045f\u2013\u2014\u2018-\u201e\u2020-\u2022\u20ac\u2190-\u2193\u2500-\u27bf\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\u{1f300}-\u{1faff}';

const containsSubstring: Emitter = (emission) => {
  const type = argumentType(emission, 0);
  if (!['STRING', 'INT64', 'BOOL', 'DATE'].includes(type.kind))
    throw notSupported(`CONTAINS_SUBSTR in ${type.kind}`);
  return bind([textOf(argument(emission, 0), type), argument(emission, 1)], (text, part) => {
    const isFoldable = `regexp_full_match(${text}, '[${FOLDABLE}]*') AND regexp_full_match(${part}, '[${FOLDABLE}]*')`;
    const error = raiseText(
      'not supported by the embedded engine: CONTAINS_SUBSTR with these characters',
      emission.type,
    );
    const found = `contains(lower(${text}), lower(${part}))`;
    return `CASE WHEN ${isFoldable} THEN ${found} WHEN ${text} IS NULL OR ${part} IS NULL THEN NULL ELSE ${error} END`;
  });
};

const normalize: Emitter = (emission) => {
  if (emission.name === 'NORMALIZE' && (emission.part === null || emission.part.name === 'NFC')) {
    return `nfc_normalize(${argument(emission, 0)})`;
  }
  const change = emission.name === 'NORMALIZE' ? (text: string) => text : (text: string) => `lower(${text})`;
  const error = raiseText(
    `not supported by the embedded engine: ${emission.name} of text that is not ASCII`,
    STRING,
  );
  return bind(
    [argument(emission, 0)],
    (text) => `CASE WHEN strlen(${text}) <> length(${text}) THEN ${error} ELSE ${change(text)} END`,
  );
};

const translate: Emitter = (emission) => {
  const from = literalValue(emission, 1);
  if (typeof from !== 'string') throw notSupported('TRANSLATE with source characters that are not a literal');
  const isTwice = new Set(from).size < [...from].length;
  if (isTwice) return raiseText('Duplicate character in TRANSLATE source characters', STRING);
  return `translate(${emission.sql.join(', ')})`;
};

/** String functions, apart from regular expressions and formats. */
export const STRINGS: Emitters = {
  CONCAT: ({ sql }) => `(${sql.join(' || ')})`,
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
  REPLACE: onText(direct('replace')),
  REVERSE: onText(({ sql }) => `array_to_string(list_reverse(${characters(sql[0] ?? '')}), '')`),
  STARTS_WITH: onText(direct('starts_with')),
  ENDS_WITH: onText(direct('ends_with')),
  STRPOS: onText(direct('strpos')),
  INSTR: onText(instr),
  LENGTH: (emission) => (isBytes(emission) ? direct('octet_length') : direct('length'))(emission),
  CHAR_LENGTH: direct('length'),
  CHARACTER_LENGTH: direct('length'),
  BYTE_LENGTH: (emission) => (isBytes(emission) ? direct('octet_length') : direct('strlen'))(emission),
  OCTET_LENGTH: (emission) => (isBytes(emission) ? direct('octet_length') : direct('strlen'))(emission),
  CONTAINS_SUBSTR: containsSubstring,
  EDIT_DISTANCE: onText(editDistance),
  NORMALIZE: normalize,
  NORMALIZE_AND_CASEFOLD: normalize,
  TRANSLATE: onText(translate),
};
