import type { Expression } from '../../../sql/ast/expression.ts';
import type { Query } from '../../../sql/ast/query.ts';
import type { TextEdit } from '../../../sql/text/text-edits.ts';
import type { TokenIndex } from '../../../sql/text/token-index.ts';

/** Where a query's outermost ORDER BY and LIMIT stand or would stand. */
interface Tail {
  readonly isPipe: boolean;
  /** The count of its outermost LIMIT, if it has one. */
  readonly limit: Expression | null;
}

/** Whether the query's last part is written in pipe syntax. */
export function isPiped({ body, limit, orderBy }: Query): boolean {
  return (body.kind === 'pipe' || body.kind === 'from-query') && limit === null && orderBy.length === 0;
}

function tailOf(query: Query): Tail {
  if (!isPiped(query)) return { isPipe: false, limit: query.limit };
  const { body } = query;
  const limit = body.kind === 'pipe' && body.operator.kind === 'limit' ? body.operator.limit : null;
  return { isPipe: true, limit };
}

/**
 * The edits that put ORDER BY (what follows these words, or null) in front of a query's own LIMIT, and cap its
 * rows: the count of its own LIMIT is lowered to the cap, a query without one gets one.
 */
export function tailEdits(
  query: Query,
  tokens: TokenIndex,
  orderBy: string | null,
  maxRows: number,
): readonly TextEdit[] {
  const { isPipe, limit } = tailOf(query);
  const pipe = isPipe ? '|> ' : '';
  const order = orderBy === null ? '' : `${pipe}ORDER BY ${orderBy}`;
  if (limit === null) {
    const { end } = tokens;
    return [{ from: end, to: end, text: `${order === '' ? '' : ` ${order}`} ${pipe}LIMIT ${maxRows}` }];
  }
  let keyword = -1;
  while (tokens.at(limit.at, keyword).value.toUpperCase() !== 'LIMIT') keyword--;
  const { at } = tokens.at(limit.at, isPipe ? keyword - 1 : keyword);
  const edits: TextEdit[] = order === '' ? [] : [{ from: at, to: at, text: `${order} ` }];
  const count = tokens.at(limit.at);
  if (count.kind === 'integer' && BigInt(count.value) > BigInt(maxRows)) {
    edits.push({ from: count.at, to: count.end, text: String(maxRows) });
  }
  return edits;
}
