import { STRING } from '../../../../sql/types/sql-type.ts';
import { duck, EMPTY, filtered, type Sql, textLiteral, word } from '../duck/sql.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  direct,
} from './call-site.ts';
import { excerpt, raise, raiseText, refuseWhere, withLocals } from './fragments.ts';
import { MAX_SPLIT_SIZE } from './sizes.ts';

/** DuckDB's hash functions give hexadecimal text. */
const hash =
  (name: string): CallTranslator =>
  ({ sql }) =>
    duck`unhex(${word(name)}(${sql[0]}))`;

/** What a JavaScript function takes: BYTES, or the bytes of text. */
function bytesOf(site: CallSite): Sql {
  const value = argument(site, 0);
  return argumentType(site, 0).kind === 'BYTES' ? value : duck`encode(${value})`;
}

const toBase32: CallTranslator = (site) =>
  withLocals([argument(site, 0)], (bytes) =>
    refuseWhere(
      duck`octet_length(${bytes}) > ${MAX_SPLIT_SIZE}`,
      `TO_BASE32 takes at most ${MAX_SPLIT_SIZE} BYTES`,
      site.type,
      duck`gsql_to_base32(${bytes})`,
    ),
  );

const fromBase32: CallTranslator = (site) =>
  withLocals([argument(site, 0)], (text) => {
    const long = raiseText(`FROM_BASE32 takes at most ${MAX_SPLIT_SIZE} bytes of text`, site.type);
    const wrong = site.safe
      ? duck`NULL`
      : raise(duck`'Failed to decode invalid base32 text: ' || ${excerpt(text)}`, site.type);
    const ragged = raiseText(
      'not supported by the embedded engine: FROM_BASE32 of 1, 3 or 6 digits in a group of 8, or of padding before a digit',
      site.type,
    );
    const decoded = duck`gsql_from_base32(encode(${text}))`;
    return duck`CASE WHEN strlen(${text}) > ${MAX_SPLIT_SIZE} THEN ${long} WHEN NOT regexp_full_match(${text}, '[A-Za-z2-7=]*') THEN ${wrong} WHEN ${text} IS NOT NULL AND ${decoded} IS NULL THEN ${ragged} ELSE ${decoded} END`;
  });

/** Base64 in groups of four; the last group may lack its padding. */
const BASE64 = textLiteral('(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?');

/** White space does not count, and the padding may be left out. */
const fromBase64: CallTranslator = (site) =>
  withLocals([duck`regexp_replace(${argument(site, 0)}, '[\\t-\\r ]', '', 'g')`], (text) => {
    const error = raiseText('Failed to decode invalid base64 text', site.type);
    const padded = duck`from_base64(${text} || repeat('=', (4 - strlen(${text}) % 4) % 4))`;
    return duck`CASE WHEN NOT regexp_full_match(${text}, ${BASE64}) THEN ${error} ELSE ${padded} END`;
  });

const safeToString: CallTranslator = (site) =>
  withLocals(
    [argument(site, 0)],
    (bytes) => duck`coalesce(TRY(decode(${bytes})), gsql_valid_text(${bytes}))`,
  );

/** The first character's code point, 0 for empty text. */
const codePoint =
  (most: number): CallTranslator =>
  (site) =>
    withLocals([argument(site, 0)], (text) => {
      const error = raise(duck`'Non-ASCII input in ASCII(): ' || ${excerpt(text)}`, site.type);
      const check = most === 127 ? duck`WHEN unicode(${text}) > 127 THEN ${error} ` : EMPTY;
      return duck`CASE WHEN ${text} = '' THEN 0 ${check}ELSE CAST(unicode(${text}) AS BIGINT) END`;
    });

const isCodePoint = (value: Sql): Sql =>
  duck`(${value} BETWEEN 0 AND 55295 OR ${value} BETWEEN 57344 AND 1114111)`;

const character: CallTranslator = (site) =>
  withLocals([argument(site, 0)], (value) => {
    const error = raise(duck`'Invalid codepoint ' || ${value}`, STRING);
    const made = duck`CASE WHEN ${value} = 0 THEN '' ELSE chr(CAST(${value} AS INTEGER)) END`;
    return duck`CASE WHEN NOT ${isCodePoint(value)} THEN ${error} ELSE ${made} END`;
  });

const toCodePoints: CallTranslator = (site) => {
  const value = argument(site, 0);
  if (argumentType(site, 0).kind === 'BYTES') {
    return withLocals([value], (bytes) =>
      refuseWhere(
        duck`octet_length(${bytes}) > ${MAX_SPLIT_SIZE}`,
        `TO_CODE_POINTS takes at most ${MAX_SPLIT_SIZE} BYTES`,
        site.type,
        duck`list_transform(regexp_extract_all(hex(${bytes}), '..'), lambda h: CAST('0x' || h AS BIGINT))`,
      ),
    );
  }
  return withLocals(
    [value],
    (text) =>
      duck`CASE WHEN ${text} = '' THEN [] ELSE list_transform(string_split(${text}, ''), lambda c: CAST(unicode(c) AS BIGINT)) END`,
  );
};

/** Two digits for each byte: to look them up is faster than to write them. */
const HEX_OF_BYTES = Buffer.from(Uint8Array.from({ length: 256 }, (_, byte) => byte)).toString('hex');

function fromCodePoints(site: CallSite, fits: (value: Sql) => Sql, made: (list: Sql) => Sql): Sql {
  return withLocals([argument(site, 0)], (list) => {
    const wrong = raiseText(`Invalid value in ${site.name}`, site.type);
    const long = raiseText(`${site.name} takes at most ${MAX_SPLIT_SIZE} elements`, site.type);
    return duck`CASE WHEN len(${list}) > ${MAX_SPLIT_SIZE} THEN ${long} WHEN list_count(${list}) < len(${list}) THEN NULL WHEN len(${filtered(list, (value) => duck`NOT ${fits(value)}`)}) > 0 THEN ${wrong} ELSE ${made(list)} END`;
  });
}

/** Hashes, encodings of bytes, and code points. */
export const HASHES: CallTranslators = {
  MD5: hash('md5'),
  SHA1: hash('sha1'),
  SHA256: hash('sha256'),
  FARM_FINGERPRINT: (site) => duck`gsql_farm_fingerprint(${bytesOf(site)})`,
  SHA512: (site) => duck`gsql_sha512(${bytesOf(site)})`,
  TO_HEX: ({ sql }) => duck`lower(hex(${sql[0]}))`,
  FROM_HEX: direct('unhex'),
  TO_BASE32: toBase32,
  FROM_BASE32: fromBase32,
  TO_BASE64: direct('to_base64'),
  FROM_BASE64: fromBase64,
  SAFE_CONVERT_BYTES_TO_STRING: safeToString,
  ASCII: codePoint(127),
  UNICODE: codePoint(1_114_111),
  CHR: character,
  TO_CODE_POINTS: toCodePoints,
  CODE_POINTS_TO_STRING: (site) =>
    fromCodePoints(
      site,
      isCodePoint,
      (list) => duck`array_to_string(list_transform(${list}, lambda c: chr(CAST(c AS INTEGER))), '')`,
    ),
  CODE_POINTS_TO_BYTES: (site) =>
    fromCodePoints(
      site,
      (value) => duck`(${value} BETWEEN 0 AND 255)`,
      (list) =>
        duck`unhex(array_to_string(list_transform(${list}, lambda c: substring(${textLiteral(HEX_OF_BYTES)}, c * 2 + 1, 2)), ''))`,
    ),
};
