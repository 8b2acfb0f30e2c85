import { ByteLru } from '../../../lru/byte-lru.ts';
import type { ParameterType, QueryParameter } from '../../../sql/types/query-parameter.ts';
import { type CompiledQuery, type CompileOptions, compileQuery } from './compile-query.ts';

/** Most bytes of text that the kept queries may take. */
const MAX_KEPT_BYTES = 16 * 1024 * 1024;

/** Compiles queries and keeps the forms of those used last, as the same few run again and again. */
export class QueryCompiler {
  readonly #options: CompileOptions;
  readonly #kept = new ByteLru<CompiledQuery>(MAX_KEPT_BYTES);

  constructor(options: CompileOptions) {
    this.#options = options;
  }

  compile(sql: string, types: ReadonlyMap<string, ParameterType>, maxRows: number): CompiledQuery {
    const key = JSON.stringify([maxRows, sql, ...[...types].flat()]);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const compiled = compileQuery(sql, this.#options, types, maxRows);
    this.#kept.set(key, compiled, { size: 2 * (key.length + compiled.sql.length) });
    return compiled;
  }
}

/** The types of parameters with values. */
export function typesOf(parameters: ReadonlyMap<string, QueryParameter>): ReadonlyMap<string, ParameterType> {
  return new Map([...parameters].map(([name, { type }]) => [name, type]));
}
