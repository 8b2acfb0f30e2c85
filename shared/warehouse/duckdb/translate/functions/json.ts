import { duck, EMPTY, mapped, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { raiseText, refuseWhere, textSql, withLocals } from './fragments.ts';
import { ValueError } from './javascript/javascript-function.ts';
import { duckPathsOf, fieldStep, isLaxJsonPath, jsonPathDialect, readJsonPath } from './json-path.ts';
import { jsonText } from './json-text.ts';
import { byOption, byWideNumberMode, nullOf } from './options.ts';
import { LONG_JSON, MAX_SPLIT_SIZE } from './sizes.ts';

interface Path {
  /** SQL of the path. */
  readonly sql: Sql;
  /** The names in a literal path; null for one that is known only when it runs, or that GoogleSQL refuses. */
  readonly names: readonly string[] | null;
}

/** The path of a call, which is the same for all rows. */
function readPath(site: CallSite): Path {
  const sql = site.sql[1] ?? textLiteral('$');
  const path = site.sql[1] === undefined ? '$' : literalValue(site, 1);
  if (typeof path === 'string') return { sql, names: namesOf(path, site.name) };
  if (site.arguments[1]?.kind !== 'parameter' && !sql.properties.isConstant)
    throw notSupported(`${site.name} with a path that is not a constant`);
  return { sql, names: null };
}

function namesOf(path: string, functionName: string): readonly string[] | null {
  try {
    return readJsonPath(path, jsonPathDialect(functionName));
  } catch (error) {
    if (error instanceof ValueError) return null;
    throw error;
  }
}

function isText(site: CallSite): boolean {
  return argumentType(site, 0).kind !== 'JSON';
}

/** A call of a JavaScript function that follows the path of a call. */
function atPath(site: CallSite, kind: string, value: Sql, path: Path): Sql {
  const name = word(`gsql_json_${jsonPathDialect(site.name)}_${kind}`);
  return duck`${name}(${value}, ${path.sql})`.raising();
}

/** What a path selects of a JSON value. */
function select(site: CallSite, path: Path): Sql {
  const value = argument(site, 0);
  const paths = path.names === null ? null : duckPathsOf(path.names);
  const [first, second] = paths ?? [];
  if (first === undefined)
    return duck`CAST(${atPath(site, 'at', duck`CAST(${value} AS VARCHAR)`, path)} AS JSON)`;
  const extracted = (json: Sql, at: string) => duck`json_extract(${json}, ${textSql(at)})`;
  if (second === undefined) return extracted(value, first);
  return withLocals([value], (json) => duck`coalesce(${extracted(json, first)}, ${extracted(json, second)})`);
}

/** Whether text that has none of the path's names in quotes has nothing at the path; EMPTY where that cannot be told. */
function isMissing(text: Sql, names: readonly string[]): Sql {
  const name = names.findLast((one) => /^[^\d\-/"\\\p{Cc}][^/"\\\p{Cc}]*$/u.test(one));
  return name === undefined ? EMPTY : duck`WHEN NOT contains(${text}, ${textSql(`"${name}"`)}) THEN NULL `;
}

/**
 * JSON_VALUE and JSON_QUERY of text. DuckDB reads text that is JSON by its standard and has nothing that the two write otherwise;
 * of all other text JavaScript finds what GoogleSQL does.
 */
function ofText(site: CallSite, path: Path, kind: 'value' | 'query'): Sql {
  return withLocals([argument(site, 0)], (text) => {
    const exact = atPath(site, `text_${kind}`, text, path);
    const [found] = path.names === null ? [] : (duckPathsOf(path.names) ?? []);
    if (found === undefined || path.names === null) return exact;
    const at = textSql(found);
    const missing = isMissing(text, path.names);
    const known =
      kind === 'value'
        ? duck`WHEN gsql_json_value_is_known(${text}, ${at}) THEN json_extract_string(${text}, ${at}) WHEN json_type(${text}, ${at}) IN ('OBJECT', 'ARRAY', 'NULL') THEN NULL`
        : duck`WHEN gsql_json_query_is_known(${text}, ${at}) THEN nullif(CAST(json_extract(${text}, ${at}) AS VARCHAR), 'null')`;
    return duck`CASE WHEN NOT gsql_json_is_plain(${text}) THEN ${exact} ${known} ${missing}ELSE ${exact} END`;
  });
}

/** JSON_VALUE: a scalar as text, NULL for an object, an array and null. */
const value: CallTranslator = (site) => {
  const path = readPath(site);
  if (isText(site)) return ofText(site, path, 'value');
  return withLocals([select(site, path)], (json) => duck`gsql_json_scalar(${json})`);
};

/** Whether JSON_QUERY of a JSON value may have a path that looks into arrays, by its text or as that is not known. */
function mayBeLax(site: CallSite): boolean {
  if (site.name !== 'JSON_QUERY' || isText(site) || site.sql[1] === undefined) return false;
  const path = literalValue(site, 1);
  return typeof path !== 'string' || isLaxJsonPath(path);
}

/** JSON_QUERY: any value; the null of JSON in text is NULL. */
const query: CallTranslator = (site) => {
  const path = readPath(site);
  if (mayBeLax(site))
    return duck`CAST(gsql_json_query(CAST(${argument(site, 0)} AS VARCHAR), ${path.sql}) AS JSON)`.raising();
  return isText(site) ? ofText(site, path, 'query') : select(site, path);
};

/** The elements of an array, of which each is worked on by itself. */
function elementsOf(site: CallSite, json: Sql): Sql {
  const list = duck`CAST(json_extract(${json}, '$[*]') AS JSON[])`;
  const long = raiseText(`${site.name} ${LONG_JSON}`, site.type);
  return duck`CASE WHEN gsql_json_is_long(${json}) THEN CAST(${long} AS JSON[]) ELSE ${list} END`;
}

const queryArray: CallTranslator = (site) => {
  const path = readPath(site);
  if (isText(site)) return atPath(site, 'text_query_array', argument(site, 0), path);
  return withLocals(
    [select(site, path)],
    (json) => duck`CASE WHEN json_type(${json}) = 'ARRAY' THEN ${elementsOf(site, json)} END`,
  );
};

const valueArray: CallTranslator = (site) => {
  const path = readPath(site);
  if (isText(site)) return atPath(site, 'text_value_array', argument(site, 0), path);
  return withLocals([select(site, path)], (json) => {
    const list = elementsOf(site, json);
    const nested = duck`len(list_filter(${list}, lambda e: json_type(e) IN ('OBJECT', 'ARRAY'))) > 0`;
    const scalars = mapped(list, (element) => duck`gsql_json_scalar(${element})`);
    return duck`CASE WHEN json_type(${json}) <> 'ARRAY' OR ${nested} THEN NULL WHEN ${json} IS NOT NULL THEN ${scalars} END`;
  });
};

/** What JSON_TYPE calls the types; all others are numbers. */
const TYPE_NAMES = [
  ['VARCHAR', 'string'],
  ['BOOLEAN', 'boolean'],
  ['NULL', 'null'],
  ['OBJECT', 'object'],
  ['ARRAY', 'array'],
] as const;

const jsonType: CallTranslator = (site) =>
  withLocals([argument(site, 0)], (json) => {
    const names = TYPE_NAMES.map(([from, to]) => `WHEN '${from}' THEN '${to}'`).join(' ');
    return duck`CASE json_type(${json}) ${word(names)} ELSE CASE WHEN ${json} IS NOT NULL THEN 'number' END END`;
  });

const parse = byWideNumberMode((site, mode) => {
  const isExact = word(mode === 'exact' ? 'true' : 'false');
  const parsed = duck`CAST(gsql_parse_json(${argument(site, 0)}, ${isExact}) AS JSON)`.raising();
  // It is read at once, and no query is interrupted while it is.
  const message = `PARSE_JSON takes at most ${MAX_SPLIT_SIZE} bytes`;
  return refuseWhere(duck`strlen(${argument(site, 0)}) > ${MAX_SPLIT_SIZE}`, message, site.type, parsed);
});

const BOTH = { place: () => 1, values: [false, true], ofNull: nullOf } as const;

const toJson = byOption(BOTH, (site, isText) => {
  const text = jsonText(argument(site, 0), argumentType(site, 0), isText === true ? 'stringified' : 'number');
  return duck`CAST(${text} AS JSON)`;
});

const toJsonString = byOption(BOTH, (site, isPretty) =>
  jsonText(argument(site, 0), argumentType(site, 0), 'string', isPretty === true ? 0 : null),
);

const field: CallTranslator = (site) => {
  const name = literalValue(site, 1);
  const step = typeof name === 'string' ? fieldStep(name) : null;
  if (step !== null) return duck`json_extract(${argument(site, 0)}, ${textSql(`$${step}`)})`;
  return duck`CAST(gsql_json_field(CAST(${argument(site, 0)} AS VARCHAR), ${argument(site, 1)}) AS JSON)`;
};

const elementAt: CallTranslator = (site) => {
  const index = literalValue(site, 1);
  if (typeof index === 'bigint' && index >= 0n && index < 2n ** 31n)
    return duck`json_extract(${argument(site, 0)}, ${textLiteral(`$[${index}]`)})`;
  return duck`CAST(gsql_json_element(CAST(${argument(site, 0)} AS VARCHAR), ${argument(site, 1)}) AS JSON)`;
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
