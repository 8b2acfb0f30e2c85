import { sameType } from '../../shared/sql/types/sql-type.ts';
import { childrenOf, nullOf, type SqlTree, value } from './generate/sql-tree.ts';
import { simplest } from './generate/values.ts';

/** Most tries at making one failing query smaller. */
const MAX_TRIES = 400;

/** A smaller tree for which `fails` holds too. */
export async function shrinkTree(
  tree: SqlTree,
  fails: (candidate: SqlTree) => Promise<boolean>,
): Promise<SqlTree> {
  let best = tree;
  let tries = 0;
  for (let again = true; again && tries < MAX_TRIES; ) {
    again = false;
    for (const candidate of smaller(best)) {
      if (tries++ >= MAX_TRIES) break;
      if (await fails(candidate)) {
        best = candidate;
        again = true;
        break;
      }
    }
  }
  return best;
}

/** Trees with one part left out or made simpler, those first that leave out most. */
function* smaller(tree: SqlTree): Generator<SqlTree> {
  if (typeof tree === 'string') return;
  if (tree.kind === 'table') {
    yield* smallerTables(tree);
    return;
  }
  if (tree.kind === 'list') {
    const { items, least } = tree;
    for (let size = items.length; size >= 1; size = Math.floor(size / 2))
      for (let at = 0; at + size <= items.length; at += size)
        if (items.length - size >= least)
          yield { ...tree, items: [...items.slice(0, at), ...items.slice(at + size)] };
  } else if (tree.type !== undefined && tree.parts.some((part) => typeof part !== 'string')) {
    const { type } = tree;
    yield nullOf(type);
    for (const text of simplest(type)) yield value(type, [text]);
    for (const beneath of descendants(tree))
      if (
        typeof beneath !== 'string' &&
        beneath.kind === 'parts' &&
        beneath.type !== undefined &&
        sameType(beneath.type, type)
      )
        yield beneath;
  } else if (tree.type !== undefined) {
    const text = tree.parts.join('');
    const choices = simplest(tree.type);
    const place = choices.indexOf(text);
    for (const simple of place < 0 ? choices : choices.slice(0, place)) yield value(tree.type, [simple]);
  }
  const children = childrenOf(tree);
  for (const [index, child] of children.entries())
    for (const candidate of smaller(child)) {
      const changed = children.with(index, candidate);
      yield tree.kind === 'list' ? { ...tree, items: changed } : { ...tree, parts: changed };
    }
}

function* descendants(tree: SqlTree): Generator<SqlTree> {
  for (const child of childrenOf(tree)) {
    yield child;
    yield* descendants(child);
  }
}

function* smallerTables(table: Extract<SqlTree, { kind: 'table' }>): Generator<SqlTree> {
  const { columns, rows, keptColumns } = table;
  for (let at = 0; at < rows.length; at++) yield { ...table, rows: rows.toSpliced(at, 1) };
  for (let at = keptColumns; at < columns.length; at++)
    yield { ...table, columns: columns.toSpliced(at, 1), rows: rows.map((row) => row.toSpliced(at, 1)) };
  for (const [at, row] of rows.entries())
    for (const [column, cell] of row.entries())
      for (const candidate of smaller(cell))
        yield { ...table, rows: rows.with(at, row.with(column, candidate)) };
}
