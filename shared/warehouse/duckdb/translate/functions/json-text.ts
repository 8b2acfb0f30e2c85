import { type SqlType, typeText } from '../../../../sql/types/sql-type.ts';
import { notSupported } from '../not-supported.ts';
import { bind, textSql } from './fragments.ts';
import { intervalIsoText } from './intervals.ts';
import { textOf } from './value-text.ts';

/** How INT64 values beyond 2^53 are written: TO_JSON_STRING quotes them, TO_JSON does not. */
type WideNumbers = 'string' | 'number';

/**
 * The JSON text of a value: https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_encodings
 * With `level` it has a line for each element and field, so many levels from the left margin.
 */
export function jsonText(sql: string, type: SqlType, wide: WideNumbers, level: number | null = null): string {
  return bind([sql], (value) => {
    return `CASE WHEN ${value} IS NULL THEN 'null' ELSE ${presentText(value, type, wide, level)} END`;
  });
}

const INDENT = 2;

/** What stands before an element or a closing bracket: nothing, or a line's beginning. */
function lineStart(level: number | null): string {
  return level === null ? '' : `\n${' '.repeat(level * INDENT)}`;
}

function presentText(value: string, type: SqlType, wide: WideNumbers, level: number | null): string {
  const inner = level === null ? null : level + 1;
  switch (type.kind) {
    case 'BOOL':
      return `CAST(${value} AS VARCHAR)`;
    case 'STRING':
      return `CAST(to_json(${value}) AS VARCHAR)`;
    case 'INT64':
      if (wide === 'number') return `CAST(${value} AS VARCHAR)`;
      return `CASE WHEN ${value} BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(${value} AS VARCHAR) ELSE '"' || ${value} || '"' END`;
    case 'FLOAT64':
      return (
        `CASE WHEN isnan(${value}) THEN '"NaN"' WHEN isinf(${value}) THEN CASE WHEN ${value} > 0 THEN '"Infinity"' ELSE '"-Infinity"' END ` +
        `ELSE ${wide === 'number' ? withPoint(value) : `gsql_float_text(${value})`} END`
      );
    case 'NUMERIC': {
      if (wide === 'number') return textOf(value, type);
      const isWhole = `abs(${value}) <= 9007199254740992 AND ${value} = trunc(${value})`;
      return `CASE WHEN ${isWhole} THEN ${textOf(value, type)} ELSE '"' || ${textOf(value, type)} || '"' END`;
    }
    case 'BYTES':
      return `('"' || to_base64(${value}) || '"')`;
    case 'DATE':
      return `('"' || strftime(${value}, '%Y-%m-%d') || '"')`;
    case 'DATETIME':
      return `('"' || replace(gsql_datetime_text(${value}), ' ', 'T') || '"')`;
    case 'TIMESTAMP':
      return `('"' || replace(gsql_datetime_text(${value}), ' ', 'T') || 'Z"')`;
    case 'TIME':
      return `('"' || gsql_time_text(${value}) || '"')`;
    case 'INTERVAL':
      return `('"' || ${intervalIsoText(value)} || '"')`;
    case 'JSON':
      if (level !== null) throw notSupported('TO_JSON_STRING of JSON with pretty_print');
      return wide === 'number' ? `CAST(${value} AS VARCHAR)` : `gsql_json_sorted(${value})`;
    case 'ARRAY': {
      const elements = `list_transform(${value}, lambda e: ${jsonText('e', type.element, wide, inner)})`;
      const joined = `array_to_string(${elements}, ${textSql(`,${lineStart(inner)}`)})`;
      if (level === null) return `('[' || ${joined} || ']')`;
      const lines = `${textSql(`[${lineStart(inner)}`)} || ${joined} || ${textSql(`${lineStart(level)}]`)}`;
      return `CASE WHEN len(${value}) = 0 THEN '[]' ELSE ${lines} END`;
    }
    case 'STRUCT': {
      const colon = level === null ? ':' : ': ';
      const fields = type.fields.map((field, index) => {
        const comma = index === 0 ? '' : ',';
        const name = textSql(`${comma}${lineStart(inner)}${JSON.stringify(field.name)}${colon}`);
        return `${name} || ${jsonText(`struct_extract_at(${value}, ${index + 1})`, field.type, wide, inner)}`;
      });
      return `('{' || ${fields.join(' || ')} || ${textSql(`${lineStart(level)}}`)})`;
    }
    default:
      throw notSupported(`${typeText(type)} as JSON`);
  }
}

/** A whole FLOAT64 in a JSON value keeps its point. */
function withPoint(value: string): string {
  return bind(
    [`gsql_float_text(${value})`],
    (text) => `CASE WHEN regexp_full_match(${text}, '-?[0-9]+') THEN ${text} || '.0' ELSE ${text} END`,
  );
}
