import { ByteLru } from '../../lru/byte-lru.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import { type AnalyzedQuery, analyze, analyzeSources } from '../analyzer/analyze.ts';
import { tokenize } from '../lexer/lexer.ts';
import { parseStatement } from '../parser/parse-query.ts';
import type { OutputColumn } from '../resolved/scan.ts';
import type { ParameterType, QueryParameter } from '../types/query-parameter.ts';
import type { Column, SqlType } from '../types/sql-type.ts';
import { canonicalText } from './canonical-text.ts';
import { catalogTypes } from './catalog-types.ts';
import { checkQuery } from './check-query.ts';
import { checkTables } from './check-tables.ts';
import { checkTokens } from './check-tokens.ts';
import { type ConsumerParameters, readConsumerParameters } from './parameters.ts';
import { composeQuery, reachedCtes, readStoredQuery, type StoredCte } from './stored-query.ts';
import { findWarnings } from './warnings.ts';

/** Most bytes that the compiled queries of one endpoint may take. */
const MAX_COMPILED_BYTES = 8 * 1024 * 1024;

export interface SandboxOptions {
  readonly endpointSql: string;
  /** The types of the endpoint's parameters by name. */
  readonly parameterTypes: ReadonlyMap<string, ParameterType>;
  /** The warehouse's tables, for the stored query alone. */
  readonly tables: TableSchemas;
  /** The dataset that the stored query names its tables in. */
  readonly dataset: string;
  /**
   * Names without which no table can be spelled, such as the warehouse's project and dataset: a consumer's query
   * that has one of them as a name is refused before anything parses it.
   */
  readonly forbiddenNames: readonly string[];
}

/** A query that may run, and what can be told of it without naming anything of the warehouse. */
export interface SandboxedQuery {
  /** One canonical text for the warehouse. */
  readonly sql: string;
  /** The values of the parameters in it. */
  readonly parameters: ReadonlyMap<string, QueryParameter>;
  readonly columns: readonly Column[];
  /** The stored query's CTEs that are read, in their order. */
  readonly sources: readonly string[];
  /** Those parameters of the request that the endpoint does not declare and the query uses, as the request has them. */
  readonly usedParameters: readonly string[];
  /** Sentences for its author. */
  readonly warnings: readonly string[];
}

/** Compiles consumers' queries over the CTEs of one stored query. */
export interface Sandbox {
  /** The stored query's CTEs: all that a consumer's query can read. */
  readonly sources: readonly string[];
  /** The columns of each source by its name. */
  readonly schemas: ReadonlyMap<string, readonly Column[]>;
  /**
   * Checks a consumer's query and puts it over the CTEs that it reads. Throws a ServiceError (invalid_argument) that
   * says what to change, with line and column of the consumer's own text.
   * `typed` are parameters that came into the query with their types, under names that the endpoint does not declare.
   */
  compile(
    sql: string,
    request: ReadonlyMap<string, readonly string[]>,
    bound: ReadonlyMap<string, QueryParameter>,
    typed?: ReadonlyMap<string, QueryParameter>,
  ): SandboxedQuery;
  /** The stored query's own SELECT, as a consumer could have written it. */
  readonly storedSelect: string;
  /** The stored query itself in the same terms. */
  stored(bound: ReadonlyMap<string, QueryParameter>): SandboxedQuery;
}

const NO_PARAMETERS: ReadonlyMap<string, QueryParameter> = new Map();

/** What does not hang on the values of parameters. */
interface Compiled {
  readonly sql: string;
  readonly parameterNames: readonly string[];
  readonly columns: readonly Column[];
  readonly sources: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * The sandbox of one endpoint. Throws a ServiceError (invalid_argument) for a stored query that does not parse or
 * resolve.
 */
export function makeSandbox(options: SandboxOptions): Sandbox {
  const { endpointSql, parameterTypes, tables, dataset } = options;
  const stored = readStoredQuery(endpointSql);
  const declared = catalogTypes(parameterTypes);
  const catalog = { dataset, tables, parameters: declared };
  const sources = analyzeSources(stored.query, endpointSql, catalog);
  const records = [...sources.ctes.values()].flatMap(({ columns }) =>
    columns.map(({ column }) => column.type).filter(isRecord),
  );
  const sourceNames = new Set(sources.ctes.keys());
  const taken = new Set([...sourceNames, ...stored.tables]);
  const forbidden = new Set(options.forbiddenNames.map((name) => name.toLowerCase()));
  const kept = new ByteLru<Compiled>(MAX_COMPILED_BYTES);
  const whole = describe(
    endpointSql,
    analyze(stored.query, endpointSql, catalog),
    reachedCtes(stored, stored.final.uses),
    stored.final.parameters,
  );

  function describe(
    sql: string,
    analyzed: AnalyzedQuery,
    ctes: readonly StoredCte[],
    ownParameters: readonly string[],
  ): Compiled {
    return {
      sql,
      parameterNames: [...new Set([...ctes.flatMap(({ parameters }) => parameters), ...ownParameters])],
      columns: analyzed.columns,
      sources: ctes.map(({ name }) => name),
      warnings: findWarnings(analyzed, records),
    };
  }

  function compileText(text: string, parameters: ConsumerParameters): Compiled {
    const query = parseStatement(text);
    const used = checkQuery(text, query, sourceNames, taken);
    const closed = { dataset: null, tables: new Map(), parameters: catalogTypes(parameters.types) };
    const analyzed = analyze(query, text, closed, sources);
    checkTables(text, parameters.tokens, sourceNames);
    const ctes = reachedCtes(stored, used);
    return describe(composeQuery(ctes, parameters.tokens), analyzed, ctes, parameters.names);
  }

  function withValues(
    { parameterNames, ...compiled }: Compiled,
    bound: ReadonlyMap<string, QueryParameter>,
    own: ReadonlyMap<string, QueryParameter>,
    usedParameters: readonly string[],
  ): SandboxedQuery {
    const values = parameterNames.map((name): [string, QueryParameter] => {
      const value = bound.get(name) ?? own.get(name);
      if (value === undefined) throw new TypeError(`parameter ${name} was checked but has no value`);
      return [name, value];
    });
    const warnings = [...timeWarnings(values), ...compiled.warnings];
    return { ...compiled, parameters: new Map(values), usedParameters, warnings };
  }

  return {
    sources: [...sources.ctes.values()].map(({ cte }) => cte.name),
    schemas: new Map([...sources.ctes.values()].map(({ cte, columns }) => [cte.name, columnsOf(columns)])),
    storedSelect: stored.final.text,
    stored: (bound) => withValues(whole, bound, NO_PARAMETERS, []),
    compile(sql, request, bound, typed = NO_PARAMETERS) {
      const tokens = tokenize(sql);
      checkTokens(sql, tokens, forbidden);
      const known = typed.size === 0 ? parameterTypes : new Map([...typesOf(typed), ...parameterTypes]);
      const parameters = readConsumerParameters(sql, tokens, known, request);
      // The same text with parameters of other types is another query; canonical text has no U+0000.
      const types = typesOf(typed)
        .map(([name, type]) => `${name} ${type}\0`)
        .join('');
      const key = types + canonicalText(parameters.tokens);
      let compiled = kept.get(key);
      if (compiled === undefined) {
        compiled = compileText(sql, parameters);
        kept.set(key, compiled, { size: 2 * (key.length + JSON.stringify(compiled).length) });
      }
      const own = typed.size === 0 ? parameters.own : new Map([...typed, ...parameters.own]);
      return withValues(compiled, bound, own, parameters.requestNames);
    },
  };
}

function typesOf(parameters: ReadonlyMap<string, QueryParameter>): [string, ParameterType][] {
  return [...parameters].map(([name, { type }]) => [name, type]);
}

function columnsOf(columns: readonly OutputColumn[]): readonly Column[] {
  return columns.map(({ name, column }) => ({ name, type: column.type }));
}

function isRecord(type: SqlType): boolean {
  return type.kind === 'ARRAY' && type.element.kind === 'STRUCT';
}

/** A query whose sources have time bounds, none of which is given, reads all the time that there is. */
function timeWarnings(values: readonly (readonly [string, QueryParameter])[]): readonly string[] {
  const bounds = values.filter(([, { type }]) => type === 'TIMESTAMP');
  if (bounds.length === 0 || bounds.some(([, { value }]) => value !== null)) return [];
  const names = bounds.map(([name]) => name).join(' or ');
  return [`There is no time bound: all entries are read; send ${names}.`];
}
