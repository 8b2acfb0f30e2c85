import { loadEndpoints } from '../../../shared/endpoints/load-endpoints.ts';
import { loadTableSchemas } from '../../../shared/schema/load-table-schemas.ts';
import { analyze, analyzeSources } from '../../../shared/sql/analyzer/analyze.ts';
import { parseStatement } from '../../../shared/sql/parser/parse-query.ts';
import type { ResolvedColumn, ResolvedExpression } from '../../../shared/sql/resolved/expression.ts';
import { isExpression, walkParts } from '../../../shared/sql/resolved/parts.ts';
import type { ResolvedCte, ResolvedScan } from '../../../shared/sql/resolved/scan.ts';
import { mapExpression } from '../../../shared/sql/resolved/transform.ts';
import { catalogTypes } from '../../../shared/sql/sandbox/catalog-types.ts';
import type { SqlType } from '../../../shared/sql/types/sql-type.ts';

const { all } = await loadEndpoints('queries');
const endpoint = all.find(({ name }) => name === 'logs.all');
const endpointSql = endpoint?.sql ?? '';
const parameters = catalogTypes(new Map(endpoint?.parameters.map(({ name, type }) => [name, type])));
const tables = await loadTableSchemas('queries/sources');
const SOURCES = analyzeSources(parseStatement(endpointSql), endpointSql, {
  dataset: 'logs',
  tables,
  parameters,
});

/** The fields that a query over the sources of logs.all reads, as `source.column.field`; whole records are left out. */
export function fieldsRead(sql: string): ReadonlySet<string> {
  const catalog = { dataset: null, tables: new Map(), parameters };
  const { query } = analyze(parseStatement(sql), sql, catalog, SOURCES);
  const origins = new Origins();
  origins.visit(query.scan);
  const read = origins.read;
  for (const { column } of query.columns) origins.note({ kind: 'column', type: column.type, column });
  return read;
}

/** The fields by which logs.all keeps entries of other projects out of its sources. */
export function scopeFields(): ReadonlySet<string> {
  const origins = new Origins();
  for (const { cte } of SOURCES.ctes.values()) origins.visit(cte.scan);
  const isTime = (path: string) => path.endsWith('.timestamp');
  return new Set([...origins.read].filter((path) => !isTime(path)));
}

/** Where the columns of a query come from. */
class Origins {
  readonly read = new Set<string>();
  readonly #paths = new Map<number, string>();

  /** Notes what a scan reads, its inputs first, as their columns are its own. */
  visit(scan: ResolvedScan): void {
    switch (scan.kind) {
      case 'table':
        for (const column of scan.columns) this.#paths.set(column.id, `${scan.table}.${column.name}`);
        return;
      case 'single-row':
      case 'working-table':
        return;
      case 'cte':
        this.#use(scan.cte, scan.columns);
        return;
      case 'join':
        this.visit(scan.left);
        this.visit(scan.right);
        break;
      case 'set-operation':
        for (const input of scan.inputs) this.visit(input.scan);
        for (const { columns } of scan.inputs)
          for (const column of columns) this.note({ kind: 'column', type: column.type, column });
        return;
      default:
        this.visit(scan.input);
    }
    if (scan.kind === 'unnest') {
      const path = this.#pathOf(scan.array);
      if (path !== null) this.#paths.set(scan.element.id, path);
    } else if (scan.kind === 'project') {
      for (const { column, expression } of scan.computed) this.#name(column, expression);
    } else if (scan.kind === 'aggregate') {
      for (const { column, expression } of scan.keys) this.#name(column, expression);
    }
    // Those of its inputs come once more, and add nothing.
    walkParts(scan, (part) => {
      if (isExpression(part)) mapExpression(part, (one) => this.note(one));
    });
  }

  /** Notes what an expression reads; answers the expression where nothing in it is left to look at. */
  note(expression: ResolvedExpression): ResolvedExpression | null {
    const path = this.#pathOf(expression);
    if (path !== null && isLeaf(expression.type)) this.read.add(path);
    if (path !== null) return expression;
    if (expression.kind === 'subquery') this.visit(expression.scan);
    return null;
  }

  #name(column: ResolvedColumn, expression: ResolvedExpression): void {
    mapExpression(expression, (part) => this.note(part));
    const path = this.#pathOf(expression);
    if (path !== null) this.#paths.set(column.id, path);
  }

  /** Columns of a use of a CTE are new ones, by position those of its definition. */
  #use(cte: ResolvedCte, columns: readonly ResolvedColumn[]): void {
    const isSource = [...SOURCES.ctes.values()].some((source) => source.cte === cte);
    if (!isSource) this.visit(cte.scan);
    for (const [index, column] of columns.entries()) {
      const defined = cte.columns[index];
      const path = isSource ? `${cte.name}.${column.name}` : this.#paths.get(defined?.id ?? -1);
      if (path !== undefined) this.#paths.set(column.id, path);
    }
  }

  #pathOf(expression: ResolvedExpression): string | null {
    switch (expression.kind) {
      case 'column':
        return this.#paths.get(expression.column.id) ?? null;
      case 'field': {
        const base = this.#pathOf(expression.base);
        const { type } = expression.base;
        return base === null || type.kind !== 'STRUCT'
          ? null
          : `${base}.${type.fields[expression.index]?.name}`;
      }
      case 'call': {
        // COALESCE(array, []) is the array.
        const [first] = expression.arguments;
        const isArray = expression.name === 'COALESCE' && expression.type.kind === 'ARRAY';
        return isArray && first !== undefined ? this.#pathOf(first) : null;
      }
      default:
        return null;
    }
  }
}

function isLeaf(type: SqlType): boolean {
  return type.kind !== 'STRUCT' && (type.kind !== 'ARRAY' || isLeaf(type.element));
}
