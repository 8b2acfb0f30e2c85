import { BOOL, type SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, joined, mapped, type Sql, word } from '../duck/sql.ts';
import { notSupported, REFUSAL } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { fieldSql } from './field-sql.ts';
import { raiseText, refuseWhere, textSql, withLocals } from './fragments.ts';
import { ValueError } from './javascript/javascript-function.ts';
import { readSearchQuery, type SearchQuery } from './javascript/search-query.ts';
import { LONG_JSON, MAX_SPLIT_SIZE } from './sizes.ts';
import { textOf } from './value-text.ts';

/** Most elements of an array times bytes of the text that is sought in each. */
const MAX_COMPARED = 16_000_000;
/** Bytes of two texts whose case is folded together; the engine does not look for a cancellation meanwhile. */
const MAX_FOLDED_BYTES = 1_048_576;

/** Searches one value that is no array and no struct. */
type SearchOne = (value: Sql, type: SqlType) => Sql;

/** Whether a value, or any that it has in it, is found; NULL where none is and one of them is NULL. */
function searchIn(name: string, sql: Sql, type: SqlType, part: Sql, one: SearchOne): Sql {
  if (type.kind === 'ARRAY')
    return withLocals([sql], (list) => {
      const found = withLocals(
        [mapped(list, (element) => searchIn(name, element, type.element, part, one))],
        anyOf,
      );
      const tooMuch = `${REFUSAL}${name} of more than ${MAX_COMPARED} elements multiplied by bytes of text`;
      return refuseWhere(
        duck`len(${list})::DOUBLE * strlen(${part}) > ${MAX_COMPARED}`,
        tooMuch,
        BOOL,
        found,
      );
    });
  if (type.kind === 'STRUCT')
    return withLocals([sql], (record) => {
      const fields = type.fields.map((field, index) =>
        searchIn(name, fieldSql(record, index, field.type), field.type, part, one),
      );
      return duck`(${joined(fields, ' OR ')})`;
    });
  return one(sql, type);
}

/** OR of a list of BOOL. */
function anyOf(list: Sql): Sql {
  return duck`CASE WHEN list_contains(${list}, true) THEN true WHEN ${list} IS NULL OR list_count(${list}) < len(${list}) THEN NULL ELSE false END`;
}

/** A function of a JSON value, which is short enough to be read as a whole. */
function ofJson(name: string, json: Sql, body: (json: Sql) => Sql): Sql {
  return withLocals([json], (value) => {
    const long = raiseText(`${name} ${LONG_JSON}`, BOOL);
    return duck`CASE WHEN gsql_json_is_long(${value}) THEN ${long} ELSE ${body(duck`CAST(${value} AS VARCHAR)`)} END`;
  });
}

/** Arguments by name come last. */
const byName = (site: CallSite, fromEnd: number): Sql => argument(site, site.sql.length - fromEnd);

const containsSubstring: CallTranslator = (site) =>
  withLocals([argument(site, 1)], (part) =>
    searchIn(site.name, argument(site, 0), argumentType(site, 0), part, (value, type) => {
      if (type.kind === 'BYTES') throw notSupported(`CONTAINS_SUBSTR in ${type.kind}`);
      if (type.kind === 'JSON')
        return ofJson(site.name, value, (json) =>
          duck`gsql_json_contains(${json}, ${part}, ${byName(site, 1)})`.raising(),
        );
      return containsPart(textOf(value, type), part);
    }),
  );

/** Whether a text contains another, case ignored. */
function containsPart(sql: Sql, part: Sql): Sql {
  return withLocals([sql], (text) => {
    const isAscii = duck`strlen(${text}) = length(${text}) AND strlen(${part}) = length(${part})`;
    const plain = duck`contains(lower(${text}), lower(${part}))`;
    const folded = refuseWhere(
      duck`strlen(${text}) + strlen(${part}) > ${MAX_FOLDED_BYTES}`,
      `${REFUSAL}CONTAINS_SUBSTR of more than ${MAX_FOLDED_BYTES} bytes that are not ASCII`,
      BOOL,
      duck`contains(gsql_fold(${text}, 'NFKC'), gsql_fold(${part}, 'NFKC'))`,
    );
    return duck`CASE WHEN ${isAscii} THEN ${plain} ELSE ${folded} END`;
  });
}

/** The analyzer that a call names, and refusals of what only BigQuery has. */
function analyzerOf(site: CallSite, place: number): 'LOG_ANALYZER' | 'NO_OP_ANALYZER' {
  const options = site.arguments[place + 1];
  if (options?.kind !== 'literal' || options.value !== null)
    throw notSupported(`${site.name} with analyzer_options`);
  const name = literalValue(site, place);
  if (name !== 'LOG_ANALYZER' && name !== 'NO_OP_ANALYZER')
    throw notSupported(`${site.name} with an analyzer other than 'LOG_ANALYZER' and 'NO_OP_ANALYZER'`);
  return name;
}

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/search_functions#search */
const search: CallTranslator = (site) => {
  const isWhole = analyzerOf(site, site.sql.length - 2) === 'NO_OP_ANALYZER';
  const known = isWhole ? null : knownQuery(site);
  if (known !== null && !('kind' in known)) return raiseText(known.error, BOOL);
  return withLocals([argument(site, 1)], (query) => {
    const found = searchIn(site.name, argument(site, 0), argumentType(site, 0), query, (value, type) => {
      if (type.kind === 'STRING') return isWhole ? duck`(${value} = ${query})` : ofText(value, query, known);
      if (type.kind !== 'JSON') return duck`false`;
      if (isWhole) throw notSupported("SEARCH in JSON with 'NO_OP_ANALYZER'");
      return ofJson(site.name, value, (json) =>
        duck`gsql_json_search(${json}, ${query}, ${byName(site, 3)})`.refusing(),
      );
    });
    const missing = raiseText('The search query of SEARCH must not be NULL', BOOL);
    return duck`CASE WHEN ${query} IS NULL THEN ${missing} ELSE ${found} END`;
  });
};

/** A query that is a literal, read once for all rows, or what is wrong with it. */
function knownQuery(site: CallSite): SearchQuery | { readonly error: string } | null {
  const literal = literalValue(site, 1);
  if (typeof literal !== 'string') return null;
  try {
    return readSearchQuery(literal);
  } catch (error) {
    if (error instanceof ValueError) return { error: error.message };
    throw error;
  }
}

function ofText(value: Sql, query: Sql, known: SearchQuery | null): Sql {
  return withLocals([value], (text) => {
    const found = refuseWhere(
      duck`strlen(${text}) > ${MAX_SPLIT_SIZE}`,
      `SEARCH takes texts of at most ${MAX_SPLIT_SIZE} bytes`,
      BOOL,
      duck`gsql_search(${text}, ${query})`.refusing(),
    );
    // DuckDB's own functions rule out nearly all texts.
    return known === null ? found : duck`CASE WHEN NOT ${mayHold(text, known)} THEN false ELSE ${found} END`;
  });
}

/** A condition that holds wherever a query does. */
function mayHold(text: Sql, query: SearchQuery): Sql {
  switch (query.kind) {
    case 'all':
    case 'any': {
      const parts = query.parts.map((part) => mayHold(text, part));
      return duck`(${joined(parts, query.kind === 'all' ? ' AND ' : ' OR ')})`;
    }
    case 'exact':
      return duck`contains(${text}, ${textSql(query.text)})`;
    default: {
      const parts = query.tokens.map((token) => duck`contains(lower(${text}), lower(${textSql(token)}))`);
      return parts.length === 0 ? word('true') : duck`(${joined(parts, ' AND ')})`;
    }
  }
}

const textAnalyze: CallTranslator = (site) => {
  const isWhole = analyzerOf(site, site.sql.length - 2) === 'NO_OP_ANALYZER';
  return withLocals([argument(site, 0)], (text) => {
    if (isWhole) return duck`CASE WHEN ${text} IS NOT NULL THEN [${text}] END`;
    return refuseWhere(
      duck`strlen(${text}) > ${MAX_SPLIT_SIZE}`,
      `TEXT_ANALYZE takes texts of at most ${MAX_SPLIT_SIZE} bytes`,
      site.type,
      duck`gsql_tokens(${text})`,
    );
  });
};

/** Functions that look for words and parts of text in values of any type. */
export const TEXT_SEARCH: CallTranslators = {
  CONTAINS_SUBSTR: containsSubstring,
  SEARCH: search,
  TEXT_ANALYZE: textAnalyze,
};
