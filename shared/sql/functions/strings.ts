import { type Entries, perText, raising, sameFor, scalar, strict, total } from './entry.ts';

const side = (verb: string, place: string) =>
  scalar(
    `${verb} characters ${place}: white space, or those of the second argument.`,
    '(STRING[, STRING]) -> STRING',
    '(BYTES, BYTES) -> BYTES',
  );
const pad = (place: string) =>
  scalar(
    `Fills a value up to a length ${place}, with spaces or a pattern; a longer value is cut.`,
    ...perText((type) => `(${type}, INT64[, ${type}]) -> ${type}`),
  );
const part = (description: string) =>
  scalar(description, ...perText((type) => `(${type}, INT64) -> ${type}`));
const pair = (description: string, result: string) =>
  scalar(description, ...perText((type) => `(${type}, ${type}) -> ${result}`));
const each = (description: string) => scalar(description, ...perText((type) => `(${type}) -> ${type}`));
const measure = (description: string) => scalar(description, ...perText((type) => `(${type}) -> INT64`));

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/string_functions */
export const STRING_FUNCTIONS: Entries = {
  ASCII: scalar('The ASCII code of the first character.', '(STRING) -> INT64'),
  BYTE_LENGTH: measure('The number of bytes.'),
  OCTET_LENGTH: measure('The number of bytes.'),
  ...sameFor(['CHAR_LENGTH', 'CHARACTER_LENGTH'], () =>
    scalar('The number of characters.', '(STRING) -> INT64'),
  ),
  CHR: { ...raising('The character of a code point.', '(INT64) -> STRING'), givesShortText: true },
  CODE_POINTS_TO_BYTES: raising('BYTES of the values of single bytes.', '(ARRAY<INT64>) -> BYTES'),
  CODE_POINTS_TO_STRING: raising('The text of code points.', '(ARRAY<INT64>) -> STRING'),
  CONCAT: {
    ...scalar('Joins values end to end.', ...perText((type) => `(${type}, ${type}...) -> ${type}`)),
    castsToText: true,
  },
  EDIT_DISTANCE: scalar(
    'The number of edits that make one text another.',
    ...perText((type) => `(${type}, ${type}[, max_distance => INT64 = 9223372036854775807]) -> INT64`),
  ),
  ENDS_WITH: strict(total(pair('Whether a value ends with another.', 'BOOL'))),
  FORMAT: scalar('Text after a format such as %s or %05d.', '(STRING, ANY...) -> STRING'),
  FROM_BASE32: { ...raising('BYTES of base32 text.', '(STRING) -> BYTES'), isSafeByItself: true },
  FROM_BASE64: raising('BYTES of base64 text.', '(STRING) -> BYTES'),
  FROM_HEX: raising('BYTES of hexadecimal text.', '(STRING) -> BYTES'),
  INITCAP: {
    ...scalar('The first letter of each word in upper case.', '(STRING[, STRING]) -> STRING'),
    isSafeByItself: true,
  },
  INSTR: scalar(
    'The position of a value in another, from 1; 0 if it is not there.',
    ...perText((type) => `(${type}, ${type}[, INT64, INT64]) -> INT64`),
  ),
  LEFT: part('The first characters or bytes.'),
  RIGHT: part('The last characters or bytes.'),
  LENGTH: measure('The number of characters or bytes.'),
  LOWER: { ...strict(total(each('The value in lower case.'))), isSafeByItself: true },
  UPPER: { ...strict(total(each('The value in upper case.'))), isSafeByItself: true },
  LPAD: pad('on the left'),
  RPAD: pad('on the right'),
  LTRIM: side('Removes', 'on the left'),
  RTRIM: side('Removes', 'on the right'),
  TRIM: side('Removes', 'on both sides'),
  NORMALIZE: {
    ...scalar('The text in a Unicode normal form.', '(STRING[, part:normal_form]) -> STRING'),
    isSafeByItself: true,
  },
  NORMALIZE_AND_CASEFOLD: {
    ...scalar('The text in a Unicode normal form, case removed.', '(STRING[, part:normal_form]) -> STRING'),
    isSafeByItself: true,
  },
  REPEAT: part('The value a number of times.'),
  REPLACE: scalar(
    'Replaces each occurrence of a value.',
    ...perText((type) => `(${type}, ${type}, ${type}) -> ${type}`),
  ),
  REVERSE: each('The characters or bytes in reverse order.'),
  SAFE_CONVERT_BYTES_TO_STRING: {
    ...scalar('Text of BYTES, invalid UTF-8 replaced.', '(BYTES) -> STRING'),
    isSafeByItself: true,
  },
  SOUNDEX: scalar('The Soundex code of a text.', '(STRING) -> STRING'),
  SPLIT: scalar(
    'Splits a value at a delimiter, a comma if none is given.',
    '(STRING[, STRING]) -> ARRAY<STRING>',
    '(BYTES, BYTES) -> ARRAY<BYTES>',
  ),
  STARTS_WITH: strict(total(pair('Whether a value starts with another.', 'BOOL'))),
  STRPOS: pair('The position of the first occurrence, from 1; 0 if there is none.', 'INT64'),
  ...sameFor(['SUBSTR', 'SUBSTRING'], () =>
    scalar(
      'A part from a position on, from 1.',
      ...perText((type) => `(${type}, INT64[, INT64]) -> ${type}`),
    ),
  ),
  TO_BASE32: scalar('BYTES as base32 text.', '(BYTES) -> STRING'),
  TO_BASE64: scalar('BYTES as base64 text.', '(BYTES) -> STRING'),
  TO_CODE_POINTS: scalar(
    'The code points of a text, or the bytes.',
    ...perText((type) => `(${type}) -> ARRAY<INT64>`),
  ),
  TO_HEX: scalar('BYTES as hexadecimal text.', '(BYTES) -> STRING'),
  TRANSLATE: scalar(
    'Replaces single characters by others.',
    ...perText((type) => `(${type}, ${type}, ${type}) -> ${type}`),
  ),
  UNICODE: scalar('The code point of the first character.', '(STRING) -> INT64'),
};
