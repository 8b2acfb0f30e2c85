import { ByteLru } from '../../lru/byte-lru.ts';
import type { TableSchemas } from '../../schema/table-schema.ts';
import { type AnalyzedQuery, analyze, analyzeSources } from '../analyzer/analyze.ts';
import type { Query } from '../ast/query.ts';
import { tokenize } from '../lexer/lexer.ts';
import type { Token } from '../lexer/token.ts';
import { parseTokens } from '../parser/parse-query.ts';
import { type PrintedQuery, printParts } from '../print/print-query.ts';
import type { OutputColumn } from '../resolved/scan.ts';
import { COMPOSED_LIMITS, QUERY_LIMITS } from '../text/sql-limits.ts';
import type { ParameterType, QueryParameter } from '../types/query-parameter.ts';
import type { Column, SqlType } from '../types/sql-type.ts';
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

/** A query that may run, and its description without any name of the warehouse. */
export interface SandboxedQuery {
  /** The text for the warehouse, printed from `tree`. */
  readonly sql: string;
  readonly tree: Query;
  /** What was compiled, over the sources: nothing of the stored query's WITH is in it. */
  readonly overSources: Query;
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
   * A tree is a query that the service has made of a consumer's: the sandbox trusts it no more than a text.
   * `typed` are parameters that came into the query with their types, under names that the endpoint does not declare.
   */
  compile(
    query: string | Query,
    request: ReadonlyMap<string, readonly string[]>,
    bound: ReadonlyMap<string, QueryParameter>,
    typed?: ReadonlyMap<string, QueryParameter>,
  ): SandboxedQuery;
  /** The stored query itself in the same terms. */
  stored(bound: ReadonlyMap<string, QueryParameter>): SandboxedQuery;
}

const NO_PARAMETERS: ReadonlyMap<string, QueryParameter> = new Map();

/** What does not depend on the values of parameters. */
interface Compiled
  extends Pick<SandboxedQuery, 'sql' | 'tree' | 'overSources' | 'columns' | 'sources' | 'warnings'> {
  readonly parameterNames: readonly string[];
}

/** What a consumer wrote, or what was printed of a query that the service has made. */
type ReceivedText = { readonly text: string; readonly ctes: null } | PrintedQuery;

/** A compiled query with the places of its parameters, for which each request brings values. */
interface KeptQuery {
  readonly compiled: Compiled;
  readonly parameterTokens: readonly Token[];
}

/** What a kept query takes of memory for each token of its text, in bytes: nodes, strings and columns. */
const BYTES_PER_TOKEN = 400;

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
  const takenInRecursion = new Set([...taken, ...stored.definedNames]);
  const forbidden = new Set(options.forbiddenNames.map((name) => name.toLowerCase()));
  const kept = new ByteLru<KeptQuery>(MAX_COMPILED_BYTES);
  const whole = describe(
    { sql: endpointSql, tree: stored.query, overSources: stored.final.query },
    analyze(stored.query, endpointSql, catalog),
    reachedCtes(stored, stored.final.uses),
    stored.final.parameters,
  );

  function describe(
    texts: Pick<Compiled, 'sql' | 'tree' | 'overSources'>,
    analyzed: AnalyzedQuery,
    ctes: readonly StoredCte[],
    ownParameters: readonly string[],
  ): Compiled {
    return {
      ...texts,
      parameterNames: [...new Set([...ctes.flatMap(({ parameters }) => parameters), ...ownParameters])],
      columns: analyzed.columns,
      sources: ctes.map(({ cte }) => cte.name),
      warnings: findWarnings(analyzed, records),
    };
  }

  /** The tokens of a text that may be a query of the sandbox; a text that was printed is larger than what people write. */
  function checkedTokens(text: string, limits = COMPOSED_LIMITS): readonly Token[] {
    const tokens = tokenize(text, limits);
    checkTokens(text, tokens, forbidden);
    return tokens;
  }

  function compileTree(written: Query, received: ReceivedText, parameters: ConsumerParameters): Compiled {
    const { text } = received;
    // Over a stored WITH RECURSIVE, the consumer's CTEs are in one, too.
    const query: Query = stored.query.recursive ? { ...written, recursive: true } : written;
    const used = checkQuery(text, query, sourceNames, query.recursive ? takenInRecursion : taken);
    const closed = { dataset: null, tables: new Map(), parameters: catalogTypes(parameters.types) };
    const analyzed = analyze(query, text, closed, sources);
    // What goes out is read once more, by what knows nothing of parser, analyzer and printer.
    const printed = received.ctes === null ? printParts(query) : received;
    const tokens = printed === received ? parameters.tokens : checkedTokens(printed.text);
    checkTables(printed.text, tokens, sourceNames);
    const ctes = reachedCtes(stored, used);
    const composed = { ...composeQuery(stored, ctes, query, printed), overSources: query };
    return describe(composed, analyzed, ctes, parameters.names);
  }

  function withValues(
    { parameterNames, warnings, ...compiled }: Compiled,
    bound: ReadonlyMap<string, QueryParameter>,
    own: ReadonlyMap<string, QueryParameter>,
    usedParameters: readonly string[],
  ): SandboxedQuery {
    const values = parameterNames.map((name): [string, QueryParameter] => {
      const value = bound.get(name) ?? own.get(name);
      if (value === undefined) throw new TypeError(`parameter ${name} was checked but has no value`);
      return [name, value];
    });
    const parameters = new Map(values);
    return { ...compiled, parameters, usedParameters, warnings: [...timeWarnings(values), ...warnings] };
  }

  return {
    sources: [...sources.ctes.values()].map(({ cte }) => cte.name),
    schemas: new Map([...sources.ctes.values()].map(({ cte, columns }) => [cte.name, columnsOf(columns)])),
    stored: (bound) => withValues(whole, bound, NO_PARAMETERS, []),
    compile(query, request, bound, typed = NO_PARAMETERS) {
      const received: ReceivedText =
        typeof query === 'string' ? { text: query, ctes: null } : printParts(query);
      const { text } = received;
      const known = typed.size === 0 ? parameterTypes : new Map([...typesOf(typed), ...parameterTypes]);
      // The same text with parameters of other types is another query.
      const key = JSON.stringify([text, ...typesOf(typed)]);
      const found = kept.get(key);
      const tokens =
        found?.parameterTokens ??
        checkedTokens(text, received.ctes === null ? QUERY_LIMITS : COMPOSED_LIMITS);
      const parameters = readConsumerParameters(text, tokens, known, request);
      const own = typed.size === 0 ? parameters.own : new Map([...typed, ...parameters.own]);
      if (found !== undefined) return withValues(found.compiled, bound, own, parameters.requestNames);
      const tree = typeof query === 'string' ? parseTokens(query, parameters.tokens, QUERY_LIMITS) : query;
      const compiled = compileTree(tree, received, parameters);
      const parameterTokens = tokens.filter(({ kind }) => kind === 'parameter');
      const bytes = 2 * (key.length + compiled.sql.length) + BYTES_PER_TOKEN * tokens.length;
      kept.set(key, { compiled, parameterTokens }, { size: bytes });
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
