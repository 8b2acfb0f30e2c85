import type { FromItem, Join, JoinKind } from '../ast/query.ts';
import type { Cursor } from './cursor.ts';

/** `ON condition` or `USING (…)`, with its place. */
export type JoinCondition = Pick<Join, 'on' | 'using' | 'at'>;

/** A join as it stands in the text: its right side, and the conditions after that. */
export interface ParsedJoin {
  readonly join: JoinKind;
  readonly right: FromItem;
  readonly conditions: readonly JoinCondition[];
  readonly at: number;
}

const NO_CONDITION = { on: null, using: null } as const;

/**
 * Joins from left to right. Where several conditions follow each other (`a JOIN b JOIN c ON … ON …`), each belongs to the last join before it that
 * has none, and joins the two items there (GoogleSQL reference, "Sequences of JOINs"). Throws a ServiceError (invalid_argument) where their
 * number is not that of the joins that need one.
 */
export function combineJoins(cursor: Cursor, first: FromItem, joins: readonly ParsedJoin[]): FromItem {
  const isNested = joins.some(({ conditions }) => conditions.length > 1);
  if (isNested) return nestJoins(cursor, first, joins);
  return joins.reduce<FromItem>(
    (left, { join, right, conditions, at }) => ({
      kind: 'join',
      join,
      left,
      right,
      on: conditions[0]?.on ?? null,
      using: conditions[0]?.using ?? null,
      at,
    }),
    first,
  );
}

function nestJoins(cursor: Cursor, first: FromItem, joins: readonly ParsedJoin[]): FromItem {
  const open: { readonly left: FromItem; readonly join: JoinKind; readonly at: number }[] = [];
  let item = first;
  for (const { join, right, conditions, at } of joins) {
    if (join === 'COMMA')
      throw cursor.error(at, 'Syntax error: Commas cannot stand beside several conditions in a row');
    if (join === 'CROSS') item = { kind: 'join', join, left: item, right, ...NO_CONDITION, at };
    else {
      open.push({ left: item, join, at });
      item = right;
    }
    for (const { on, using, at: conditionAt } of conditions) {
      const waiting = open.pop();
      if (waiting === undefined)
        throw cursor.error(conditionAt, 'Syntax error: There is no join for this condition');
      item = { kind: 'join', right: item, on, using, ...waiting };
    }
  }
  const [without] = open;
  if (without !== undefined)
    throw cursor.error(without.at, `${without.join} JOIN must have an ON or USING clause`);
  return item;
}
