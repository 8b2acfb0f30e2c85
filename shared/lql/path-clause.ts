import type { ServiceError } from '../errors/service-error.ts';
import { type ClauseLexemes, readClause } from './lexer.ts';
import { lqlError, quoteText } from './lql-error.ts';

/** A clause with a path in front, such as `m.status:200`. */
export type PathLexemes = Extract<ClauseLexemes, { kind: 'path' }>;

/** The value of a clause that takes nothing but `:` and bare text; null for any other. */
export function plainValue({ operator, value }: PathLexemes): string | null {
  return operator === ':' && value.form === 'bare' ? value.text : null;
}

/** What stands after the colon: the rest of the operator and the value, and where that begins. */
export function comparedText({ operator, value }: PathLexemes): { at: number; written: string } {
  const comparison = operator.slice(1);
  return { at: value.at - comparison.length, written: `${comparison}${value.text}` };
}

/** Where the value begins of the clause that stands at `at`, for errors about a part of it. */
export function valueOffset(text: string, at: number): number {
  return readClause(text, at).value.at;
}

/** The error of an `f:`, `s:` or `c:` clause that is invalid. */
export function malformed(text: string, { at, end }: PathLexemes, expected: string): ServiceError {
  return lqlError(text, at, 'syntax', `bad clause ${quoteText(text.slice(at, end))}, ${expected}`);
}

/** A path with `metadata.` written out where `m.` stands for it. */
export function fullPath(path: string): string {
  return path.startsWith('m.') ? `metadata.${path.slice(2)}` : path;
}
