import { duck, joined, mapped, type Sql, textLiteral } from '../duck/sql.ts';
import { notSupported } from '../not-supported.ts';
import {
  argument,
  argumentType,
  type Emission,
  type Emitter,
  type Emitters,
  literalValue,
} from './emitter.ts';
import { bind, raiseText, textSql } from './fragments.ts';
import { jsonText } from './json-text.ts';

const list: Emitter = (emission) => {
  const texts = emission.sql.map((sql, index) => jsonText(sql, argumentType(emission, index), 'number'));
  return duck`CAST('[' || ${texts.length === 0 ? textLiteral('') : joined(texts, " || ',' || ")} || ']' AS JSON)`;
};

/** JSON_OBJECT of pairs, or of an array of names and one of values; of equal names the first counts. */
const object: Emitter = (emission) => {
  if (emission.sql.length === 2 && argumentType(emission, 0).kind === 'ARRAY')
    return objectOfArrays(emission);
  const names: string[] = [];
  const members: Sql[] = [];
  for (let index = 0; index < emission.sql.length; index += 2) {
    const name = literalValue(emission, index);
    const isNull = emission.arguments[index]?.kind === 'literal' && name === undefined;
    if (isNull) return raiseText(NULL_KEY, emission.type);
    if (typeof name !== 'string') throw notSupported('JSON_OBJECT with a key that is not a literal');
    if (names.includes(name)) continue;
    names.push(name);
    const value = jsonText(argument(emission, index + 1), argumentType(emission, index + 1), 'number');
    members.push(duck`${textSql(`${JSON.stringify(name)}:`)} || ${value}`);
  }
  return duck`CAST('{' || ${members.length === 0 ? textLiteral('') : joined(members, " || ',' || ")} || '}' AS JSON)`;
};

const NULL_KEY = 'Invalid input to JSON_OBJECT: A key cannot be NULL';

function objectOfArrays(emission: Emission): Sql {
  const values = argumentType(emission, 1);
  const element = values.kind === 'ARRAY' ? values.element : values;
  const error = (message: string) => raiseText(`Invalid input to JSON_OBJECT: ${message}`, emission.type);
  return bind([argument(emission, 0), argument(emission, 1)], (names, list) => {
    const texts = mapped(list, (value) => jsonText(value, element, 'number'));
    const pairs = duck`list_transform(list_zip(${names}, ${texts}), lambda p: CAST(to_json(p[1]) AS VARCHAR) || ':' || p[2])`;
    const sorted = duck`CAST(list_sort(list_transform(${names}, lambda k, i: {'k': k, 'i': i})) AS STRUCT(k VARCHAR, i BIGINT)[])`;
    const first = duck`lambda f, n: CASE WHEN n = 1 OR s[n - 1].k <> f.k THEN f.i END`;
    const places = duck`list_transform([${sorted}], lambda s: list_sort(list_filter(list_transform(s, ${first}), lambda i: i IS NOT NULL)))[1]`;
    const firsts = bind([pairs, places], (all, kept) => duck`list_transform(${kept}, lambda i: ${all}[i])`);
    return duck`CASE WHEN ${names} IS NULL THEN ${error('The keys array cannot be NULL')} WHEN ${list} IS NULL THEN ${error('The values array cannot be NULL')} WHEN len(${names}) <> len(${list}) THEN ${error('The number of keys and values must match')} WHEN list_count(${names}) < len(${names}) THEN ${raiseText(NULL_KEY, emission.type)} ELSE CAST('{' || array_to_string(${firsts}, ',') || '}' AS JSON) END`;
  });
}

/** JSON made of values. */
export const JSON_BUILDING: Emitters = { JSON_ARRAY: list, JSON_OBJECT: object };
