/**
 * - `name`: an unquoted identifier or a keyword; which of them only the place shows
 * - `quoted`: an identifier in backquotes
 * - `system`: a system variable, `@@name`
 */
export type TokenKind =
  | 'name'
  | 'quoted'
  | 'string'
  | 'bytes'
  | 'integer'
  | 'float'
  | 'parameter'
  | 'system'
  | 'symbol'
  | 'end';

/** One token of a query; offsets are in UTF-16 units. */
export interface Token {
  readonly kind: TokenKind;
  /**
   * What the token means: an identifier's name, a string's characters, bytes as characters U+0000 to U+00FF,
   * a number's or symbol's spelling, a parameter's name without its `@`.
   */
  readonly value: string;
  /** Offset of the first character in the query's text. */
  readonly at: number;
  /** Offset after the last character. */
  readonly end: number;
}
