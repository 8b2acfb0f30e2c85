import {
  isJsonArray,
  isJsonObject,
  type JsonDocument,
  JsonNumber,
} from '../../../../../sql/values/json-document.ts';
import { REFUSAL } from '../../not-supported.ts';
import { forLast, type JavaScriptFunction, javaScriptFunction, ValueError } from './javascript-function.ts';
import { knownJson } from './known-json.ts';
import { hasExactly, tokensOf } from './log-analyzer.ts';
import { readSearchQuery, type SearchQuery } from './search-query.ts';
import { foldedText } from './text-functions.ts';

/** Most work for one text: its characters times those of a term. */
const MAX_WORK = 100_000_000;

const queryOf = forLast(readSearchQuery);

function search(text: string, written: string): boolean {
  const query = queryOf(written);
  if (text.length * written.length > MAX_WORK)
    throw new ValueError(
      `${REFUSAL}SEARCH in more than ${MAX_WORK} characters multiplied by those of the query`,
    );
  const tokens = tokensOf(text);
  const known = new Set(tokens);
  const holds = (part: SearchQuery): boolean => {
    switch (part.kind) {
      case 'all':
        return part.parts.every(holds);
      case 'any':
        return part.parts.some(holds);
      case 'tokens':
        return part.tokens.every((token) => known.has(token));
      case 'phrase':
        return hasPhrase(tokens, part.tokens);
      case 'exact':
        return hasExactly(text, part.text);
      default: {
        const unreachable: never = part;
        throw new TypeError(`query ${JSON.stringify(unreachable)}`);
      }
    }
  };
  return holds(query);
}

function hasPhrase(tokens: readonly string[], phrase: readonly string[]): boolean {
  return tokens.some((_, at) => phrase.every((token, index) => tokens[at + index] === token));
}

/** Values, names of fields, or both. */
type Scope = 'JSON_VALUES' | 'JSON_KEYS' | 'JSON_KEYS_AND_VALUES';
const SCOPES: readonly Scope[] = ['JSON_VALUES', 'JSON_KEYS', 'JSON_KEYS_AND_VALUES'];

function scopeOf(name: string): Scope {
  const scope = SCOPES.find((one) => one === name.toUpperCase());
  if (scope === undefined) throw new ValueError(`json_scope must be one of ${SCOPES.join(', ')}`);
  return scope;
}

/** The texts of a JSON value that are searched. */
function textsIn(json: string, name: string): { readonly texts: string[]; readonly others: string[] } {
  const scope = scopeOf(name);
  const texts: string[] = [];
  const others: string[] = [];
  const visit = (value: JsonDocument): void => {
    if (isJsonObject(value)) {
      if (scope !== 'JSON_VALUES') texts.push(...value.keys());
      for (const field of value.values()) visit(field);
    } else if (isJsonArray(value)) value.forEach(visit);
    else if (scope === 'JSON_KEYS' || value === null) return;
    else if (typeof value === 'string') texts.push(value);
    else others.push(value instanceof JsonNumber ? value.text : String(value));
  };
  visit(knownJson(json));
  return { texts, others };
}

const foldedPart = forLast((part) => foldedText(part, 'NFKC'));

/** The functions that search texts and JSON values, and what they take texts apart with. */
export const SEARCH_FUNCTIONS: readonly JavaScriptFunction[] = [
  javaScriptFunction('gsql_search', ['VARCHAR', 'VARCHAR'], 'BOOLEAN', search),
  javaScriptFunction(
    'gsql_json_search',
    ['VARCHAR', 'VARCHAR', 'VARCHAR'],
    'BOOLEAN',
    (json, query, scope) => {
      const { texts, others } = textsIn(json, scope);
      if (texts.some((text) => search(text, query))) return true;
      if (others.some((text) => search(text, query)))
        throw new ValueError(`${REFUSAL}SEARCH for numbers and booleans of JSON`);
      return false;
    },
  ),
  javaScriptFunction(
    'gsql_json_contains',
    ['VARCHAR', 'VARCHAR', 'VARCHAR'],
    'BOOLEAN',
    (json, part, scope) => {
      const { texts, others } = textsIn(json, scope);
      const sought = foldedPart(part);
      return [...texts, ...others].some((text) => foldedText(text, 'NFKC').includes(sought));
    },
  ),
  javaScriptFunction('gsql_tokens', ['VARCHAR'], 'VARCHAR[]', tokensOf),
];
