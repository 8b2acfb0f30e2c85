import { REFUSAL } from '../../not-supported.ts';
import { ValueError } from './javascript-function.ts';
import { tokensOf } from './log-analyzer.ts';

/** A query of SEARCH: terms, all of them or one of them. */
export type SearchQuery =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly SearchQuery[] }
  /** Every token is in the text. */
  | { readonly kind: 'tokens'; readonly tokens: readonly string[] }
  /** The tokens are in the text one after the other. */
  | { readonly kind: 'phrase'; readonly tokens: readonly string[] }
  /** The text is in the other one as it is, between delimiters. */
  | { readonly kind: 'exact'; readonly text: string };

/** Longest query, in characters. */
const MAX_LENGTH = 1_000;
const MAX_DEPTH = 50;
const RESERVED_WORDS = /^(?:AND|NOT|OR|IN|NEAR)$/i;

const TOKEN =
  /(\s+)|([()])|`((?:\\`|[^`])+)`|"((?:\\"|[^"])+)"|((?:\\.|[^[\]<>(){}|!'"*&?+/:=\-\\~^`\s])+)/suy;

type Lexeme =
  | { readonly kind: 'open' | 'close' | 'and' | 'or' }
  | { readonly kind: 'term'; readonly query: SearchQuery };

/**
 * Reads a query of SEARCH with LOG_ANALYZER. Throws ValueError for what is no query.
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/search_functions#search_query_rules
 */
export function readSearchQuery(text: string): SearchQuery {
  if (text.length > MAX_LENGTH)
    throw new ValueError(`The search query of SEARCH has at most ${MAX_LENGTH} characters`);
  const reader = new QueryReader(lexemes(text));
  const query = reader.read();
  if (!hasTokens(query)) throw new ValueError('The search query of SEARCH has no search terms');
  return query;
}

function hasTokens(query: SearchQuery): boolean {
  if (query.kind === 'exact') return true;
  return 'tokens' in query ? query.tokens.length > 0 : query.parts.some(hasTokens);
}

function lexemes(text: string): Lexeme[] {
  const found: Lexeme[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null)
      throw new ValueError(
        `The search query of SEARCH has ${JSON.stringify(text[at])} at position ${at + 1}: put \\ before it, or the term into backticks`,
      );
    const [, space, parenthesis, exact, phrase, single = ''] = match;
    if (space !== undefined) continue;
    if (parenthesis !== undefined) found.push({ kind: parenthesis === '(' ? 'open' : 'close' });
    else if (exact !== undefined)
      found.push({ kind: 'term', query: { kind: 'exact', text: exact.replaceAll('\\`', '`') } });
    else if (phrase !== undefined) found.push({ kind: 'term', query: phraseOf(phrase) });
    else found.push(wordOf(single));
  }
  return found;
}

function phraseOf(text: string): SearchQuery {
  // BigQuery's documentation has a phrase with operators that is no phrase.
  if (/(?:^|\s)(?:AND|OR)(?:\s|$)/.test(text))
    throw new ValueError(`${REFUSAL}SEARCH for a phrase with AND or OR in it`);
  return { kind: 'phrase', tokens: tokensOf(text.replaceAll('\\"', '"')) };
}

function wordOf(word: string): Lexeme {
  if (word === 'AND') return { kind: 'and' };
  if (word === 'OR') return { kind: 'or' };
  if (RESERVED_WORDS.test(word)) {
    if (word === word.toUpperCase())
      throw new ValueError(`The search query of SEARCH has the reserved word ${word}: put it into backticks`);
    throw new ValueError(`${REFUSAL}SEARCH for ${word} outside of backticks`);
  }
  return { kind: 'term', query: { kind: 'tokens', tokens: tokensOf(word.replace(/\\(.)/gsu, '$1')) } };
}

/** AND, and two terms side by side, hold together more closely than OR. */
class QueryReader {
  readonly #lexemes: readonly Lexeme[];
  #at = 0;
  #depth = 0;

  constructor(all: readonly Lexeme[]) {
    this.#lexemes = all;
  }

  read(): SearchQuery {
    if (this.#lexemes.length === 0) throw new ValueError('The search query of SEARCH has no search terms');
    const query = this.#any();
    if (this.#at < this.#lexemes.length) throw this.#wrong();
    return query;
  }

  #any(): SearchQuery {
    const parts = [this.#all()];
    while (this.#take('or')) parts.push(this.#all());
    return oneOf('any', parts);
  }

  #all(): SearchQuery {
    const parts = [this.#one()];
    while (this.#take('and') || this.#isTerm()) parts.push(this.#one());
    return oneOf('all', parts);
  }

  #one(): SearchQuery {
    const lexeme = this.#lexemes[this.#at++];
    if (lexeme?.kind === 'term') return lexeme.query;
    if (lexeme?.kind !== 'open' || ++this.#depth > MAX_DEPTH) throw this.#wrong();
    const query = this.#any();
    if (!this.#take('close')) throw this.#wrong();
    this.#depth--;
    return query;
  }

  #take(kind: Lexeme['kind']): boolean {
    const isNext = this.#lexemes[this.#at]?.kind === kind;
    if (isNext) this.#at++;
    return isNext;
  }

  #isTerm(): boolean {
    const kind = this.#lexemes[this.#at]?.kind;
    return kind === 'term' || kind === 'open';
  }

  #wrong(): ValueError {
    return new ValueError(
      'The search query of SEARCH needs a term beside each AND and OR, and pairs of parentheses',
    );
  }
}

function oneOf(kind: 'all' | 'any', parts: readonly SearchQuery[]): SearchQuery {
  const [only] = parts;
  return only !== undefined && parts.length === 1 ? only : { kind, parts };
}
