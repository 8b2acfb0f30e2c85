import { arrayOf, BYTES, type SqlType, STRING } from '../../../../sql/types/sql-type.ts';
import { duck, mapped, type Sql } from '../duck/sql.ts';
import { REFUSAL } from '../not-supported.ts';
import type { CallSite, CallTranslator } from './call-site.ts';
import { refuseWhere, textSql, withLocals } from './fragments.ts';

/**
 * A function of text for BYTES as well: each byte stands for the character of its number, so that what counts characters counts
 * bytes.
 */
export function onBytes(translator: CallTranslator): CallTranslator {
  return (site) => {
    if (!site.arguments.some(({ type }) => isOfBytes(type))) return translator(site);
    const changed = site.arguments.map((argument) => ({ ...argument, type: withText(argument.type) }));
    const sql = site.sql.map((one, index) => asText(site, one, index));
    const text = translator({ ...site, arguments: changed, sql, type: withText(site.type) });
    return asBytes(text, site.type);
  };
}

function isOfBytes(type: SqlType): boolean {
  return type.kind === 'BYTES' || (type.kind === 'ARRAY' && type.element.kind === 'BYTES');
}

function withText(type: SqlType): SqlType {
  if (type.kind === 'BYTES') return STRING;
  return isOfBytes(type) ? arrayOf(STRING) : type;
}

function asText(site: CallSite, sql: Sql, index: number): Sql {
  const argument = site.arguments[index];
  if (argument === undefined || !isOfBytes(argument.type)) return sql;
  if (argument.type.kind === 'ARRAY') return textsOf(sql, site.name);
  if (argument.kind === 'literal' && argument.value !== null) return textSql(String(argument.value));
  return bytesAsText(sql);
}

/** Elements that become text at once; the engine does not look for a cancellation meanwhile. */
const MAX_ELEMENTS_OF_BYTES = 262_144;

function textsOf(list: Sql, name: string): Sql {
  const message = `${REFUSAL}${name} of more than ${MAX_ELEMENTS_OF_BYTES} BYTES`;
  return withLocals([list], (all) =>
    refuseWhere(
      duck`len(${all}) > ${MAX_ELEMENTS_OF_BYTES}`,
      message,
      arrayOf(STRING),
      mapped(all, bytesAsText),
    ),
  );
}

/** BYTES as text in which each byte is a character. */
export function bytesAsText(bytes: Sql): Sql {
  return duck`gsql_latin1_text(${bytes})`;
}

/** The BYTES of such a text, or of texts in an array. */
export function asBytes(text: Sql, type: SqlType): Sql {
  if (type.kind === 'BYTES') return duck`gsql_latin1_bytes(${text})`;
  return isOfBytes(type) ? mapped(text, (one) => asBytes(one, BYTES)) : text;
}
