import { parameter } from '../sql/ast/build.ts';
import type { Parameter } from '../sql/ast/expression.ts';
import type { QueryParameter } from '../sql/types/query-parameter.ts';

/** Gives the values of one query their parameters: `@lql_1`, `@lql_2`, … */
export class QueryValues {
  readonly parameters = new Map<string, QueryParameter>();
  /** The same, but with what stands for each in the key of a cached answer. */
  readonly keyParameters = new Map<string, QueryParameter>();
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The new parameter of a value. */
  add(value: QueryParameter, keyValue: QueryParameter = value): Parameter {
    const name = `${this.#prefix}${this.parameters.size + 1}`;
    this.parameters.set(name, value);
    this.keyParameters.set(name, keyValue);
    return parameter(name);
  }
}

/** The start of parameters' names that none of the names given has. */
export function freePrefix(names: Iterable<string>): string {
  const taken = [...names].map((name) => name.toLowerCase());
  let prefix = 'lql_';
  while (taken.some((name) => name.startsWith(prefix))) prefix += '_';
  return prefix;
}
