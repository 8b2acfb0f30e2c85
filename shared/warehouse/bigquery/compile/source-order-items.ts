import type { AnalyzedQuery } from '../../../sql/analyzer/analyze.ts';
import { integer, path } from '../../../sql/ast/build.ts';
import type { OrderItem } from '../../../sql/ast/expression.ts';
import type { FromItem, Query } from '../../../sql/ast/query.ts';
import { walkQuery } from '../../../sql/ast/walk-query.ts';
import type { ResolvedScan, SortKey } from '../../../sql/resolved/scan.ts';
import { inheritedKeys } from '../../source-order.ts';
import { isPiped } from './query-tail.ts';

/**
 * What ORDER BY sorts by to give a plain SELECT the order of its source, in the ways in which it can be written:
 * which of them means that, the names in the query decide. Nothing for queries that have no order to take over.
 */
export function sourceOrderItems(
  { query: resolved }: AnalyzedQuery,
  query: Query,
): readonly (readonly OrderItem[])[] {
  const keys = inheritedKeys(rowsOf(resolved.scan));
  if (keys === null) return [];
  const isPipe = isPiped(query);
  const range = isPipe ? null : rangeName(query);
  const [, ...otherKeys] = keys;
  // A source sorted by several keys is named by its own columns only: no list of names to try for each.
  const aliases = otherKeys.length === 0 ? aliasesIn(query) : [];
  const ways = [
    ...(range === null ? [] : [{ range, alias: null }]),
    { range: null, alias: null },
    ...aliases.map((alias) => ({ range: null, alias })),
  ];
  return ways.flatMap((way) => {
    const items = keys.flatMap((key) => {
      if (key.expression.kind !== 'column') return [];
      const { id, name } = key.expression.column;
      const position = resolved.columns.findIndex(({ column }) => column.id === id);
      const output = resolved.columns[position];
      if (isPipe) return [sortItem(path(output?.name ?? way.alias ?? name), key)];
      if (output !== undefined) return [sortItem(integer(position + 1), key)];
      const qualified = way.range === null ? [] : [way.range];
      const [first = '', ...fields] = [...qualified, way.alias ?? name];
      return [sortItem(path(first, ...fields), key)];
    });
    return items.length === keys.length ? [items] : [];
  });
}

/** An item of ORDER BY in the direction of a key; NULLS FIRST or LAST only where the direction does not say it. */
function sortItem(expression: OrderItem['expression'], { descending, nullsFirst }: SortKey): OrderItem {
  return { expression, descending, nullsFirst: nullsFirst === descending ? nullsFirst : null, at: 0 };
}

/** Most names that are tried for a column which a subquery has renamed. */
const MAX_ALIASES = 20;

/** The names that a query gives to columns of its parts. */
function aliasesIn(query: Query): readonly string[] {
  const aliases = new Set<string>();
  for (const { node } of walkQuery(query)) {
    if (node.kind === 'expression' && 'alias' in node && node.alias !== null) aliases.add(node.alias);
  }
  return [...aliases].slice(0, MAX_ALIASES);
}

/** Whether a query's outermost ORDER BY sorts by exactly what its source is sorted by. */
export function isInSourceOrder({ query }: AnalyzedQuery): boolean {
  const scan = rowsOf(query.scan);
  if (scan.kind !== 'order') return false;
  const wanted = inheritedKeys(scan.input);
  return (
    wanted?.length === scan.keys.length && wanted.every((key, index) => isSameKey(key, scan.keys[index]))
  );
}

function rowsOf(scan: ResolvedScan): ResolvedScan {
  return scan.kind === 'limit' ? scan.input : scan;
}

function isSameKey(a: SortKey, b: SortKey | undefined): boolean {
  return (
    b?.expression.kind === 'column' &&
    a.expression.kind === 'column' &&
    a.expression.column.id === b.expression.column.id &&
    a.descending === b.descending &&
    a.nullsFirst === b.nullsFirst
  );
}

/** The name under which the columns of a SELECT's first source can be qualified. */
function rangeName({ body }: Query): string | null {
  if (body.kind !== 'select') return null;
  let item: FromItem | null = body.from;
  while (item?.kind === 'join') item = item.left;
  if (item === null) return null;
  return item.alias ?? (item.kind === 'table' ? (item.path.at(-1) ?? null) : null);
}
