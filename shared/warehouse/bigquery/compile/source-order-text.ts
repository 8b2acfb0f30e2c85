import type { AnalyzedQuery } from '../../../sql/analyzer/analyze.ts';
import type { FromItem, Query } from '../../../sql/ast/query.ts';
import type { ResolvedScan, SortKey } from '../../../sql/resolved/scan.ts';
import { walkQuery } from '../../../sql/sandbox/walk-query.ts';
import { inheritedKeys } from '../../source-order.ts';
import { quoteName } from './quote-name.ts';
import { isPiped } from './tail-edits.ts';

/**
 * What follows ORDER BY to give a plain SELECT the order of its source, in the ways in which it can be written:
 * which of them means that, the names in the query decide. Nothing for queries that have no order to take over.
 */
export function sourceOrderTexts({ query: resolved }: AnalyzedQuery, query: Query): readonly string[] {
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
  const texts = ways.map((way) => {
    const parts = keys.map((key) => {
      if (key.expression.kind !== 'column') return null;
      const { id, name } = key.expression.column;
      const position = resolved.columns.findIndex(({ column }) => column.id === id);
      const output = resolved.columns[position];
      if (isPipe) return `${quoteName(output?.name ?? way.alias ?? name)}${direction(key)}`;
      if (output !== undefined) return `${position + 1}${direction(key)}`;
      const qualifier = way.range === null ? '' : `${quoteName(way.range)}.`;
      return `${qualifier}${quoteName(way.alias ?? name)}${direction(key)}`;
    });
    return parts.every((part) => part !== null) ? parts.join(', ') : null;
  });
  return [...new Set(texts)].filter((text) => text !== null);
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

function direction({ descending, nullsFirst }: SortKey): string {
  const nulls = nullsFirst === descending ? ` NULLS ${nullsFirst ? 'FIRST' : 'LAST'}` : '';
  return `${descending ? ' DESC' : ''}${nulls}`;
}

/** The name under which the columns of a SELECT's first source can be qualified. */
function rangeName({ body }: Query): string | null {
  if (body.kind !== 'select') return null;
  let item: FromItem | null = body.from;
  while (item?.kind === 'join') item = item.left;
  if (item === null) return null;
  return item.alias ?? (item.kind === 'table' ? (item.path.at(-1) ?? null) : null);
}
