import { type SqlType, STRING, typeText } from '../../../../sql/types/sql-type.ts';
import { notSupported } from '../not-supported.ts';
import { bind, raiseText } from './fragments.ts';
import { textOf } from './value-text.ts';

/** How FORMAT shows a value: for people (%t), or as a literal of its type (%T). */
export type Shown = 't' | 'T';

/** A value as FORMAT shows it; NULL as NULL's name, elements and fields in the same way. */
export function shownText(sql: string, type: SqlType, shown: Shown): string {
  return `coalesce(${nonNull(sql, type, shown)}, 'NULL')`;
}

/** The same for a value that is not NULL; NULL stays NULL. */
function nonNull(sql: string, type: SqlType, shown: Shown): string {
  switch (type.kind) {
    case 'BOOL':
    case 'INT64':
      return textOf(sql, type);
    case 'FLOAT64':
      return bind([`gsql_float_text(${sql})`], (text) => floatText(text, sql, shown));
    case 'STRING':
      return shown === 't' ? sql : quoted(sql);
    case 'NUMERIC':
    case 'BIGNUMERIC':
    case 'DATE':
    case 'TIME':
    case 'DATETIME':
    case 'TIMESTAMP':
      return shown === 't' ? textOf(sql, type) : `('${type.kind} "' || ${textOf(sql, type)} || '"')`;
    case 'JSON':
      if (shown === 'T') throw notSupported('FORMAT with %T for JSON');
      return bind([sql], (json) => `gsql_json_sorted(${json})`);
    case 'INTERVAL':
      return shown === 't'
        ? textOf(sql, type)
        : `('INTERVAL "' || ${textOf(sql, type)} || '" YEAR TO SECOND')`;
    case 'ARRAY':
      return bind([sql], (list) => {
        const element = `e${depthOf(type)}`;
        const texts = `list_transform(${list}, lambda ${element}: ${shownText(element, type.element, shown)})`;
        return `('[' || array_to_string(${texts}, ', ') || ']')`;
      });
    case 'STRUCT':
      return bind([sql], (record) => {
        const fields = type.fields.map((field, index) =>
          shownText(`struct_extract_at(${record}, ${index + 1})`, field.type, shown),
        );
        const name = shown === 'T' && fields.length === 1 ? 'STRUCT' : '';
        return `CASE WHEN ${record} IS NOT NULL THEN '${name}(' || ${fields.join(" || ', ' || ")} || ')' END`;
      });
    default:
      throw notSupported(`FORMAT with %${shown} for ${typeText(type)}`);
  }
}

/** Whole numbers have a point. What is no number is a cast as a literal. */
function floatText(text: string, value: string, shown: Shown): string {
  const special = shown === 't' ? text : `'CAST("' || ${text} || '" AS FLOAT64)'`;
  const sign = `CASE WHEN ${value} = 0 AND signbit(${value}) THEN '-' ELSE '' END`;
  return (
    `CASE WHEN NOT isfinite(${value}) THEN ${special} ` +
    `WHEN regexp_full_match(${text}, '-?\\d+') THEN ${sign} || ${text} || '.0' ELSE ${text} END`
  );
}

/** A string literal: in single quotes where the text has double quotes and no single ones. */
function quoted(sql: string): string {
  return bind([sql], (text) => {
    const unprintable = raiseText('FORMAT with %T of text with control characters is not supported', STRING);
    const escapes: readonly (readonly [string, string])[] = [
      ["'\\'", "'\\\\'"],
      ['chr(10)', "'\\n'"],
      ['chr(13)', "'\\r'"],
      ['chr(9)', "'\\t'"],
    ];
    const plain = escapes.reduce((escaped, [from, to]) => `replace(${escaped}, ${from}, ${to})`, text);
    return (
      `CASE WHEN regexp_matches(${text}, '[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f]') THEN ${unprintable} ` +
      `WHEN contains(${text}, '"') AND NOT contains(${text}, '''') THEN '''' || ${plain} || '''' ` +
      `ELSE '"' || replace(${plain}, '"', '\\"') || '"' END`
    );
  });
}

/** Elements of arrays in arrays need names of their own. */
function depthOf(type: SqlType): number {
  if (type.kind === 'ARRAY') return 1 + depthOf(type.element);
  if (type.kind === 'STRUCT') return Math.max(0, ...type.fields.map((field) => depthOf(field.type)));
  return 0;
}
