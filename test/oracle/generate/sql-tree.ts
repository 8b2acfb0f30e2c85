import { type SqlType, typeText } from '../../../shared/sql/types/sql-type.ts';

/** A query or a part of it, as a tree that the shrinker can make smaller and that prints itself. */
export type SqlTree =
  | string
  /** Parts that stand one after the other; `type` where they are one value, and so may give way to another of that type. */
  | {
      readonly kind: 'parts';
      readonly parts: readonly SqlTree[];
      readonly type?: SqlType;
      /** The function or operator of the catalogue that it calls. */
      readonly calls?: string;
    }
  /** Items of which some may be left out, down to `least`. */
  | {
      readonly kind: 'list';
      readonly items: readonly SqlTree[];
      readonly separator: string;
      readonly least: number;
    }
  /** A CTE whose rows stand in the text; columns and rows may be left out, but for `keptColumns` columns at the front. */
  | {
      readonly kind: 'table';
      readonly name: string;
      readonly columns: readonly { readonly name: string; readonly type: SqlType }[];
      readonly rows: readonly (readonly SqlTree[])[];
      readonly keptColumns: number;
    };

/** A value. */
export function value(type: SqlType, parts: readonly SqlTree[], calls?: string): SqlTree {
  return calls === undefined ? { kind: 'parts', parts, type } : { kind: 'parts', parts, type, calls };
}

/** Parts that are no value. */
export function sequence(...parts: readonly SqlTree[]): SqlTree {
  return { kind: 'parts', parts };
}

/** Items with commas, of which at least so many must stay. */
export function list(items: readonly SqlTree[], least = 1, separator = ', '): SqlTree {
  return { kind: 'list', items, separator, least };
}

/** A clause that may be left out. */
export function optional(...parts: readonly SqlTree[]): SqlTree {
  return { kind: 'list', items: [sequence(...parts)], separator: '', least: 0 };
}

/** The tree as text. */
export function printTree(tree: SqlTree): string {
  if (typeof tree === 'string') return tree;
  if (tree.kind === 'list') return tree.items.map(printTree).join(tree.separator);
  if (tree.kind === 'table') {
    const columns = tree.columns.map(({ name, type }) => `${name} ${typeText(type)}`).join(', ');
    // One value in parentheses is no struct.
    const rows = tree.rows.map(
      (row) => `${row.length === 1 ? 'STRUCT' : ''}(${row.map(printTree).join(', ')})`,
    );
    return `${tree.name} AS (SELECT * FROM UNNEST(ARRAY<STRUCT<${columns}>>[${rows.join(', ')}]))`;
  }
  return tree.parts.map(printTree).join('');
}

/** The functions and operators of the catalogue that the tree calls. */
export function callsOf(tree: SqlTree, into: Set<string> = new Set()): Set<string> {
  if (typeof tree === 'string') return into;
  if (tree.kind === 'parts' && tree.calls !== undefined) into.add(tree.calls);
  for (const child of childrenOf(tree)) callsOf(child, into);
  return into;
}

/** The trees directly beneath. */
export function childrenOf(tree: SqlTree): readonly SqlTree[] {
  if (typeof tree === 'string') return [];
  if (tree.kind === 'table') return tree.rows.flat();
  return tree.kind === 'list' ? tree.items : tree.parts;
}

/** NULL of a type. */
export function nullOf(type: SqlType): SqlTree {
  return value(type, [`CAST(NULL AS ${typeText(type)})`]);
}
