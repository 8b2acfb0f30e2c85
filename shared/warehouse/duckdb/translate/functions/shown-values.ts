import { type SqlType, typeText } from '../../../../sql/types/sql-type.ts';
import { duck, joined, mapped, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import { fieldSql } from './field-sql.ts';
import { withLocals } from './fragments.ts';
import { textOf } from './value-text.ts';

/** How FORMAT shows a value: for people (%t), or as a literal of its type (%T). */
export type Shown = 't' | 'T';

/** A value as FORMAT shows it; NULL as NULL's name, elements and fields in the same way. */
export function shownText(sql: Sql, type: SqlType, shown: Shown): Sql {
  return duck`coalesce(${nonNull(sql, type, shown)}, 'NULL')`;
}

/** The same for a value that is not NULL; NULL stays NULL. */
function nonNull(sql: Sql, type: SqlType, shown: Shown): Sql {
  switch (type.kind) {
    case 'BOOL':
    case 'INT64':
      return textOf(sql, type);
    case 'FLOAT64':
      return withLocals([duck`gsql_float_text(${sql})`], (text) => floatText(text, sql, shown));
    case 'STRING':
      return shown === 't' ? sql : quoted(sql);
    case 'NUMERIC':
    case 'BIGNUMERIC':
    case 'DATE':
    case 'TIME':
    case 'DATETIME':
    case 'TIMESTAMP':
      return shown === 't'
        ? textOf(sql, type)
        : duck`(${textLiteral(`${type.kind} "`)} || ${textOf(sql, type)} || '"')`;
    case 'JSON':
      return shown === 't'
        ? duck`gsql_json_text(CAST(${sql} AS VARCHAR))`
        : duck`('JSON ' || ${quoted(duck`gsql_json_text(CAST(${sql} AS VARCHAR))`)})`;
    case 'BYTES':
      return duck`gsql_bytes_literal(${sql}, ${word(String(shown === 'T'))})`;
    case 'INTERVAL':
      return shown === 't'
        ? textOf(sql, type)
        : duck`('INTERVAL "' || ${textOf(sql, type)} || '" YEAR TO SECOND')`;
    case 'ARRAY':
      return withLocals([sql], (list) => {
        const texts = mapped(list, (element) => shownText(element, type.element, shown));
        return duck`('[' || array_to_string(${texts}, ', ') || ']')`;
      });
    case 'STRUCT':
      return withLocals([sql], (record) => {
        const fields = type.fields.map((field, index) =>
          shownText(fieldSql(record, index, field.type), field.type, shown),
        );
        const name = shown === 'T' && fields.length === 1 ? 'STRUCT' : '';
        return duck`CASE WHEN ${record} IS NOT NULL THEN ${textLiteral(`${name}(`)} || ${joined(fields, " || ', ' || ")} || ')' END`;
      });
    default:
      throw notSupported(`FORMAT with %${shown} for ${typeText(type)}`);
  }
}

/** Whole numbers have a point. What is no number is a cast as a literal. */
function floatText(text: Sql, value: Sql, shown: Shown): Sql {
  const special = shown === 't' ? text : duck`'CAST("' || ${text} || '" AS FLOAT64)'`;
  const sign = duck`CASE WHEN ${value} = 0 AND signbit(${value}) THEN '-' ELSE '' END`;
  return duck`CASE WHEN NOT isfinite(${value}) THEN ${special} WHEN regexp_full_match(${text}, '-?\\d+') THEN ${sign} || ${text} || '.0' ELSE ${text} END`;
}

/** A string literal: in single quotes where the text has double quotes and no single ones. */
function quoted(sql: Sql): Sql {
  return withLocals([sql], (text) => {
    const isPlain = duck`NOT regexp_matches(${text}, '[\\x00-\\x1f\\x7f\\\\"]')`;
    return duck`CASE WHEN ${isPlain} THEN '"' || ${text} || '"' ELSE gsql_string_literal(${text}) END`;
  });
}
