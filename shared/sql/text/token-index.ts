import type { Token } from '../lexer/token.ts';

/** The tokens of one text, found by their places. */
export class TokenIndex {
  readonly #tokens: readonly Token[];
  readonly #positions: ReadonlyMap<number, number>;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
    this.#positions = new Map(tokens.map(({ at }, position) => [at, position]));
  }

  /** The token that begins at an offset, or one so many tokens after it. Throws a TypeError where none is. */
  at(offset: number, behind = 0): Token {
    const position = this.#positions.get(offset);
    const token = position === undefined ? undefined : this.#tokens[position + behind];
    if (token === undefined) throw new TypeError(`no token at ${offset}`);
    return token;
  }

  /** After the last token that is not the end of the statement. */
  get end(): number {
    return this.#tokens.findLast((token) => token.kind !== 'end' && !isSymbol(token, ';'))?.end ?? 0;
  }
}

/** Whether a token is this symbol. */
export function isSymbol({ kind, value }: Token, symbol: string): boolean {
  return kind === 'symbol' && value === symbol;
}
