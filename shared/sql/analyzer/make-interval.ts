import { INT64 } from '../types/sql-type.ts';
import type { CallArgument } from './match-signature.ts';

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'];

/** Whether MAKE_INTERVAL has an argument of this name. */
export function isIntervalPart(name: string): boolean {
  return PARTS.includes(name);
}

/**
 * The arguments of MAKE_INTERVAL in the order of the parts, 0 for those that the call leaves out. They come by place,
 * then by name. Arguments that do not fit, such as one part given twice, stay as they are.
 */
export function withEveryPart(written: readonly CallArgument[]): readonly CallArgument[] {
  const byPart = new Map<string, CallArgument>();
  for (const [index, argument] of written.entries()) {
    const part = (argument.kind === 'expression' ? argument.name : undefined) ?? PARTS[index];
    if (part === undefined || byPart.has(part) || argument.kind !== 'expression') return written;
    byPart.set(part, { kind: 'expression', expression: argument.expression, at: argument.at });
  }
  const at = written[0]?.at ?? 0;
  const zero: CallArgument = {
    kind: 'expression',
    expression: { kind: 'literal', type: INT64, value: 0n },
    at,
  };
  return PARTS.map((part) => byPart.get(part) ?? zero);
}
