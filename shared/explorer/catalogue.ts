import type { Endpoint, ParameterSpec } from '../endpoints/endpoint.ts';
import { type ColumnSchema, columnSchema } from '../http/response/column-schema.ts';
import type { TableSchemas } from '../schema/table-schema.ts';
import { LEVEL_NAMES, SEVERITIES, STATUS_CODES } from '../severity/severities.ts';
import { type SeverityField, severityFields } from '../severity/severity-fields.ts';
import { analyzeSources } from '../sql/analyzer/analyze.ts';
import { findFunction, functionNames } from '../sql/functions/catalog.ts';
import { parseStatement } from '../sql/parser/parse-query.ts';
import type { SqlType } from '../sql/types/sql-type.ts';
import { STORED_DATASET } from '../warehouse/stored-dataset.ts';
import type { Warehouse } from '../warehouse/warehouse.ts';

const SEVERITY_TABLE = { order: SEVERITIES, levels: LEVEL_NAMES, statuses: STATUS_CODES };

/** One of the things that a query can name in FROM. */
export interface CatalogueSource {
  readonly name: string;
  readonly columns: readonly ColumnSchema[];
  /** The fields that say how serious an entry is. */
  readonly severity: readonly SeverityField[];
}

/** An endpoint as the log explorer shows it. */
export interface CatalogueEndpoint {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly maxRows: number;
  readonly cacheTtlSeconds: number;
  /** Whether consumers may send ad-hoc queries. */
  readonly sandbox: boolean;
  /** The parameter that says which project is read; null for none. */
  readonly projectParameter: string | null;
  readonly parameters: readonly ParameterSpec[];
  readonly sources: readonly CatalogueSource[];
}

/** A function of GoogleSQL, for completion and help in the log explorer. */
export interface CatalogueFunction {
  readonly name: string;
  readonly kind: 'scalar' | 'aggregate' | 'window';
  readonly description: string;
  readonly signatures: readonly string[];
}

/** What somebody who writes queries wants to have at hand. */
export interface Catalogue {
  readonly endpoints: readonly CatalogueEndpoint[];
  readonly functions: readonly CatalogueFunction[];
  /** What stands for which severity. */
  readonly severities: typeof SEVERITY_TABLE;
}

/**
 * Describes all endpoints: a source has the columns that its CTE has, nothing of the tables behind it. Throws a
 * ServiceError (invalid_argument) for a stored query that does not fit the tables.
 */
export function describeEndpoints(
  endpoints: readonly Endpoint[],
  tables: TableSchemas,
): readonly CatalogueEndpoint[] {
  return endpoints.map((endpoint) => {
    const { id, name, description, maxRows, cacheTtlSeconds, sandbox, projectParameter, parameters } =
      endpoint;
    const sources = sandbox ? describeSources(endpoint, tables) : [];
    const settings = { id, name, description, maxRows, cacheTtlSeconds, sandbox, projectParameter };
    return { ...settings, parameters, sources };
  });
}

function describeSources({ sql, parameters }: Endpoint, tables: TableSchemas): readonly CatalogueSource[] {
  const types = parameters.map(({ name, type }): [string, SqlType] => [name, { kind: type }]);
  const catalog = { dataset: STORED_DATASET, tables, parameters: new Map(types) };
  const { ctes } = analyzeSources(parseStatement(sql), sql, catalog);
  return [...ctes.values()].map(({ cte, columns }) => ({
    name: cte.name,
    columns: columns.map(({ name, column }) => columnSchema({ name, type: column.type })),
    severity: severityFields(columns.map(({ name, column }) => ({ name, type: column.type }))),
  }));
}

/** Describes all that can be asked for, to whoever may use everything. */
export async function describeAll(endpoints: readonly Endpoint[], warehouse: Warehouse): Promise<Catalogue> {
  const unsupported = new Set(await warehouse.unsupportedFunctions?.());
  return {
    endpoints: describeEndpoints(endpoints, warehouse.tables),
    functions: describeFunctions(unsupported),
    severities: SEVERITY_TABLE,
  };
}

/** Every function that a query may call and that the warehouse computes. */
function describeFunctions(unsupported: ReadonlySet<string>): readonly CatalogueFunction[] {
  return functionNames().flatMap((name) => {
    const spec = unsupported.has(name) ? undefined : findFunction(name);
    if (spec === undefined) return [];
    const { kind, description, signatures } = spec;
    return [{ name, kind, description, signatures: signatures.map(({ text }) => text) }];
  });
}
