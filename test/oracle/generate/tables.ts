import { arrayOf, INT64, type SqlType, STRING } from '../../../shared/sql/types/sql-type.ts';
import type { Random } from '../../fuzz/generate/random.ts';
import { scalarType } from './expressions.ts';
import type { ScopeColumn } from './scope.ts';
import type { SqlTree } from './sql-tree.ts';
import { literal } from './values.ts';

/** A CTE with its rows in the query's text. `id` tells its rows apart. */
export interface GeneratedTable {
  readonly name: string;
  readonly columns: readonly ScopeColumn[];
  readonly definition: SqlTree;
}

/** A table of a few columns, `needed` types among them, and at most six rows. */
export function table(name: string, random: Random, needed: readonly SqlType[] = []): GeneratedTable {
  const types = [...needed, ...random.several(1, 2, () => scalarType(random)), STRING, INT64];
  if (random.chance(0.2)) types.push(arrayOf(INT64));
  const columns = [{ name: 'id', type: INT64 }, ...types.map((type, index) => ({ name: `c${index}`, type }))];
  const rows = random.several(0, 5, (id) => [
    String(id + 1),
    ...columns.slice(1).map(({ type }) => literal(type, random)),
  ]);
  return { name, columns, definition: { kind: 'table', name, columns, rows, keptColumns: 1 } };
}
