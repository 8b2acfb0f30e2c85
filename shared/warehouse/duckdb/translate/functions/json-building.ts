import { duck, joined, mapped, type Sql, textLiteral } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type CallSite,
  type CallTranslator,
  type CallTranslators,
  literalValue,
} from './call-site.ts';
import { raiseText, textSql, withLocals } from './fragments.ts';
import { jsonText } from './json-text.ts';
import { MAX_SPLIT_SIZE } from './sizes.ts';

const list: CallTranslator = (site) => {
  const texts = site.sql.map((sql, index) => jsonText(sql, argumentType(site, index), 'number'));
  return duck`CAST('[' || ${texts.length === 0 ? textLiteral('') : joined(texts, " || ',' || ")} || ']' AS JSON)`;
};

/** JSON_OBJECT of pairs, or of an array of names and one of values; of equal names the first counts. */
const object: CallTranslator = (site) => {
  if (site.sql.length === 2 && argumentType(site, 0).kind === 'ARRAY') return objectOfArrays(site);
  const names: string[] = [];
  const members: Sql[] = [];
  for (let index = 0; index < site.sql.length; index += 2) {
    const name = literalValue(site, index);
    const isNull = site.arguments[index]?.kind === 'literal' && name === undefined;
    if (isNull) return raiseText(NULL_KEY, site.type);
    if (typeof name !== 'string') throw notSupported('JSON_OBJECT with a key that is not a literal');
    if (names.includes(name)) continue;
    names.push(name);
    const value = jsonText(argument(site, index + 1), argumentType(site, index + 1), 'number');
    members.push(duck`${textSql(`${JSON.stringify(name)}:`)} || ${value}`);
  }
  return duck`CAST('{' || ${members.length === 0 ? textLiteral('') : joined(members, " || ',' || ")} || '}' AS JSON)`;
};

const NULL_KEY = 'Invalid input to JSON_OBJECT: A key cannot be NULL';

function objectOfArrays(site: CallSite): Sql {
  const values = argumentType(site, 1);
  const element = values.kind === 'ARRAY' ? values.element : values;
  const error = (message: string) => raiseText(`Invalid input to JSON_OBJECT: ${message}`, site.type);
  return withLocals([argument(site, 0), argument(site, 1)], (names, list) => {
    const texts = mapped(list, (value) => jsonText(value, element, 'number'));
    const pairs = duck`list_transform(list_zip(${names}, ${texts}), lambda p: CAST(to_json(p[1]) AS VARCHAR) || ':' || p[2])`;
    const sorted = duck`CAST(list_sort(list_transform(${names}, lambda k, i: {'k': k, 'i': i})) AS STRUCT(k VARCHAR, i BIGINT)[])`;
    const first = duck`lambda f, n: CASE WHEN n = 1 OR s[n - 1].k <> f.k THEN f.i END`;
    const places = duck`list_transform([${sorted}], lambda s: list_sort(list_filter(list_transform(s, ${first}), lambda i: i IS NOT NULL)))[1]`;
    const firsts = withLocals(
      [pairs, places],
      (all, kept) => duck`list_transform(${kept}, lambda i: ${all}[i])`,
    );
    const long = raiseText(`JSON_OBJECT takes at most ${MAX_SPLIT_SIZE} keys`, site.type);
    return duck`CASE WHEN ${names} IS NULL THEN ${error('The keys array cannot be NULL')} WHEN len(${names}) > ${MAX_SPLIT_SIZE} THEN ${long} WHEN ${list} IS NULL THEN ${error('The values array cannot be NULL')} WHEN len(${names}) <> len(${list}) THEN ${error('The number of keys and values must match')} WHEN list_count(${names}) < len(${names}) THEN ${raiseText(NULL_KEY, site.type)} ELSE CAST('{' || array_to_string(${firsts}, ',') || '}' AS JSON) END`;
  });
}

/** JSON made of values. */
export const JSON_BUILDING: CallTranslators = { JSON_ARRAY: list, JSON_OBJECT: object };
