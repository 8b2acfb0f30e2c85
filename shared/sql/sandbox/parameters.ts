import { ServiceError } from '../../errors/service-error.ts';
import type { Token } from '../lexer/token.ts';
import { positionAt, sqlError } from '../text/sql-error.ts';
import type { ParameterType, QueryParameter } from '../types/query-parameter.ts';
import { RESERVED_PARAMETERS } from './reserved-parameters.ts';

/** Most characters (Unicode code points) of a value that a request gives for a parameter of its own. */
const MAX_VALUE_LENGTH = 4096;

/** What the parameters of a consumer's query stand for. */
export interface ConsumerParameters {
  /** The types by their one spelling. */
  readonly types: ReadonlyMap<string, ParameterType>;
  /** The query's tokens with each parameter under one spelling: the declared one, or lower case. */
  readonly tokens: readonly Token[];
  /** The values of those that the endpoint does not declare, by their one spelling. */
  readonly own: ReadonlyMap<string, QueryParameter>;
  /** The names of those in the request, as the request spells them. */
  readonly requestNames: readonly string[];
  /** The one spelling of each that is used, declared or not, in the query's order. */
  readonly names: readonly string[];
}

/**
 * Finds the values of a query's `@names`: those that the endpoint declares have its types, all others are STRINGs
 * that the request gives under their name. GoogleSQL compares names without regard to case. Throws a ServiceError
 * (invalid_argument) with the place and the parameter for one that is reserved, missing, given twice or too long.
 */
export function readConsumerParameters(
  text: string,
  tokens: readonly Token[],
  declared: ReadonlyMap<string, ParameterType>,
  request: ReadonlyMap<string, readonly string[]>,
): ConsumerParameters {
  const declaredNames = new Map([...declared.keys()].map((name) => [name.toLowerCase(), name]));
  const types = new Map<string, ParameterType>();
  const own = new Map<string, QueryParameter>();
  const requestNames = new Set<string>();
  const names = new Set<string>();
  const renamed = tokens.map((token): Token => {
    if (token.kind !== 'parameter') return token;
    const key = token.value.toLowerCase();
    const name = declaredNames.get(key) ?? key;
    types.set(name, declared.get(name) ?? 'STRING');
    if (!declared.has(name) && !names.has(name)) {
      if (RESERVED_PARAMETERS.has(key))
        throw sqlError(text, token.at, `@${token.value} cannot be used; ${key} is not a value for queries`);
      const given = findOwn(text, token, request);
      own.set(name, { type: 'STRING', value: given.value });
      requestNames.add(given.name);
    }
    names.add(name);
    return { ...token, value: name };
  });
  return { types, tokens: renamed, own, requestNames: [...requestNames], names: [...names] };
}

function findOwn(
  text: string,
  token: Token,
  request: ReadonlyMap<string, readonly string[]>,
): { readonly name: string; readonly value: string } {
  const key = token.value.toLowerCase();
  const found = [...request].flatMap(([name, values]) =>
    name.toLowerCase() === key ? values.map((value) => ({ name, value })) : [],
  );
  const [first] = found;
  if (first === undefined) {
    throw refusal(text, token, `has no value; send ${token.value} with the request`);
  }
  if (found.length > 1) throw refusal(text, token, `is given ${found.length} times; give it once`);
  // A code point takes at most two UTF-16 units, which refuses most overlong text before it is split up.
  if (first.value.length > 2 * MAX_VALUE_LENGTH || [...first.value].length > MAX_VALUE_LENGTH) {
    throw refusal(text, token, `has a value of more than ${MAX_VALUE_LENGTH} characters; shorten it`);
  }
  if (!first.value.isWellFormed() || first.value.includes('\0')) {
    throw refusal(text, token, 'has a value that is not valid Unicode text');
  }
  return first;
}

function refusal(text: string, token: Token, complaint: string): ServiceError {
  const { line, column } = positionAt(text, token.at);
  const message = `Query parameter @${token.value} ${complaint} (line ${line}, column ${column})`;
  return new ServiceError('invalid_argument', message, {
    details: [{ parameter: token.value, line, column }],
  });
}
