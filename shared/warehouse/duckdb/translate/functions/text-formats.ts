import { ServiceError } from '../../../../errors/service-error.ts';
import { type SqlType, STRING } from '../../../../sql/types/sql-type.ts';
import { bigint, duck, joined, type Sql, textLiteral } from '../duck/sql.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { checkPrintfTypes, type Place, type PrintfPiece, printfSpec, readPrintf } from './formats/printf.ts';
import { refuseWhere, textSql, withLocals } from './fragments.ts';
import { ValueError } from './javascript/javascript-function.ts';
import { joinedText, type TextPart } from './joined-text.ts';
import { nullOf } from './options.ts';
import { shownText } from './shown-values.ts';
import { MAX_FORMAT_LENGTH } from './sizes.ts';
import { textOf } from './value-text.ts';

type ValuePiece = Extract<PrintfPiece, { kind: 'value' }>;

/** FORMAT: the pieces of text and values joined, where the format is a literal. */
const format: CallTranslator = (site) => {
  const pattern = literalValue(site, 0);
  if (typeof pattern !== 'string') return dynamicFormat(site);
  const pieces = piecesOf(site, pattern);
  const parts = pieces.map((piece): TextPart => {
    if (piece.kind === 'text') return { sql: textSql(piece.text), source: null };
    return { sql: valueSql(site, piece), source: site.arguments[piece.value.index] ?? null };
  });
  return parts.length === 0 ? textLiteral('') : joinedText(parts, STRING, 'FORMAT');
};

/** Throws the error of a format that GoogleSQL refuses, and of values that it does not take. */
function piecesOf(site: CallSite, pattern: string): readonly PrintfPiece[] {
  try {
    const pieces = readPrintf(pattern, site.sql.length - 1);
    checkPrintfTypes(pieces, kindsOf(site));
    for (const piece of pieces) if (piece.kind === 'value') literalSpec(piece);
    return pieces;
  } catch (error) {
    if (error instanceof ValueError) throw new ServiceError('invalid_argument', error.message);
    throw error;
  }
}

const kindsOf = (site: CallSite): readonly string[] => site.arguments.slice(1).map(({ type }) => type.kind);

/** The specifier as it is written; null if a value of the call has its width or precision. */
function literalSpec({ flags, width, precision, letter }: ValuePiece) {
  if (typeof width === 'object' || (typeof precision === 'object' && precision !== null)) return null;
  return printfSpec(flags, width, precision, letter);
}

function valueSql(site: CallSite, piece: ValuePiece): Sql {
  const { index } = piece.value;
  const [type, value] = [argumentType(site, index), argument(site, index)];
  const spec = literalSpec(piece);
  const simple = spec === null ? null : simpleValue(value, type, spec);
  if (simple !== null) return simple;
  const number = (part: number | Place) =>
    typeof part === 'number' ? bigint(BigInt(part)) : argument(site, part.index);
  const text = textFor(value, type, piece.letter);
  const precision = piece.precision === null ? bigint(-1n) : number(piece.precision);
  const written = duck`gsql_printf_value(${text}, ${textLiteral(type.kind)}, ${textLiteral(piece.flags)}, ${number(piece.width)}, ${precision}, ${textLiteral(piece.letter)})`;
  return spec === null ? written.refusing() : written;
}

/** The text that a letter is given. */
function textFor(value: Sql, type: SqlType, letter: string): Sql {
  if (letter === 't' || letter === 'T') return shownText(value, type, letter);
  if (letter === 'P') return duck`gsql_json_pretty(CAST(${value} AS VARCHAR), 0)`;
  if (letter === 'p') return duck`gsql_json_text(CAST(${value} AS VARCHAR))`;
  if (letter === 's') return value;
  return type.kind === 'FLOAT64' ? duck`CAST(${value} AS VARCHAR)` : textOf(value, type);
}

/** What DuckDB writes as GoogleSQL does; null for all else. */
function simpleValue(
  value: Sql,
  type: SqlType,
  { flags, width, precision, letter }: ReturnType<typeof printfSpec>,
): Sql | null {
  const isPlain = flags === '' && width === 0;
  if (/[di]/.test(letter) && precision === null) {
    if (flags === "'" && width === 0) return duck`format('{:,}', ${value})`;
    const zeros = /^0?$/.test(flags);
    return zeros ? duck`printf(${textLiteral(`%${flags}${width || ''}d`)}, ${value})` : null;
  }
  if (/[fFeE]/.test(letter) && type.kind === 'FLOAT64' && isPlain && (precision ?? 0) <= MAX_PRINTF_PLACES) {
    // A zero has no sign.
    return withLocals(
      [duck`(${value} + 0.0::DOUBLE)`],
      (x) =>
        duck`CASE WHEN abs(${x}) < ${MAX_PRINTF_FLOAT} THEN printf(${textLiteral(`%.${precision ?? 6}${letter}`)}, ${x}) ELSE gsql_printf_value(CAST(${x} AS VARCHAR), 'FLOAT64', '', 0, ${precision ?? -1}, ${textLiteral(letter)}) END`,
    );
  }
  if (!/[stTpP]/.test(letter)) return null;
  const text = textFor(value, type, letter);
  const cut = precision === null ? text : duck`substring(${text}, 1, ${precision})`;
  if (width === 0) return cut;
  return withLocals([cut], (whole) => {
    const spaces = duck`repeat(' ', greatest(${BigInt(width)} - length(${whole}), 0))`;
    return flags.includes('-') ? duck`${whole} || ${spaces}` : duck`${spaces} || ${whole}`;
  });
}

/** Most places that DuckDB writes exactly. */
const MAX_PRINTF_PLACES = 100;
/** DuckDB fills up larger numbers with zeros. */
const MAX_PRINTF_FLOAT = 1e15;

/** FORMAT with a format that is known only when it runs. */
function dynamicFormat(site: CallSite): Sql {
  if (site.arguments[0]?.kind === 'literal') return nullOf(site);
  const texts = site.sql.slice(1).map((sql, index) => {
    const type = argumentType(site, index + 1);
    return withLocals([sql], (value) => {
      const isNumber = ['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC'].includes(type.kind);
      const letter = isNumber ? 'd' : type.kind === 'STRING' ? 's' : type.kind === 'JSON' ? 'p' : 't';
      const pretty = type.kind === 'JSON' ? textFor(value, type, 'P') : duck`NULL::VARCHAR`;
      return duck`struct_pack(plain := ${textFor(value, type, letter)}, t := ${shownText(value, type, 't')}, capital := ${shownText(value, type, 'T')}, pretty := ${pretty})`;
    });
  });
  const values = duck`CAST(to_json([${joined(texts, ', ')}]) AS VARCHAR)`;
  const kinds = textLiteral(kindsOf(site).join(','));
  return withLocals([argument(site, 0)], (pattern) => {
    const long = `not supported by the embedded engine: FORMAT with a format of more than ${MAX_FORMAT_LENGTH} characters`;
    const all = texts.length === 0 ? textLiteral('[]') : values;
    const made = duck`gsql_printf(${pattern}, ${kinds}, ${all})`.raising().refusing();
    return refuseWhere(duck`length(${pattern}) > ${MAX_FORMAT_LENGTH}`, long, STRING, made);
  });
}

/** FORMAT. */
export const TEXT_FORMATS: CallTranslators = {
  FORMAT: format,
};
