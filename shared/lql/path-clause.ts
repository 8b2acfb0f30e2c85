import type { ServiceError } from '../errors/service-error.ts';
import type { ClauseLexemes } from './lexer.ts';
import { lqlError, quoteText } from './lql-error.ts';

/** A clause with a path in front, such as `m.status:200`. */
export type PathLexemes = Extract<ClauseLexemes, { kind: 'path' }>;

/** The value of a clause that takes nothing but `:` and bare text; null for any other. */
export function plainValue({ operator, value }: PathLexemes): string | null {
  return operator === ':' && value.form === 'bare' ? value.text : null;
}

/** The error of an `f:`, `s:` or `c:` clause that is none. */
export function malformed(text: string, { at, end }: PathLexemes, expected: string): ServiceError {
  return lqlError(text, at, 'syntax', `bad clause ${quoteText(text.slice(at, end))}, ${expected}`);
}

/** A path with `metadata.` written out where `m.` stands for it. */
export function fullPath(path: string): string {
  return path.startsWith('m.') ? `metadata.${path.slice(2)}` : path;
}
