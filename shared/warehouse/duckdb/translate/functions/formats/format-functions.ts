import { isZoneName } from '../../../../../sql/values/zone-names.ts';
import { offsetMinutes } from '../../../../../sql/values/zone-offset.ts';
import { type JavaScriptFunction, javaScriptFunction } from '../javascript/javascript-function.ts';
import { bytesOfText, textOfBytes } from './bytes-formats.ts';
import { formatCast } from './format-cast.ts';
import { formatTime } from './format-time.ts';
import { bytesLiteral, stringLiteral } from './literal-text.ts';
import { formatNumber } from './number-format.ts';
import { parseCast } from './parse-cast.ts';
import { parseTime } from './parse-time.ts';
import { formatPrintf, printfSpec, printfValue } from './printf.ts';
import type { TimeKind } from './time-elements.ts';

/** A zone as `timezone()` takes its name, `+` and minutes for a fixed offset, or nothing where there is no such zone. */
function zoneOf(name: string): string | null {
  const minutes = offsetMinutes(name);
  if (minutes !== null) return `+${minutes}`;
  return isZoneName(name) ? name : null;
}

/** The functions of formats, each of which names the type that is meant by a text. */
export const FORMAT_FUNCTIONS: readonly JavaScriptFunction[] = [
  javaScriptFunction('gsql_zone', ['VARCHAR'], 'VARCHAR', zoneOf),
  javaScriptFunction(
    'gsql_format_time',
    ['VARCHAR', 'VARCHAR', 'BIGINT', 'BIGINT'],
    'VARCHAR',
    (format, kind, shown, instant) => formatTime(format, kind as TimeKind, shown, instant),
  ),
  javaScriptFunction('gsql_parse_time', ['VARCHAR', 'VARCHAR', 'VARCHAR'], 'VARCHAR', (format, text, kind) =>
    parseTime(format, text, kind as TimeKind),
  ),
  javaScriptFunction(
    'gsql_format_cast',
    ['VARCHAR', 'VARCHAR', 'BIGINT', 'BIGINT'],
    'VARCHAR',
    (format, kind, shown, instant) => formatCast(format, kind as TimeKind, shown, instant),
  ),
  javaScriptFunction(
    'gsql_parse_cast',
    ['VARCHAR', 'VARCHAR', 'VARCHAR', 'BIGINT'],
    'VARCHAR',
    (format, text, kind, now) => parseCast(format, text, kind as TimeKind, now),
  ),
  javaScriptFunction('gsql_format_number', ['VARCHAR', 'BOOLEAN', 'VARCHAR'], 'VARCHAR', formatNumber),
  javaScriptFunction('gsql_string_literal', ['VARCHAR'], 'VARCHAR', stringLiteral),
  javaScriptFunction('gsql_bytes_literal', ['BLOB', 'BOOLEAN'], 'VARCHAR', bytesLiteral),
  javaScriptFunction('gsql_printf', ['VARCHAR', 'VARCHAR', 'VARCHAR'], 'VARCHAR', formatPrintf),
  javaScriptFunction(
    'gsql_printf_value',
    ['VARCHAR', 'VARCHAR', 'VARCHAR', 'BIGINT', 'BIGINT', 'VARCHAR'],
    'VARCHAR',
    (text, kind, flags, width, precision, letter) =>
      printfValue(text, kind, printfSpec(flags, Number(width), Number(precision), letter)),
  ),
  javaScriptFunction('gsql_bytes_text', ['BLOB', 'VARCHAR'], 'VARCHAR', textOfBytes),
  javaScriptFunction('gsql_text_bytes', ['VARCHAR', 'VARCHAR'], 'VARCHAR', bytesOfText),
];
