import { STRING } from '../../../../sql/types/sql-type.ts';
import { duck, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { textSql, withLocals } from './fragments.ts';
import { joinedText, type TextPart } from './joined-text.ts';
import { shownText } from './shown-values.ts';

/** Most characters that one value of FORMAT is filled up to. */
const MAX_WIDTH = 1_000;

const SPECIFIER = /%(%|([-+ 0#']*)(\d*)(?:\.(\d+))?([a-zA-Z]))/g;

/** FORMAT with a literal format: the pieces of text and values joined. */
const format: CallTranslator = (site) => {
  const pattern = literalValue(site, 0);
  if (typeof pattern !== 'string') throw notSupported('FORMAT with a format that is not a literal');
  const pieces: TextPart[] = [];
  let end = 0;
  let next = 1;
  for (const match of pattern.matchAll(SPECIFIER)) {
    pieces.push({ sql: plainText(pattern.slice(end, match.index)), source: null });
    end = match.index + match[0].length;
    if (match[1] === '%') {
      pieces.push({ sql: textLiteral('%'), source: null });
    } else {
      pieces.push({ sql: formatValue(site, next, match), source: site.arguments[next] ?? null });
      next++;
    }
  }
  pieces.push({ sql: plainText(pattern.slice(end)), source: null });
  if (next !== site.sql.length) throw notSupported('FORMAT with another number of values than specifiers');
  return joinedText(
    pieces.filter(({ sql }) => sql.literal !== ''),
    STRING,
    'FORMAT',
  );
};

function plainText(text: string): Sql {
  if (text.includes('%')) throw notSupported('FORMAT with this specifier');
  return textSql(text);
}

function formatValue(site: CallSite, index: number, match: RegExpExecArray): Sql {
  const [, , written = '', width = '', precision, letter = ''] = match;
  // What is filled up on the right is not filled up with zeros.
  const flags = written.includes('-') ? written.replaceAll('0', '') : written;
  if (site.sql[index] === undefined)
    throw notSupported('FORMAT with another number of values than specifiers');
  const type = argumentType(site, index);
  const value = argument(site, index);
  if (Number(width) > MAX_WIDTH || Number(precision ?? 0) > MAX_WIDTH)
    throw notSupported(`FORMAT with a width or precision above ${MAX_WIDTH}`);
  const isPlain = flags === '' && precision === undefined;
  if (letter === 's' && type.kind === 'STRING' && /^-?$/.test(flags))
    return padded(
      precision === undefined ? value : duck`substring(${value}, 1, ${BigInt(precision)})`,
      flags,
      width,
    );
  if ((letter === 'd' || letter === 'i') && type.kind === 'INT64' && precision === undefined) {
    if (flags === "'" && width === '') return duck`format('{:,}', ${value})`;
    if (!flags.includes("'") && !flags.includes('#'))
      return duck`printf(${textLiteral(`%${flags}${width}d`)}, ${value})`;
  }
  if (/[fFeE]/.test(letter) && type.kind === 'FLOAT64' && !/['#]/.test(flags)) {
    const places = precision ?? '6';
    if (Number(places) > 100) throw notSupported('FORMAT with a precision above 100 for FLOAT64');
    // A zero has no sign.
    const unsigned = duck`(${value} + 0.0::DOUBLE)`;
    if (flags === '' && width === '')
      return withLocals(
        [unsigned],
        (x) =>
          duck`CASE WHEN isfinite(${x}) THEN printf(${textLiteral(`%.${places}${letter}`)}, ${x}) ELSE ${word(/[FE]/.test(letter) ? 'upper' : 'lower')}(gsql_float_text(${x})) END`,
      );
    return withLocals(
      [unsigned],
      (x) => duck`printf(${textLiteral(`%${flags}${width}.${places}${letter}`)}, ${x})`,
    );
  }
  if ((letter === 't' || letter === 'T') && precision === undefined && /^-?$/.test(flags))
    return padded(shownText(value, type, letter), flags, width);
  if (letter === 'p' && type.kind === 'JSON' && precision === undefined && /^-?$/.test(flags))
    return padded(shownText(value, type, 't'), flags, width);
  if (/[xXo]/.test(letter) && type.kind === 'INT64' && isPlain && width === '') {
    return duck`CASE WHEN ${value} < 0 THEN '-' ELSE '' END || printf(${textLiteral(`%${letter}`)}, abs(${value}))`;
  }
  throw notSupported(`FORMAT with %${letter} for ${type.kind}`);
}

function padded(value: Sql, flags: string, width: string): Sql {
  if (width === '') return value;
  return withLocals([value], (text) => {
    const spaces = duck`repeat(' ', greatest(${BigInt(width)} - length(${text}), 0))`;
    return flags === '-' ? duck`${text} || ${spaces}` : duck`${spaces} || ${text}`;
  });
}

/** FORMAT. */
export const TEXT_FORMATS: CallTranslators = {
  FORMAT: format,
};
