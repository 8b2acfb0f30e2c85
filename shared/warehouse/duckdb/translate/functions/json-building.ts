import { STRING } from '../../../../sql/types/sql-type.ts';
import { duck, joined, mapped, type Sql, textLiteral } from '../duck/sql.ts';
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
  const members: Sql[] = [];
  for (let index = 0; index < site.sql.length; index += 2)
    members.push(duck`${keyText(site, index)} || ':' || ${valueText(site, index + 1)}`);
  const text = members.length === 0 ? textLiteral('') : joined(members, " || ',' || ");
  return members.length > 1 ? withoutDoubles(text) : duck`CAST('{' || ${text} || '}' AS JSON)`;
};

const valueText = (site: CallSite, index: number): Sql =>
  jsonText(argument(site, index), argumentType(site, index), 'number');

/** The JSON of a name, which may not be NULL. */
function keyText(site: CallSite, index: number): Sql {
  const name = literalValue(site, index);
  if (typeof name === 'string') return textSql(JSON.stringify(name));
  return withLocals(
    [argument(site, index)],
    (key) =>
      duck`CASE WHEN ${key} IS NULL THEN ${raiseText(NULL_KEY, STRING)} ELSE CAST(to_json(${key}) AS VARCHAR) END`,
  );
}

/** The object of members as text, without those whose name an earlier one has. */
function withoutDoubles(members: Sql): Sql {
  return duck`CAST(gsql_json_text('{' || ${members} || '}') AS JSON)`;
}

const NULL_KEY = 'Invalid input to JSON_OBJECT: A key cannot be NULL';

function objectOfArrays(site: CallSite): Sql {
  const values = argumentType(site, 1);
  const element = values.kind === 'ARRAY' ? values.element : values;
  const error = (message: string) => raiseText(`Invalid input to JSON_OBJECT: ${message}`, site.type);
  return withLocals([argument(site, 0), argument(site, 1)], (names, list) => {
    const texts = mapped(list, (value) => jsonText(value, element, 'number'));
    const pairs = duck`list_transform(list_zip(${names}, ${texts}), lambda p: CAST(to_json(p[1]) AS VARCHAR) || ':' || p[2])`;
    const long = raiseText(`JSON_OBJECT takes at most ${MAX_SPLIT_SIZE} keys`, site.type);
    const cases = [
      duck`WHEN ${names} IS NULL THEN ${error('The keys array cannot be NULL')}`,
      duck`WHEN len(${names}) > ${MAX_SPLIT_SIZE} THEN ${long}`,
      duck`WHEN ${list} IS NULL THEN ${error('The values array cannot be NULL')}`,
      duck`WHEN len(${names}) <> len(${list}) THEN ${error('The number of keys and values must match')}`,
      duck`WHEN list_count(${names}) < len(${names}) THEN ${raiseText(NULL_KEY, site.type)}`,
    ];
    const object = withoutDoubles(duck`coalesce(array_to_string(${pairs}, ','), '')`);
    return duck`CASE ${joined(cases, ' ')} ELSE ${object} END`;
  });
}

/** JSON made of values. */
export const JSON_BUILDING: CallTranslators = { JSON_ARRAY: list, JSON_OBJECT: object };
