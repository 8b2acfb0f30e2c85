import { duck, EMPTY, filtered, mapped, type Sql, textLiteral, word } from '../duck/sql.ts';
import { argument, type CallTranslator, type CallTranslators } from './call-site.ts';
import { raise, raiseText, withLocals } from './fragments.ts';
import { byWideNumberMode } from './options.ts';
import { nearestIntegerOfText, numberOfText } from './parse-text.ts';
import { LONG_JSON } from './sizes.ts';

const INTEGERS = word("('BIGINT', 'UBIGINT')");
const whole = (json: Sql): Sql => duck`round(${asNumber(json)})`;
const inInt64 = (number: Sql): Sql =>
  duck`${number} BETWEEN -9223372036854775808.0 AND 9223372036854774784.0`;

const isNumber = (json: Sql): Sql =>
  duck`json_type(${json}) IN ('BIGINT', 'UBIGINT', 'DOUBLE', 'HUGEINT', 'UHUGEINT')`;

/** A number that is no integer of 64 bits. */
const isFloat = (json: Sql): Sql => duck`json_type(${json}) IN ('DOUBLE', 'HUGEINT', 'UHUGEINT')`;

/** BOOL(json), INT64(json), FLOAT64(json) and STRING(json): an error for JSON of another type. */
function typed(fits: (json: Sql) => Sql, convert: (json: Sql) => Sql): CallTranslator {
  return byWideNumberMode((site, mode) =>
    withLocals([argument(site, 0)], (json) => {
      const error = raise(
        duck`${textLiteral(`The provided JSON value is not of type ${site.name}: `)} || left(CAST(${json} AS VARCHAR), 100)`,
        site.type,
      );
      const inexact = raise(
        duck`'JSON number: ' || ${json} || ' cannot be converted to FLOAT64 without loss of precision'`,
        site.type,
      );
      const isExact = duck`WHEN NOT gsql_json_exact_float(CAST(${json} AS VARCHAR)) THEN ${inexact} `;
      const check = mode === 'exact' ? isExact : EMPTY;
      return duck`CASE WHEN ${json} IS NULL THEN NULL WHEN NOT (${fits(json)}) THEN ${error} ${check}ELSE ${convert(json)} END`;
    }),
  );
}

const asText = (json: Sql): Sql => duck`json_extract_string(${json}, '$')`;
const asNumber = (json: Sql): Sql => duck`TRY_CAST(CAST(${json} AS VARCHAR) AS DOUBLE)`;

/** The elements of an array; DuckDB may compute it for what is none. */
const elementsOf = (json: Sql): Sql => duck`CAST(json_extract(${json}, '$[*]') AS JSON[])`;

/** INT64_ARRAY(json) and its siblings: an array of values that all have the type. */
function typedArray(fits: (json: Sql) => Sql, convert: (json: Sql) => Sql): CallTranslator {
  return (site) =>
    withLocals([argument(site, 0)], (json) => {
      const shown = duck`left(CAST(${json} AS VARCHAR), 100)`;
      const notArray = raise(duck`'The provided JSON value is not an array: ' || ${shown}`, site.type);
      const wrong = raise(
        duck`${textLiteral(`The provided JSON array has elements that are not of the type of ${site.name}: `)} || ${shown}`,
        site.type,
      );
      const list = elementsOf(json);
      const long = raiseText(`${site.name} ${LONG_JSON}`, site.type);
      const wrongOnes = filtered(list, (value) => duck`${value} IS NULL OR NOT (${fits(value)})`);
      return duck`CASE WHEN ${json} IS NULL THEN NULL WHEN gsql_json_is_long(${json}) THEN ${long} WHEN json_type(${json}) <> 'ARRAY' THEN ${notArray} WHEN len(${wrongOnes}) > 0 THEN ${wrong} ELSE ${mapped(list, convert)} END`;
    });
}

/** LAX_INT64_ARRAY(json) and its siblings: NULL for what is no array, and for elements that cannot be converted. */
const laxArray =
  (body: (json: Sql) => Sql): CallTranslator =>
  (site) =>
    withLocals(
      [argument(site, 0)],
      (json) =>
        duck`CASE WHEN gsql_json_is_long(${json}) THEN ${raiseText(`${site.name} ${LONG_JSON}`, site.type)} WHEN json_type(${json}) = 'ARRAY' THEN ${mapped(elementsOf(json), body)} END`,
    );

const lax =
  (body: (json: Sql) => Sql): CallTranslator =>
  (site) =>
    withLocals([argument(site, 0)], body);

interface Conversion {
  /** Whether JSON has the type, for the strict functions. */
  readonly fits: (json: Sql) => Sql;
  readonly convert: (json: Sql) => Sql;
  /** The nearest value of the type, or NULL, for the lax ones. */
  readonly lax: (json: Sql) => Sql;
}

const TO_STRING: Conversion = {
  fits: (json) => duck`json_type(${json}) = 'VARCHAR'`,
  convert: asText,
  lax: (json) =>
    duck`CASE WHEN ${isFloat(json)} THEN gsql_float_text(${asNumber(json)}) ELSE gsql_json_scalar(${json}) END`,
};

const CONVERSIONS: Readonly<Record<string, Conversion>> = {
  BOOL: {
    fits: (json) => duck`json_type(${json}) = 'BOOLEAN'`,
    convert: (json) => duck`(CAST(${json} AS VARCHAR) = 'true')`,
    lax: (json) =>
      duck`CASE WHEN json_type(${json}) = 'BOOLEAN' OR (json_type(${json}) = 'VARCHAR' AND lower(${asText(json)}) IN ('true', 'false')) THEN lower(${asText(json)}) = 'true' WHEN ${isNumber(json)} THEN ${asNumber(json)} <> 0 END`,
  },
  INT64: {
    fits: (json) =>
      duck`json_type(${json}) IN ${INTEGERS} OR (json_type(${json}) = 'DOUBLE' AND ${whole(json)} = ${asNumber(json)} AND ${inInt64(whole(json))})`,
    convert: (json) =>
      duck`CASE WHEN json_type(${json}) = 'DOUBLE' THEN CAST(${whole(json)} AS BIGINT) ELSE CAST(CAST(${json} AS VARCHAR) AS BIGINT) END`,
    lax: (json) => {
      const number = duck`round(TRY_CAST(${asText(json)} AS DOUBLE))`;
      const nearest = withLocals([asText(json)], nearestIntegerOfText);
      return duck`CASE WHEN json_type(${json}) = 'BOOLEAN' THEN CASE WHEN CAST(${json} AS VARCHAR) = 'true' THEN 1 ELSE 0 END WHEN json_type(${json}) IN ${INTEGERS} THEN TRY_CAST(CAST(${json} AS VARCHAR) AS BIGINT) WHEN json_type(${json}) = 'DOUBLE' AND ${inInt64(number)} THEN CAST(${number} AS BIGINT) WHEN json_type(${json}) = 'VARCHAR' THEN ${nearest} END`;
    },
  },
  FLOAT64: {
    fits: isNumber,
    convert: asNumber,
    lax: (json) => {
      const read = withLocals([asText(json)], (text) => numberOfText(text, word('NULL')));
      return duck`CASE WHEN ${isNumber(json)} THEN ${asNumber(json)} WHEN json_type(${json}) = 'VARCHAR' THEN ${read} END`;
    },
  },
};

/** STRING(json), for the function that has dates as well. */
export const stringFromJson: CallTranslator = typed(TO_STRING.fits, TO_STRING.convert);

const ALL = Object.entries({ ...CONVERSIONS, STRING: TO_STRING });

/** Functions from JSON to other types, but STRING. */
export const JSON_CONVERSIONS: CallTranslators = Object.fromEntries([
  ...Object.entries(CONVERSIONS).map(([name, { fits, convert }]) => [name, typed(fits, convert)] as const),
  ...ALL.flatMap(([name, { fits, convert, lax: nearest }]) => [
    [`LAX_${name}`, lax(nearest)] as const,
    [`${name}_ARRAY`, typedArray(fits, convert)] as const,
    [`LAX_${name}_ARRAY`, laxArray(nearest)] as const,
  ]),
]);
