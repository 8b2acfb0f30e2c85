import { type SqlType, typeText } from '../../../../sql/types/sql-type.ts';
import { notSupported } from '../not-supported.ts';
import { bind, textSql } from './fragments.ts';
import { intervalIsoText } from './intervals.ts';
import { textOf } from './value-text.ts';

/** How INT64 values beyond 2^53 are written: TO_JSON_STRING quotes them, TO_JSON does not. */
type WideNumbers = 'string' | 'number';

/** The JSON text of a value: https://cloud.google.com/bigquery/docs/reference/standard-sql/json_functions#json_encodings */
export function jsonText(sql: string, type: SqlType, wide: WideNumbers): string {
  return bind([sql], (value) => {
    return `CASE WHEN ${value} IS NULL THEN 'null' ELSE ${presentText(value, type, wide)} END`;
  });
}

function presentText(value: string, type: SqlType, wide: WideNumbers): string {
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
        `ELSE gsql_float_text(${value}) END`
      );
    case 'NUMERIC': {
      if (wide === 'number') throw notSupported('NUMERIC as JSON');
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
    case 'ARRAY': {
      const elements = `list_transform(${value}, lambda e: ${jsonText('e', type.element, wide)})`;
      return `('[' || array_to_string(${elements}, ',') || ']')`;
    }
    case 'STRUCT': {
      const fields = type.fields.map((field, index) => {
        const name = textSql(`${index === 0 ? '' : ','}${JSON.stringify(field.name)}:`);
        return `${name} || ${jsonText(`struct_extract_at(${value}, ${index + 1})`, field.type, wide)}`;
      });
      return `('{' || ${fields.join(' || ')} || '}')`;
    }
    default:
      throw notSupported(`${typeText(type)} as JSON`);
  }
}
