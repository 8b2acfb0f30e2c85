import { duck, type Sql, textLiteral } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
  optionValue,
} from './call-site.ts';
import { raise, raiseText, textSql, withLocals } from './fragments.ts';
import { fieldStep, jsonPathDialect, translateJsonPath } from './json-path.ts';
import { jsonText } from './json-text.ts';
import { LONG_JSON } from './sizes.ts';

/** The path of a call in DuckDB's form; null for an invalid path. */
function readPath(site: CallSite): Sql | null {
  const path = site.sql[1] === undefined ? '$' : literalValue(site, 1);
  if (typeof path !== 'string') throw notSupported(`${site.name} with a path that is not a literal`);
  const translated = translateJsonPath(path, jsonPathDialect(site.name));
  return translated === null ? null : textSql(translated);
}

function isText(site: CallSite): boolean {
  return argumentType(site, 0).kind !== 'JSON';
}

function wrongPath(site: CallSite): Sql {
  const value = argument(site, 0);
  const message = `Invalid JSONPath: ${String(literalValue(site, 1))}`;
  return duck`CASE WHEN ${value} IS NOT NULL THEN ${raiseText(message, site.type)} END`;
}

/** What a path selects, as JSON; NULL for text that is no JSON. Numbers that DuckDB would spell anew are marked. */
function select(site: CallSite, path: Sql): Sql {
  const value = argument(site, 0);
  if (!isText(site)) return duck`json_extract(${value}, ${path})`;
  return withLocals([value], (text) => duck`gsql_json_select(${text}, ${path})`);
}

/** JSON_VALUE: a scalar as text, NULL for an object, an array and null. */
const value: CallTranslator = (site) => {
  const path = readPath(site);
  if (path === null) return wrongPath(site);
  if (isText(site)) return withLocals([argument(site, 0)], (text) => duck`gsql_json_value(${text}, ${path})`);
  return withLocals([select(site, path)], (json) => duck`gsql_json_scalar(${json})`);
};

/** JSON_QUERY: any value; the null of JSON in text is NULL. */
const query: CallTranslator = (site) => {
  const path = readPath(site);
  if (path === null) return wrongPath(site);
  if (site.type.kind === 'JSON') return select(site, path);
  return withLocals(
    [select(site, path)],
    (json) => duck`nullif(gsql_json_unmarked(CAST(${json} AS VARCHAR)), 'null')`,
  );
};

/** The elements of an array, of which each is worked on by itself. */
function elementsOf(site: CallSite, json: Sql): Sql {
  const list = duck`CAST(json_extract(${json}, '$[*]') AS JSON[])`;
  const long = raiseText(`${site.name} ${LONG_JSON}`, site.type);
  return duck`CASE WHEN gsql_json_is_long(${json}) THEN CAST(${long} AS JSON[]) ELSE ${list} END`;
}

const queryArray: CallTranslator = (site) => {
  const path = readPath(site);
  if (path === null) return wrongPath(site);
  return withLocals([select(site, path)], (json) => {
    const list = elementsOf(site, json);
    const elements = !isText(site)
      ? list
      : duck`list_transform(${list}, lambda e: gsql_json_unmarked(CAST(e AS VARCHAR)))`;
    return duck`CASE WHEN json_type(${json}) = 'ARRAY' THEN ${elements} END`;
  });
};

const valueArray: CallTranslator = (site) => {
  const path = readPath(site);
  if (path === null) return wrongPath(site);
  return withLocals([select(site, path)], (json) => {
    const list = elementsOf(site, json);
    const nested = duck`len(list_filter(${list}, lambda e: json_type(e) IN ('OBJECT', 'ARRAY'))) > 0`;
    const scalars = duck`list_transform(${list}, lambda e: gsql_json_scalar(e))`;
    return duck`CASE WHEN json_type(${json}) <> 'ARRAY' OR ${nested} THEN NULL WHEN ${json} IS NOT NULL THEN ${scalars} END`;
  });
};

const jsonType: CallTranslator = (site) =>
  withLocals(
    [argument(site, 0)],
    (json) =>
      duck`CASE json_type(${json}) WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean' WHEN 'NULL' THEN 'null' WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN NULL THEN NULL ELSE CASE WHEN ${json} IS NOT NULL THEN 'number' END END`,
  );

/** Numbers that DuckDB does not keep as they are: it has 64 bits for integers and DOUBLE for the rest. */
const UNSAFE_NUMBER = `[0-9][eE]|[0-9]{20}|-[0-9]{19}|${Array.from({ length: 15 }, (_, index) => `[0-9]{${index + 1}}[.][0-9]{${15 - index}}`).join('|')}`;

const JSON_STRING = String.raw`"(?:[^"\\]|\\.)*"`;

const parse: CallTranslator = (site) => {
  if (![undefined, 'exact'].some((mode) => mode === optionValue(site, 1)))
    throw notSupported('PARSE_JSON with this wide_number_mode');
  return withLocals([argument(site, 0)], (text) => {
    const error = site.safe
      ? duck`NULL`
      : raise(duck`'Invalid input to PARSE_JSON: ' || left(${text}, 100)`, site.type);
    const wide = raiseText(
      'not supported by the embedded engine: PARSE_JSON of fractions with more than 15 digits, exponents and integers beyond INT64',
      site.type,
    );
    return duck`CASE WHEN ${text} IS NULL THEN NULL WHEN NOT gsql_json_is_valid(${text}) THEN ${error} WHEN regexp_matches(${text}, ${textLiteral(UNSAFE_NUMBER)}) AND regexp_matches(regexp_replace(${text}, ${textLiteral(JSON_STRING)}, '""', 'g'), ${textLiteral(UNSAFE_NUMBER)}) THEN ${wide} ELSE json_extract(${text}, '$') END`;
  });
};

const toJson: CallTranslator = (site) => {
  const isText = optionValue(site, 1);
  const text = jsonText(argument(site, 0), argumentType(site, 0), isText === true ? 'string' : 'number');
  return duck`CAST(${text} AS JSON)`;
};

const toJsonString: CallTranslator = (site) => {
  const isPretty = site.sql.length > 1 ? literalValue(site, 1) : false;
  const type = argumentType(site, 0);
  if (isPretty === true) return jsonText(argument(site, 0), type, 'string', 0);
  if (isPretty !== false) throw notSupported('TO_JSON_STRING with pretty_print that is not a literal');
  return jsonText(argument(site, 0), type, 'string');
};

const field: CallTranslator = (site) => {
  const name = literalValue(site, 1);
  if (typeof name !== 'string') throw notSupported('a JSON field whose name is not a literal');
  return duck`json_extract(${argument(site, 0)}, ${textSql(`$${fieldStep(name)}`)})`;
};

const elementAt: CallTranslator = (site) => {
  const index = literalValue(site, 1);
  if (typeof index !== 'bigint' || index < 0n)
    throw notSupported('a JSON subscript that is not a literal of at least 0');
  return duck`json_extract(${argument(site, 0)}, ${textLiteral(`$[${index}]`)})`;
};

/** JSON functions. */
export const JSON_TRANSLATORS: CallTranslators = {
  JSON_VALUE: value,
  JSON_EXTRACT_SCALAR: value,
  JSON_QUERY: query,
  JSON_EXTRACT: query,
  JSON_QUERY_ARRAY: queryArray,
  JSON_EXTRACT_ARRAY: queryArray,
  JSON_VALUE_ARRAY: valueArray,
  JSON_EXTRACT_STRING_ARRAY: valueArray,
  JSON_TYPE: jsonType,
  PARSE_JSON: parse,
  TO_JSON: toJson,
  TO_JSON_STRING: toJsonString,
  $JSON_FIELD: field,
  $JSON_AT: elementAt,
};
