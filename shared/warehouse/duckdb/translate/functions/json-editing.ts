import { isUntypedNull } from '../../../../sql/analyzer/coercion.ts';
import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { STRING } from '../../../../sql/types/sql-type.ts';
import { bigint, duck, joined, mapped, type Sql, textLiteral, word } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  isOmitted,
  literalValue,
} from './call-site.ts';
import { duckType } from './duck-type.ts';
import { raiseText, refuseWhere, withLocals } from './fragments.ts';
import { ValueError } from './javascript/javascript-function.ts';
import { MAX_PADDING } from './javascript/json-edits.ts';
import { readStrictJsonPath } from './json-path.ts';
import { jsonText } from './json-text.ts';
import { byOption, fromEnd } from './options.ts';
import { LONG_JSON } from './sizes.ts';

/** Changes the text of a JSON value. */
type Edit = (json: Sql) => Sql;

/** Applies edits one after the other; NULL stays NULL. */
function edited(site: CallSite, edits: readonly Edit[]): Sql {
  const text = edits.reduce((value, edit) => edit(value), duck`CAST(${argument(site, 0)} AS VARCHAR)`);
  return duck`CAST(${text} AS JSON)`.raising();
}

/** Edits of pairs of path and value, which may make arrays longer than they may become. */
function editedPairs(site: CallSite, edits: readonly Edit[]): Sql {
  const json = edited(site, edits);
  const paths = site.arguments.slice(1, -1).filter((_, index) => index % 2 === 0);
  return paths.some(mayAddTooMuch) ? json.refusing() : json;
}

/** Whether a path may have an index that adds more elements than an edit may. */
function mayAddTooMuch(path: ResolvedExpression): boolean {
  if (path.kind !== 'literal') return true;
  return (String(path.value).match(/\d+/g) ?? []).some((index) => Number(index) >= MAX_PADDING);
}

/** An edit at the path of an argument; a path that is NULL changes nothing, and one that is none is an error even for NULL. */
function atPath(site: CallSite, index: number, edit: (json: Sql, path: Sql) => Sql): readonly Edit[] {
  if (isOmitted(site, index)) return [];
  const path = argument(site, index);
  const expression = site.arguments[index];
  if (expression?.kind === 'literal') {
    const error = pathError(String(expression.value));
    return [(json) => (error === null ? edit(json, path) : raiseText(error, STRING))];
  }
  if (expression?.kind !== 'parameter' && !path.properties.isConstant)
    throw notSupported(`${site.name} with a path that is not a constant`);
  return [
    (json) =>
      withLocals(
        [json, path],
        (value, at) =>
          duck`CASE WHEN ${at} IS NULL THEN ${value} WHEN gsql_json_is_path(${at}) THEN ${edit(value, at)} END`,
      ),
  ];
}

function pathError(path: string): string | null {
  try {
    readStrictJsonPath(path);
    return null;
  } catch (error) {
    if (error instanceof ValueError) return error.message;
    throw error;
  }
}

/** What an edit with an option that is NULL answers: the value as it is, or the error of a path, which comes before. */
function unchanged(site: CallSite, paths: readonly number[]): Sql {
  const errors = paths
    .map((index) => literalValue(site, index))
    .map((path) => (typeof path === 'string' ? pathError(path) : null));
  const error = errors.find((one) => one !== null);
  return error === undefined || error === null ? argument(site, 0) : raiseText(error, site.type);
}

/** Where pairs of path and value before one option have their paths. */
const pathsOfPairs = (site: CallSite): readonly number[] =>
  site.sql.map((_, index) => index).filter((index) => index % 2 === 1 && index < site.sql.length - 1);

/** The last option as SQL. */
const lastOption = (site: CallSite): Sql => argument(site, site.sql.length - 1);

/** A translator of a function that changes nothing where one of its options, which come last, is NULL. */
const unlessNull =
  (
    options: number,
    pathsOf: (site: CallSite) => readonly number[],
    translate: CallTranslator,
  ): CallTranslator =>
  (site) => {
    const open = site.arguments.slice(-options).map(({ kind }) => kind !== 'literal');
    if (site.arguments.slice(-options).some(isUntypedNull)) return unchanged(site, pathsOf(site));
    if (!open.includes(true)) return translate(site);
    return withLocals(site.sql, (...sql) => {
      const named = { ...site, sql };
      const isNull = joined(
        sql.slice(-options).map((option) => duck`${option} IS NULL`),
        ' OR ',
      );
      return duck`CASE WHEN ${isNull} THEN ${unchanged(named, pathsOf(site))} ELSE ${translate(named)} END`;
    });
  };

/** The edits of pairs of path and value before the one option. */
function ofPairs(site: CallSite, edit: (json: Sql, path: Sql, valueIndex: number) => Sql): readonly Edit[] {
  const edits: Edit[] = [];
  for (let index = 1; index + 2 < site.sql.length; index += 2)
    edits.push(...atPath(site, index, (json, path) => edit(json, path, index + 1)));
  return edits;
}

const valueText = (site: CallSite, index: number): Sql =>
  jsonText(argument(site, index), argumentType(site, index), 'number');

const set = unlessNull(1, pathsOfPairs, (site) => {
  const edits = ofPairs(
    site,
    (json, path, index) =>
      duck`gsql_json_set(${json}, ${path}, ${valueText(site, index)}, ${lastOption(site)})`,
  );
  return editedPairs(site, edits);
});

/** The text of an array of what is put into an array: an array's elements by themselves, unless the call says otherwise. */
function insertedTexts(site: CallSite, index: number, isEach: boolean): Sql {
  const type = argumentType(site, index);
  if (type.kind !== 'ARRAY' || !isEach) return duck`('[' || ${valueText(site, index)} || ']')`;
  const texts = withLocals([argument(site, index)], (list) =>
    mapped(list, (element) => jsonText(element, type.element, 'number')),
  );
  return duck`('[' || coalesce(array_to_string(${texts}, ','), '') || ']')`;
}

/** JSON_ARRAY_APPEND and JSON_ARRAY_INSERT. */
const insert = (isAppended: boolean): CallTranslator => {
  const appended = word(isAppended ? 'true' : 'false');
  return byOption(
    { place: fromEnd(1), values: [true, false], ofNull: (site) => unchanged(site, pathsOfPairs(site)) },
    (site, isEach) => {
      const edits = ofPairs(
        site,
        (json, path, index) =>
          duck`gsql_json_insert(${json}, ${path}, ${appended}, ${insertedTexts(site, index, isEach === true)})`,
      );
      return editedPairs(site, edits);
    },
  );
};

const remove: CallTranslator = (site) =>
  edited(
    site,
    site.sql
      .slice(1)
      .flatMap((_, index) =>
        atPath(site, index + 1, (json, path) => duck`gsql_json_remove(${json}, ${path})`),
      ),
  );

const stripNulls = unlessNull(
  2,
  (site) => (site.sql.length < 4 ? [] : [1]),
  (site) => {
    const [arrays, empty] = [argument(site, site.sql.length - 2), lastOption(site)];
    const stripped = (json: Sql, path: Sql) => duck`gsql_json_strip(${json}, ${path}, ${arrays}, ${empty})`;
    const isWhole = site.sql.length < 4;
    return edited(site, isWhole ? [(json) => stripped(json, textLiteral('$'))] : atPath(site, 1, stripped));
  },
);

/** Deeper than any JSON. */
const ALL_LEVELS = bigint(1_000_000n);

/** JSON_KEYS of a value, down to a depth where one is given; a depth or mode that is none is an error even for NULL. */
const keys: CallTranslator = (site) => {
  const depth = site.sql.length > 2 ? duck`coalesce(${site.sql[1]}, ${ALL_LEVELS})` : ALL_LEVELS;
  const json = duck`CAST(${argument(site, 0)} AS VARCHAR)`;
  return duck`CASE WHEN gsql_json_is_depth(${depth}, coalesce(${lastOption(site)}, 'strict')) THEN gsql_json_keys(${json}, ${depth}, ${lastOption(site)}) END`.raising();
};

/** JSON values changed at paths, and the names of their fields. */
export const JSON_EDITING: CallTranslators = {
  JSON_SET: set,
  JSON_REMOVE: remove,
  JSON_ARRAY_APPEND: insert(true),
  JSON_ARRAY_INSERT: insert(false),
  JSON_STRIP_NULLS: stripNulls,
  JSON_FLATTEN: (site) =>
    withLocals([argument(site, 0)], (json) =>
      refuseWhere(
        duck`gsql_json_is_long(${json})`,
        `JSON_FLATTEN ${LONG_JSON}`,
        site.type,
        duck`CAST(gsql_json_flatten(CAST(${json} AS VARCHAR)) AS ${duckType(site.type)})`,
      ),
    ),
  JSON_KEYS: keys,
};
