import type { Endpoint } from '../../shared/endpoints/endpoint.ts';
import type { TableSchemas } from '../../shared/schema/table-schema.ts';
import { analyze } from '../../shared/sql/analyzer/analyze.ts';
import { parseStatement } from '../../shared/sql/parser/parse-query.ts';
import type { ResolvedExpression } from '../../shared/sql/resolved/expression.ts';
import { readLeaves } from '../../shared/sql/resolved/read-leaves.ts';
import type { ResolvedScan } from '../../shared/sql/resolved/scan.ts';
import { STORED_DATASET } from '../../shared/warehouse/stored-dataset.ts';

/** The column that Terraform clusters log tables by. */
const CLUSTERED_BY = 'project';

/** What a stored query reads of a table. */
export interface TableRead {
  readonly table: string;
  readonly leaves: ReadonlySet<string>;
  /** Whether it wants the entries of one project, by the column that the table is clustered by. */
  readonly isOfOneProject: boolean;
}

/** Finds what a stored query reads, with the analyzer that the service itself compiles it with. */
export function queryReads({ sql, parameters }: Endpoint, tables: TableSchemas): readonly TableRead[] {
  const types = new Map(parameters.map(({ name, type }) => [name, { kind: type }]));
  const { query } = analyze(parseStatement(sql), sql, { dataset: STORED_DATASET, tables, parameters: types });
  const pinned = pinnedTables(query.scan);
  return [...readLeaves(query)].map(([table, leaves]) => ({
    table,
    leaves,
    isOfOneProject: pinned.has(table),
  }));
}

/** The tables that a filter right above them keeps one project of. */
function pinnedTables(scan: ResolvedScan): ReadonlySet<string> {
  const pinned = new Set<string>();
  visit(scan);
  return pinned;

  function visit(one: ResolvedScan): void {
    if (one.kind === 'filter') {
      const { input } = one;
      if (input.kind === 'table') {
        const column = input.columns.find(({ name }) => name === CLUSTERED_BY);
        if (column !== undefined && conjuncts(one.condition).some((part) => isEqualTo(part, column.id)))
          pinned.add(input.table);
      }
    }
    if ('input' in one) visit(one.input);
    else if (one.kind === 'cte') visit(one.cte.scan);
    else if (one.kind === 'join') for (const side of [one.left, one.right]) visit(side);
    else if (one.kind === 'set-operation') for (const { scan: input } of one.inputs) visit(input);
  }
}

function conjuncts(condition: ResolvedExpression): readonly ResolvedExpression[] {
  if (condition.kind !== 'call' || condition.name !== '$AND') return [condition];
  return condition.arguments.flatMap(conjuncts);
}

function isEqualTo(condition: ResolvedExpression, columnId: number): boolean {
  if (condition.kind !== 'call' || condition.name !== '$EQUAL') return false;
  const isColumn = (one: ResolvedExpression) => one.kind === 'column' && one.column.id === columnId;
  return condition.arguments.some(isColumn) && condition.arguments.some(({ kind }) => kind === 'parameter');
}
