import { type SqlType, typeText } from '../../../../sql/types/sql-type.ts';
import { duck, joined, mapped, type Sql, textLiteral } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { fieldSql } from './field-sql.ts';
import { textSql, withLocals } from './fragments.ts';
import { intervalIsoText } from './intervals.ts';
import { parseText } from './parse-text.ts';
import { textOf } from './value-text.ts';

/**
 * How numbers that no FLOAT64 holds are written: TO_JSON_STRING quotes them, and fractions of NUMERIC, too; TO_JSON does not, but where it
 * stringifies them.
 */
type WideNumbers = 'string' | 'number' | 'stringified';

/**
 * The JSON text of a value: https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_encodings
 * With `level` it has a line for each element and field, so many levels from the left margin.
 */
export function jsonText(sql: Sql, type: SqlType, wide: WideNumbers, level: number | null = null): Sql {
  return withLocals([sql], (value) => {
    return duck`CASE WHEN ${value} IS NULL THEN 'null' ELSE ${presentText(value, type, wide, level)} END`;
  });
}

const INDENT = 2;

/** What stands before an element or a closing bracket: nothing, or a line's beginning. */
function lineStart(level: number | null): string {
  return level === null ? '' : `\n${' '.repeat(level * INDENT)}`;
}

function presentText(value: Sql, type: SqlType, wide: WideNumbers, level: number | null): Sql {
  const inner = level === null ? null : level + 1;
  switch (type.kind) {
    case 'BOOL':
      return duck`CAST(${value} AS VARCHAR)`;
    case 'STRING':
      return wide === 'string' ? quotedText(value) : duck`CAST(to_json(${value}) AS VARCHAR)`;
    case 'INT64':
      if (wide === 'number') return duck`CAST(${value} AS VARCHAR)`;
      return duck`CASE WHEN ${value} BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(${value} AS VARCHAR) ELSE '"' || ${value} || '"' END`;
    case 'FLOAT64':
      return duck`CASE WHEN isnan(${value}) THEN '"NaN"' WHEN isinf(${value}) THEN CASE WHEN ${value} > 0 THEN '"Infinity"' ELSE '"-Infinity"' END ELSE ${wide === 'string' ? duck`gsql_float_text(${value})` : withPoint(value)} END`;
    case 'NUMERIC': {
      if (wide === 'number') return jsonNumber(value, textOf(value, type));
      if (wide === 'stringified') {
        return withLocals([textOf(value, type)], (text) => {
          // What the digits of the FLOAT64 say is compared: DuckDB's own conversions of large decimals are not exact.
          const again = duck`TRY(${parseText(duck`CAST(CAST(${text} AS DOUBLE) AS VARCHAR)`, type)})`;
          const isExact = duck`CASE WHEN ${isInteger(value)} THEN abs(${value}) <= 9007199254740992 ELSE ${again} IS NOT DISTINCT FROM ${value} END`;
          return duck`CASE WHEN ${isExact} THEN ${jsonNumber(value, text)} ELSE '"' || ${text} || '"' END`;
        });
      }
      const isWhole = duck`abs(${value}) <= 9007199254740992 AND ${value} = trunc(${value})`;
      return duck`CASE WHEN ${isWhole} THEN ${textOf(value, type)} ELSE '"' || ${textOf(value, type)} || '"' END`;
    }
    case 'BYTES':
      return duck`('"' || to_base64(${value}) || '"')`;
    case 'DATE':
      return duck`('"' || strftime(${value}, '%Y-%m-%d') || '"')`;
    case 'DATETIME':
      return duck`('"' || replace(gsql_datetime_text(${value}), ' ', 'T') || '"')`;
    case 'TIMESTAMP':
      return duck`('"' || replace(gsql_datetime_text(${value}), ' ', 'T') || 'Z"')`;
    case 'TIME':
      return duck`('"' || gsql_time_text(${value}) || '"')`;
    case 'INTERVAL':
      return duck`('"' || ${intervalIsoText(value)} || '"')`;
    case 'JSON':
      if (level !== null) return duck`gsql_json_pretty(CAST(${value} AS VARCHAR), ${level})`;
      return wide === 'string'
        ? duck`gsql_json_text(CAST(${value} AS VARCHAR))`
        : duck`CAST(${value} AS VARCHAR)`;
    case 'ARRAY': {
      const elements = mapped(value, (element) => jsonText(element, type.element, wide, inner));
      const all = duck`array_to_string(${elements}, ${textSql(`,${lineStart(inner)}`)})`;
      if (level === null) return duck`('[' || ${all} || ']')`;
      const lines = duck`${textSql(`[${lineStart(inner)}`)} || ${all} || ${textSql(`${lineStart(level)}]`)}`;
      return duck`CASE WHEN len(${value}) = 0 THEN '[]' ELSE ${lines} END`;
    }
    case 'STRUCT': {
      const colon = level === null ? ':' : ': ';
      // A JSON value keeps the first of several names, text has them all.
      const isKept = (name: string, index: number) =>
        wide === 'string' || type.fields.findIndex((one) => one.name === name) === index;
      const fields = type.fields.flatMap((field, index) => {
        if (!isKept(field.name, index)) return [];
        const comma = index === 0 ? '' : ',';
        const name = textSql(`${comma}${lineStart(inner)}${JSON.stringify(field.name)}${colon}`);
        return [duck`${name} || ${jsonText(fieldSql(value, index, field.type), field.type, wide, inner)}`];
      });
      return duck`('{' || ${joined(fields, ' || ')} || ${textSql(`${lineStart(level)}}`)})`;
    }
    default:
      throw notSupported(`${typeText(type)} as JSON`);
  }
}

/** Whether a JSON value keeps all digits of a NUMERIC: a whole number of 64 bits, with or without sign. */
function isInteger(value: Sql): Sql {
  return duck`${value} = trunc(${value}) AND ${value} BETWEEN -9223372036854775808 AND 18446744073709551615`;
}

/** A NUMERIC as a number of a JSON value, which holds integers and FLOAT64. DuckDB's own conversions of large decimals are not exact. */
function jsonNumber(value: Sql, text: Sql): Sql {
  return withLocals(
    [text],
    (digits) =>
      duck`CASE WHEN ${isInteger(value)} THEN ${digits} ELSE ${withPoint(duck`CAST(${digits} AS DOUBLE)`)} END`,
  );
}

/** Control characters that have no escape of one letter, and what ends a line in JavaScript: DuckDB writes these otherwise. */
const ODD_CHARACTERS = '[\\x00-\\x07\\x0b\\x0e-\\x1f\\x{2028}\\x{2029}]';

function quotedText(value: Sql): Sql {
  const plain = duck`CAST(to_json(${value}) AS VARCHAR)`;
  const isOdd = duck`regexp_matches(${value}, ${textLiteral(ODD_CHARACTERS)})`;
  return duck`CASE WHEN ${isOdd} THEN gsql_json_quoted(${value}) ELSE ${plain} END`;
}

/** A whole FLOAT64 in a JSON value keeps its point. */
function withPoint(value: Sql): Sql {
  return withLocals(
    [duck`gsql_float_text(${value})`],
    (text) => duck`CASE WHEN regexp_full_match(${text}, '-?[0-9]+') THEN ${text} || '.0' ELSE ${text} END`,
  );
}
