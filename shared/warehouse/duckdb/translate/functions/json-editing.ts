import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, mapped, type Sql, textLiteral } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  isOmitted,
  literalValue,
  optionValue,
} from './call-site.ts';
import { raiseText, textSql, withLocals } from './fragments.ts';
import { type JsonStep, jsonPathOf, readJsonPath } from './json-path.ts';
import { jsonText } from './json-text.ts';

/** Makes the text of a new value out of the SQL of a JSON value, which is NULL where there is none yet. */
type Edit = (json: Sql) => Sql;

/** Longest array that an index makes. */
const MAX_INDEX = 10_000;

const asText: Edit = (json) => duck`CAST(${json} AS VARCHAR)`;
const isNothing = (json: Sql) => duck`(${json} IS NULL OR json_type(${json}) = 'NULL')`;

/** The steps of a literal path; null for a NULL, which leaves the value as it is. */
function readPath(site: CallSite, index: number): readonly JsonStep[] | null {
  if (isOmitted(site, index)) return null;
  const path = literalValue(site, index);
  if (typeof path !== 'string') throw notSupported(`${site.name} with a path that is not a literal`);
  const steps = readJsonPath(path);
  if (steps === null) throw notSupported(`${site.name} with the path ${JSON.stringify(path)}`);
  if (steps.some((step) => typeof step === 'number' && step > MAX_INDEX))
    throw notSupported(`${site.name} with an index above ${MAX_INDEX}`);
  return steps;
}

/** The object's text with one field made anew, added after the others where it is missing. */
function withField(json: Sql, name: string, edit: Edit): Sql {
  const key = textSql(name);
  return withLocals(
    [
      duck`coalesce(gsql_json_fields(${json}), [])`,
      edit(duck`json_extract(${json}, ${textSql(jsonPathOf([name]))})`),
    ],
    (fields, made) => {
      const isThere = duck`list_contains(${mapped(fields, (field) => field.field('k'))}, ${key})`;
      const all = duck`CASE WHEN ${isThere} THEN ${fields} ELSE list_append(${fields}, {'k': ${key}, 'v': ''}) END`;
      const members = mapped(all, (field) => {
        const [name, value] = [field.field('k'), field.field('v')];
        return duck`CAST(to_json(${name}) AS VARCHAR) || ':' || CASE WHEN ${name} = ${key} THEN ${made} ELSE ${value} END`;
      });
      return duck`('{' || array_to_string(${members}, ',') || '}')`;
    },
  );
}

/** The array's text with one element made anew, filled up with null where it is too short. */
function withElement(json: Sql, index: number, edit: Edit): Sql {
  return withLocals(
    [elements(json), edit(duck`json_extract(${json}, ${textLiteral(`$[${index}]`)})`)],
    (list, made) => {
      const padded = duck`list_resize(${list}, greatest(len(${list}), ${index + 1}), 'null')`;
      return bracketed(
        mapped(
          padded,
          (element, position) => duck`CASE WHEN ${position} = ${index + 1} THEN ${made} ELSE ${element} END`,
        ),
      );
    },
  );
}

function elements(json: Sql): Sql {
  return duck`list_transform(CAST(coalesce(CASE WHEN json_type(${json}) = 'ARRAY' THEN ${json} END, '[]'::JSON) AS JSON[]), lambda e: coalesce(CAST(e AS VARCHAR), 'null'))`;
}

function bracketed(list: Sql): Sql {
  return duck`('[' || array_to_string(${list}, ',') || ']')`;
}

/** The text of a JSON value with what lies at a path made anew; what the path leads to is made where nothing is. */
function setAt(json: Sql, [step, ...rest]: readonly JsonStep[], edit: Edit): Sql {
  if (step === undefined) return edit(json);
  const inner: Edit = (child) => setAt(child, rest, edit);
  return withLocals([json], (value) => {
    const type = typeof step === 'string' ? 'OBJECT' : 'ARRAY';
    const made = typeof step === 'string' ? withField(value, step, inner) : withElement(value, step, inner);
    return duck`CASE WHEN ${isNothing(value)} OR json_type(${value}) = ${textLiteral(type)} THEN ${made} ELSE ${asText(value)} END`;
  });
}

/** The same where the path leads to something; otherwise the value as it is. */
function replaceAt(json: Sql, steps: readonly JsonStep[], edit: Edit): Sql {
  if (steps.length === 0) return edit(json);
  const path = textSql(jsonPathOf(steps));
  return withLocals(
    [json],
    (value) =>
      duck`CASE WHEN json_exists(${value}, ${path}) THEN ${setAt(value, steps, edit)} ELSE ${asText(value)} END`,
  );
}

/** Applies edits one after the other; NULL stays NULL. */
function editing(edits: (site: CallSite) => readonly Edit[]): CallTranslator {
  return (site) =>
    withLocals([argument(site, 0)], (json) => {
      const text = edits(site).reduce((value, edit) => duck`CAST(${edit(value)} AS JSON)`, json);
      return duck`CASE WHEN ${json} IS NOT NULL THEN ${text} END`;
    });
}

/** The value of an option by name, which comes last. */
function option(site: CallSite, fromEnd: number, fallback: boolean): boolean {
  const value = optionValue(site, site.sql.length - fromEnd) ?? fallback;
  if (typeof value !== 'boolean') throw new TypeError(`${site.name} has options of BOOL`);
  return value;
}

interface Pair {
  readonly steps: readonly JsonStep[];
  readonly value: Sql;
  readonly type: SqlType;
}

/** The pairs of path and value before the one option. */
function pairsOf(site: CallSite): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let index = 1; index + 1 < site.sql.length; index += 2) {
    if (index + 2 === site.sql.length) break;
    const steps = readPath(site, index);
    const [value, type] = [argument(site, index + 1), argumentType(site, index + 1)];
    if (steps !== null) pairs.push({ steps, value, type });
  }
  return pairs;
}

const set = editing((site) => {
  const creates = option(site, 1, true);
  const place = creates ? setAt : replaceAt;
  return pairsOf(site).map(
    ({ steps, value, type }): Edit =>
      (json) =>
        place(json, steps, () => jsonText(value, type, 'number')),
  );
});

/** The texts of what is put into an array: an array's elements by themselves, unless the call says otherwise. */
function insertedTexts({ value, type }: Pair, isEach: boolean): Sql {
  if (type.kind !== 'ARRAY' || !isEach) return duck`[${jsonText(value, type, 'number')}]`;
  const texts = withLocals([value], (list) =>
    mapped(list, (element) => jsonText(element, type.element, 'number')),
  );
  return duck`coalesce(${texts}, ['null'])`;
}

/** A null becomes an array, and what is none stays as it is. */
function ofArray(json: Sql, made: (list: Sql) => Sql): Sql {
  return withLocals([json], (value) => {
    const isArray = duck`${isNothing(value)} OR json_type(${value}) = 'ARRAY'`;
    return duck`CASE WHEN ${isArray} THEN ${withLocals([elements(value)], made)} ELSE ${asText(value)} END`;
  });
}

const append = editing((site) => {
  const isEach = option(site, 1, true);
  return pairsOf(site).map(
    (pair): Edit =>
      (json) =>
        replaceAt(json, pair.steps, (value) =>
          ofArray(value, (list) => bracketed(duck`list_concat(${list}, ${insertedTexts(pair, isEach)})`)),
        ),
  );
});

const insert = editing((site) => {
  const isEach = option(site, 1, true);
  return pairsOf(site).map((pair): Edit => {
    const index = pair.steps.at(-1);
    if (typeof index !== 'number')
      throw notSupported('JSON_ARRAY_INSERT with a path that does not end in an index');
    return (json) =>
      replaceAt(json, pair.steps.slice(0, -1), (value) =>
        ofArray(value, (list) => {
          const padded = duck`list_resize(${list}, greatest(len(${list}), ${index}), 'null')`;
          return withLocals([padded], (all) =>
            bracketed(
              duck`list_concat(${all}[1:${index}], ${insertedTexts(pair, isEach)}, ${all}[${index + 1}:])`,
            ),
          );
        }),
      );
  });
});

const remove = editing((site) =>
  site.sql.slice(1).flatMap((_, index): Edit[] => {
    const steps = readPath(site, index + 1);
    const last = steps?.at(-1);
    if (steps === null) return [];
    if (last === undefined) return [() => raiseText("The JSONPath cannot be '$'", site.type)];
    return [(json) => replaceAt(json, steps.slice(0, -1), (value) => without(value, last))];
  }),
);

function without(json: Sql, step: JsonStep): Sql {
  return withLocals([json], (value) => {
    if (typeof step === 'number') {
      const kept = duck`list_filter(${elements(value)}, lambda e, i: i <> ${step + 1})`;
      return duck`CASE WHEN json_type(${value}) = 'ARRAY' THEN ${bracketed(kept)} ELSE ${asText(value)} END`;
    }
    const fields = duck`list_filter(gsql_json_fields(${value}), lambda f: f.k <> ${textSql(step)})`;
    const member = duck`CAST(to_json(f.k) AS VARCHAR) || ':' || f.v`;
    const kept = duck`'{' || array_to_string(list_transform(${fields}, lambda f: ${member}), ',') || '}'`;
    return duck`CASE WHEN json_type(${value}) = 'OBJECT' THEN ${kept} ELSE ${asText(value)} END`;
  });
}

const TEXT = String.raw`"(?:[^"\\]|\\.)*"`;

/** Takes out fields that are null, elements too where arrays are included; texts are skipped as wholes. */
const stripNulls = editing((site) => {
  if (option(site, 1, false)) throw notSupported('JSON_STRIP_NULLS with remove_empty');
  const withArrays = option(site, 2, true);
  const isWhole = site.sql.length < 4;
  const steps = isWhole ? [] : readPath(site, 1);
  if (steps === null) return [];
  const stripped: Edit = (json) =>
    withLocals([duck`CAST(${json} AS VARCHAR)`], (text) => {
      const fields = duck`regexp_replace(${text}, ${textLiteral(`${TEXT}:null,?|(${TEXT})`)}, '\\1', 'g')`;
      const nulls = withArrays
        ? duck`regexp_replace(${fields}, ${textLiteral(`null,?|(${TEXT})`)}, '\\1', 'g')`
        : fields;
      const tidy = duck`regexp_replace(${nulls}, ${textLiteral(`,([\\]}])|(${TEXT})`)}, '\\1\\2', 'g')`;
      return duck`CASE WHEN ${text} = 'null' THEN ${text} ELSE ${tidy} END`;
    });
  return [(json) => replaceAt(json, steps, stripped)];
});

/** JSON_KEYS of the first level: a name with a dot stands in quotes. */
const keys: CallTranslator = (site) => {
  const depth = site.sql.length > 2 ? literalValue(site, 1) : undefined;
  const mode = optionValue(site, site.sql.length - 1) ?? 'strict';
  if (depth !== 1n || mode !== 'strict') throw notSupported('JSON_KEYS with another depth than 1');
  return withLocals([argument(site, 0)], (json) => {
    const odd = raiseText(
      'not supported by the embedded engine: JSON_KEYS of names with quotes and backslashes',
      site.type,
    );
    const names = duck`list_sort(list_distinct(json_keys(${json})))`;
    const shown = duck`list_transform(${names}, lambda k: CASE WHEN contains(k, '.') THEN '"' || k || '"' ELSE k END)`;
    return duck`CASE WHEN ${json} IS NULL THEN NULL WHEN json_type(${json}) <> 'OBJECT' THEN [] WHEN len(list_filter(${names}, lambda k: regexp_matches(k, '["\\\\]'))) > 0 THEN ${odd} ELSE ${shown} END`;
  });
};

/** JSON values changed at literal paths, and the names of their fields. */
export const JSON_EDITING: CallTranslators = {
  JSON_SET: set,
  JSON_REMOVE: remove,
  JSON_ARRAY_APPEND: append,
  JSON_ARRAY_INSERT: insert,
  JSON_STRIP_NULLS: stripNulls,
  JSON_KEYS: keys,
};
