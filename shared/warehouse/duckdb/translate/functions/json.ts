import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type Emission,
  type Emitter,
  type Emitters,
  literalValue,
} from './emitter.ts';
import { bind, raise, raiseText, textSql } from './fragments.ts';
import { fieldStep, translateJsonPath } from './json-path.ts';
import { jsonText } from './json-text.ts';

/** The path of a call in DuckDB's form; null for one that is none. */
function readPath(emission: Emission): string | null {
  const path = emission.sql[1] === undefined ? '$' : literalValue(emission, 1);
  if (typeof path !== 'string') throw notSupported(`${emission.name} with a path that is not a literal`);
  const translated = translateJsonPath(path);
  return translated === null ? null : textSql(translated);
}

function isText(emission: Emission): boolean {
  return argumentType(emission, 0).kind !== 'JSON';
}

function wrongPath(emission: Emission): string {
  const value = argument(emission, 0);
  const message = `Invalid JSONPath: ${String(literalValue(emission, 1))}`;
  return `CASE WHEN ${value} IS NOT NULL THEN ${raiseText(message, emission.type)} END`;
}

/** What a path selects, as JSON; NULL for text that is no JSON. Numbers that DuckDB would spell anew are marked. */
function select(emission: Emission, path: string): string {
  const value = argument(emission, 0);
  if (!isText(emission)) return `json_extract(${value}, ${path})`;
  return bind([value], (text) => `gsql_json_select(${text}, ${path})`);
}

/** JSON_VALUE: a scalar as text, NULL for an object, an array and null. */
const value: Emitter = (emission) => {
  const path = readPath(emission);
  if (path === null) return wrongPath(emission);
  if (isText(emission)) return bind([argument(emission, 0)], (text) => `gsql_json_value(${text}, ${path})`);
  return bind([select(emission, path)], (json) => `gsql_json_scalar(${json})`);
};

/** JSON_QUERY: any value; the null of JSON in text is NULL. */
const query: Emitter = (emission) => {
  const path = readPath(emission);
  if (path === null) return wrongPath(emission);
  if (emission.type.kind === 'JSON') return select(emission, path);
  return bind(
    [select(emission, path)],
    (json) => `nullif(gsql_json_unmarked(CAST(${json} AS VARCHAR)), 'null')`,
  );
};

const queryArray: Emitter = (emission) => {
  const path = readPath(emission);
  if (path === null) return wrongPath(emission);
  return bind([select(emission, path)], (json) => {
    const list = `CAST(json_extract(${json}, '$[*]') AS JSON[])`;
    const elements = !isText(emission)
      ? list
      : `list_transform(${list}, lambda e: gsql_json_unmarked(CAST(e AS VARCHAR)))`;
    return `CASE WHEN json_type(${json}) = 'ARRAY' THEN ${elements} END`;
  });
};

const valueArray: Emitter = (emission) => {
  const path = readPath(emission);
  if (path === null) return wrongPath(emission);
  return bind([select(emission, path)], (json) => {
    const list = `CAST(json_extract(${json}, '$[*]') AS JSON[])`;
    const nested = `len(list_filter(${list}, lambda e: json_type(e) IN ('OBJECT', 'ARRAY'))) > 0`;
    const scalars = `list_transform(${list}, lambda e: gsql_json_scalar(e))`;
    return `CASE WHEN json_type(${json}) <> 'ARRAY' OR ${nested} THEN NULL WHEN ${json} IS NOT NULL THEN ${scalars} END`;
  });
};

const jsonType: Emitter = (emission) =>
  bind(
    [argument(emission, 0)],
    (json) =>
      `CASE json_type(${json}) WHEN 'VARCHAR' THEN 'string' WHEN 'BOOLEAN' THEN 'boolean' WHEN 'NULL' THEN 'null' ` +
      `WHEN 'OBJECT' THEN 'object' WHEN 'ARRAY' THEN 'array' WHEN NULL THEN NULL ELSE CASE WHEN ${json} IS NOT NULL THEN 'number' END END`,
  );

const parse: Emitter = (emission) => {
  if (emission.sql.length > 1) throw notSupported('PARSE_JSON with wide_number_mode');
  return bind([argument(emission, 0)], (text) => {
    const error = raise(`'Invalid input to PARSE_JSON: ' || left(${text}, 100)`, emission.type);
    const wide = raiseText(
      'not supported by the embedded engine: PARSE_JSON of numbers with more than 15 digits',
      emission.type,
    );
    return (
      `CASE WHEN ${text} IS NULL THEN NULL WHEN NOT gsql_json_is_valid(${text}) THEN ${error} ` +
      `WHEN regexp_matches(${text}, '[0-9.]{17}|[0-9][eE]') THEN ${wide} ELSE json_extract(${text}, '$') END`
    );
  });
};

const isNumber = (json: string): string =>
  `json_type(${json}) IN ('BIGINT', 'UBIGINT', 'DOUBLE', 'HUGEINT', 'UHUGEINT')`;

/** BOOL(json), INT64(json), FLOAT64(json) and STRING(json): an error for JSON of another type. */
function typed(fits: (json: string) => string, convert: (json: string) => string): Emitter {
  return (emission) => {
    if (emission.sql.length > 1) throw notSupported(`${emission.name} with wide_number_mode`);
    return bind([argument(emission, 0)], (json) => {
      const error = raise(
        `'The provided JSON value is not of type ${emission.name}: ' || left(CAST(${json} AS VARCHAR), 100)`,
        emission.type,
      );
      return `CASE WHEN ${json} IS NULL THEN NULL WHEN NOT (${fits(json)}) THEN ${error} ELSE ${convert(json)} END`;
    });
  };
}

const asText = (json: string): string => `json_extract_string(${json}, '$')`;
const asNumber = (json: string): string => `TRY_CAST(CAST(${json} AS VARCHAR) AS DOUBLE)`;

/** STRING(json), for the function that has dates as well. */
export const stringFromJson: Emitter = typed((json) => `json_type(${json}) = 'VARCHAR'`, asText);

const lax =
  (body: (json: string) => string): Emitter =>
  (emission) =>
    bind([argument(emission, 0)], body);

const toJson: Emitter = (emission) =>
  `CAST(${jsonText(argument(emission, 0), argumentType(emission, 0), 'number')} AS JSON)`;

const toJsonString: Emitter = (emission) => {
  if (emission.sql.length > 1 && literalValue(emission, 1) !== false)
    throw notSupported('TO_JSON_STRING with pretty_print');
  return jsonText(argument(emission, 0), argumentType(emission, 0), 'string');
};

const field: Emitter = (emission) => {
  const name = literalValue(emission, 1);
  if (typeof name !== 'string') throw notSupported('a JSON field whose name is not a literal');
  return `json_extract(${argument(emission, 0)}, ${textSql(`$${fieldStep(name)}`)})`;
};

const elementAt: Emitter = (emission) => {
  const index = literalValue(emission, 1);
  if (typeof index !== 'bigint' || index < 0n)
    throw notSupported('a JSON subscript that is not a literal of at least 0');
  return `json_extract(${argument(emission, 0)}, '$[${index}]')`;
};

const INTEGERS = "('BIGINT', 'UBIGINT')";
const whole = (json: string): string => `round(${asNumber(json)})`;
const inInt64 = (number: string): string =>
  `${number} BETWEEN -9223372036854775808.0 AND 9223372036854774784.0`;

/** JSON functions. */
export const JSON_EMITTERS: Emitters = {
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
  BOOL: typed(
    (json) => `json_type(${json}) = 'BOOLEAN'`,
    (json) => `(CAST(${json} AS VARCHAR) = 'true')`,
  ),
  INT64: typed(
    (json) =>
      `json_type(${json}) IN ${INTEGERS} OR (json_type(${json}) = 'DOUBLE' AND ${whole(json)} = ${asNumber(json)} AND ${inInt64(whole(json))})`,
    (json) =>
      `CASE WHEN json_type(${json}) = 'DOUBLE' THEN CAST(${whole(json)} AS BIGINT) ELSE CAST(CAST(${json} AS VARCHAR) AS BIGINT) END`,
  ),
  FLOAT64: typed(isNumber, asNumber),
  LAX_STRING: lax((json) => `gsql_json_scalar(${json})`),
  LAX_BOOL: lax(
    (json) =>
      `CASE WHEN json_type(${json}) = 'BOOLEAN' OR (json_type(${json}) = 'VARCHAR' AND lower(${asText(json)}) IN ('true', 'false')) ` +
      `THEN lower(${asText(json)}) = 'true' WHEN ${isNumber(json)} THEN ${asNumber(json)} <> 0 END`,
  ),
  LAX_INT64: lax((json) => {
    const number = `round(TRY_CAST(${asText(json)} AS DOUBLE))`;
    return (
      `CASE WHEN json_type(${json}) = 'BOOLEAN' THEN CASE WHEN CAST(${json} AS VARCHAR) = 'true' THEN 1 ELSE 0 END ` +
      `WHEN json_type(${json}) IN ${INTEGERS} THEN TRY_CAST(CAST(${json} AS VARCHAR) AS BIGINT) ` +
      `WHEN json_type(${json}) IN ('DOUBLE', 'VARCHAR') AND regexp_full_match(${asText(json)}, '[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?') ` +
      `AND ${inInt64(number)} THEN coalesce(CASE WHEN regexp_full_match(${asText(json)}, '[+-]?\\d+') THEN TRY_CAST(${asText(json)} AS BIGINT) END, CAST(${number} AS BIGINT)) END`
    );
  }),
  LAX_FLOAT64: lax(
    (json) =>
      `CASE WHEN ${isNumber(json)} THEN ${asNumber(json)} WHEN json_type(${json}) = 'VARCHAR' AND ` +
      `regexp_full_match(${asText(json)}, '(?i)[+-]?(?:(?:\\d+\\.?\\d*|\\.\\d+)(?:e[+-]?\\d+)?|inf|infinity|nan)') THEN CAST(${asText(json)} AS DOUBLE) END`,
  ),
};
