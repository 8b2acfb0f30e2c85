import { findFunction } from '../../../../sql/functions/catalog.ts';
import type { ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import type { SqlType } from '../../../../sql/types/sql-type.ts';
import { duck, EMPTY, joined, type Sql, textLiteral } from '../duck/sql.ts';
import { isRepeatable, refuseWhere, withLocals } from './fragments.ts';
import { MAX_JOINED_BYTES } from './sizes.ts';

/** A part of a text, with the expression that it comes from; null for text of a fixed length. */
export interface TextPart {
  readonly sql: Sql;
  readonly source: ResolvedExpression | null;
}

/** Texts or BYTES one after the other. Too much is refused before it is put together. */
export function joinedText(parts: readonly TextPart[], type: SqlType, name: string): Sql {
  if (parts.length === 0) return textLiteral('');
  const isLarge = ({ source }: TextPart) => source !== null && maxBytes(source) > SMALL_BYTES;
  if (parts.length === 1 || !parts.some(isLarge))
    return duck`(${joined(
      parts.map(({ sql }) => sql),
      ' || ',
    )})`;
  const measured = (...names: readonly Sql[]) => {
    const size = parts.flatMap((part, index) =>
      isLarge(part) ? [byteLength(names[index] ?? EMPTY, type)] : [],
    );
    const message = `${name} makes a text of at most ${MAX_JOINED_BYTES} bytes`;
    return refuseWhere(
      duck`${joined(size, ' + ')} > ${MAX_JOINED_BYTES}`,
      message,
      type,
      duck`(${joined(names, ' || ')})`,
    );
  };
  const all = parts.map(({ sql }) => sql);
  // What is not measured is written once.
  return parts.some((part) => isLarge(part) && !isRepeatable(part.sql))
    ? withLocals(all, measured)
    : measured(...all);
}

/** The number of bytes of a text or of BYTES. */
export function byteLength(sql: Sql, type: SqlType): Sql {
  return type.kind === 'BYTES' ? duck`octet_length(${sql})` : duck`strlen(${sql})`;
}

/** What is no longer than this is not counted: a query has too few parts for it to matter. */
const SMALL_BYTES = 1_000;

/** A bound on the bytes of a text; Infinity where nothing is known. */
function maxBytes(expression: ResolvedExpression): number {
  if (!SIZED.has(expression.type.kind)) return SMALL_BYTES;
  if (expression.kind === 'literal') return String(expression.value ?? '').length * 4;
  if (expression.kind === 'cast')
    return expression.operand.type.kind === 'STRING' ? Infinity : castBytes(expression.operand);
  if (expression.kind !== 'call') return Infinity;
  return findFunction(expression.name)?.givesShortText ? SMALL_BYTES : Infinity;
}

function castBytes({ type }: ResolvedExpression): number {
  return type.kind === 'BYTES' || type.kind === 'ARRAY' || type.kind === 'STRUCT' ? Infinity : SMALL_BYTES;
}

/** Types whose values may be long; FORMAT takes all types. */
const SIZED: ReadonlySet<string> = new Set(['STRING', 'BYTES', 'JSON', 'ARRAY', 'STRUCT']);
