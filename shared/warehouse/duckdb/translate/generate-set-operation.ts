import type { ResolvedScan, SetOperationScan } from '../../../sql/resolved/scan.ts';
import { column, duck, joined, type Sql, word } from './duck/sql.ts';
import {
  columnName,
  derivedTable,
  type Relation,
  SINGLE_ROW,
  selectListText,
  withoutOrder,
} from './relation.ts';
import type { Scope } from './scope.ts';

/** What is asked of the generator. */
interface Host {
  alias(): Sql;
  scan(scan: ResolvedScan, needed: ReadonlySet<number>, scope: Scope): Relation;
}

/**
 * UNION, INTERSECT or EXCEPT as a derived table. A UNION ALL of single rows of constants is one VALUES, which keeps the
 * order of the rows.
 */
export function generateSetOperation(generator: Host, scan: SetOperationScan, scope: Scope): Relation {
  const inputs = scan.inputs.map((input) => {
    const ids = input.columns.map((column) => column.id);
    return { ids, relation: generator.scan(input.scan, new Set(ids), scope) };
  });
  const rows = scan.operator === 'UNION' && !scan.distinct ? inputs.map(constantRow) : [];
  if (rows.length > 0 && rows.every((row) => row !== null)) return generateRows(generator, scan, rows);
  const parts = inputs.map(({ ids, relation }) => {
    const list = ids.map((id, index) => {
      return duck`${relation.columns.get(id)?.sql} AS ${columnName(scan.columns[index]?.id ?? 0)}`;
    });
    // Where nothing but the number of rows counts, the inputs still need a column.
    return duck`(${selectListText(withoutOrder(relation), list.length === 0 ? word('1') : joined(list, ', '))})`;
  });
  const operator = `${scan.operator} ${scan.distinct ? 'DISTINCT' : 'ALL'}`;
  const ids = scan.columns.map((column) => column.id);
  const query = joined(parts, ` ${operator} `);
  return derivedTable(query, generator.alias(), ids);
}

interface Input {
  readonly ids: readonly number[];
  readonly relation: Relation;
}

/** The values of an input that is one row of constants; null for any other input, and where its computation may raise an error. */
function constantRow({ ids, relation }: Input): readonly Sql[] | null {
  const { from, where, isComputed, groupBy, having, limit } = relation;
  if (
    from !== null ||
    where.length > 0 ||
    isComputed ||
    groupBy !== null ||
    having !== null ||
    limit !== null
  ) {
    return null;
  }
  const values = ids.map((id) => relation.columns.get(id)?.sql);
  const isPlain = (value: Sql | undefined): value is Sql => {
    if (value === undefined) return false;
    const { isConstant, isVolatile, mayRaise } = value.properties;
    return isConstant && !isVolatile && !mayRaise;
  };
  return values.length > 0 && values.every(isPlain) ? values : null;
}

/** One table of rows, which DuckDB reads in their order; the inputs of a UNION ALL it reads in any. */
function generateRows(
  generator: Host,
  scan: SetOperationScan,
  rows: readonly (readonly Sql[] | null)[],
): Relation {
  const ids = scan.columns.map((column) => column.id);
  const alias = generator.alias();
  const values = rows.map((row) => duck`(${joined(row ?? [], ', ')})`);
  const names = joined(ids.map(columnName), ', ');
  const columns = new Map(ids.map((id) => [id, { sql: column(alias, columnName(id)), isSimple: true }]));
  return { ...SINGLE_ROW, from: duck`(VALUES ${joined(values, ', ')}) AS ${alias}(${names})`, columns };
}
