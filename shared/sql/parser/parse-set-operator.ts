import type { ColumnMatch, SetOperator } from '../ast/query.ts';
import type { Cursor } from './cursor.ts';

/**
 * `[INNER | {FULL | LEFT} [OUTER]] {UNION | INTERSECT | EXCEPT} {ALL | DISTINCT} [BY NAME [ON (…)] | [STRICT] CORRESPONDING [BY (…)]]`
 */
export function parseSetOperator(cursor: Cursor): SetOperator {
  const { at } = cursor.peek();
  const mode = parseMode(cursor);
  const operator = cursor.next().value.toUpperCase() as SetOperator['operator'];
  const distinct = cursor.takeKeywords('DISTINCT');
  if (!distinct && !cursor.takeKeywords('ALL')) throw cursor.unexpected('keyword ALL or keyword DISTINCT');
  const match = parseMatch(cursor, mode);
  if (match === null && mode !== null)
    throw cursor.error(at, `Syntax error: ${mode} in a set operation needs BY NAME or CORRESPONDING`);
  return { operator, distinct, match, at };
}

function parseMode(cursor: Cursor): 'INNER' | 'LEFT' | 'FULL' | null {
  if (cursor.takeKeywords('INNER')) return 'INNER';
  const mode = cursor.takeKeywords('LEFT') ? 'LEFT' : cursor.takeKeywords('FULL') ? 'FULL' : null;
  return cursor.takeKeywords('OUTER') ? (mode ?? 'FULL') : mode;
}

function parseMatch(cursor: Cursor, mode: ReturnType<typeof parseMode>): ColumnMatch | null {
  if (cursor.takeKeywords('BY')) {
    cursor.expectKeyword('NAME');
    return { syntax: 'BY NAME', mode, on: cursor.takeKeywords('ON') ? parseNames(cursor) : null };
  }
  const { at } = cursor.peek();
  const isStrict = cursor.takeKeywords('STRICT');
  if (!isStrict && !cursor.isKeyword('CORRESPONDING')) return null;
  cursor.expectKeyword('CORRESPONDING');
  if (isStrict && mode !== null)
    throw cursor.error(at, `Syntax error: A set operation cannot have both ${mode} and STRICT`);
  const on = cursor.takeKeywords('BY') ? parseNames(cursor) : null;
  return { syntax: 'CORRESPONDING', mode: isStrict ? 'STRICT' : mode, on };
}

function parseNames(cursor: Cursor): NonNullable<ColumnMatch['on']> {
  cursor.expectSymbol('(');
  const names = cursor.list(() => cursor.expectIdentifier());
  cursor.expectSymbol(')');
  return names;
}

/** Whether two set operations may stand in a row without parentheses. */
export function isSameOperator(one: SetOperator, other: SetOperator): boolean {
  return formOf(one) === formOf(other);
}

function formOf({ operator, distinct, match }: SetOperator): string {
  const on = match?.on?.map(({ name }) => name.toLowerCase()) ?? null;
  return JSON.stringify([operator, distinct, match?.syntax, match?.mode, on]);
}
