import type { Token } from '../lexer/token.ts';

/** A path that stands where FROM and JOIN have tables. */
export interface NamedTable {
  readonly path: readonly string[];
  readonly at: number;
}

/** What a pair of parentheses or brackets holds, or the angles of a type; the outermost level has one too. */
interface Level {
  /** Whether commas here separate items of FROM. */
  inFrom: boolean;
  /** Whether an item of FROM comes next. */
  awaitsItem: boolean;
  /** FROM in the parentheses of EXTRACT is no clause. */
  readonly isExtract: boolean;
  readonly isType: boolean;
}

/** Clauses that end a FROM clause of the same level, and the starts of queries. */
const OTHER_CLAUSES: ReadonlySet<string> = new Set(
  'SELECT WITH WHERE GROUP HAVING QUALIFY WINDOW ORDER LIMIT UNION INTERSECT EXCEPT'.split(' '),
);

const QUERY_STARTS: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'FROM']);

/**
 * The paths that a query's tokens have where tables stand, found by keywords, commas and parentheses alone. It knows
 * nothing of the parser and its tree, so that a mistake there cannot repeat itself here.
 */
export function tableNames(tokens: readonly Token[]): readonly NamedTable[] {
  const tables: NamedTable[] = [];
  const levels: Level[] = [{ inFrom: false, awaitsItem: false, isExtract: false, isType: false }];
  for (const [index, token] of tokens.entries()) {
    const level = levels[levels.length - 1];
    if (level === undefined) return tables;
    if (token.kind === 'symbol') readSymbol(tokens, index, level, levels);
    else if (isField(tokens, index)) continue;
    else if (token.kind === 'quoted' || token.kind === 'name') {
      const word = token.kind === 'name' ? token.value.toUpperCase() : '';
      if (readKeyword(tokens, index, word, level)) continue;
      if (level.awaitsItem && word !== 'UNNEST') tables.push({ path: pathFrom(tokens, index), at: token.at });
      level.awaitsItem = false;
    }
  }
  return tables;
}

function readSymbol(tokens: readonly Token[], index: number, level: Level, levels: Level[]): void {
  const symbol = tokens[index]?.value;
  if (symbol === '(') {
    const isExtract = wordAt(tokens, index - 1) === 'EXTRACT';
    levels.push({ inFrom: level.awaitsItem, awaitsItem: level.awaitsItem, isExtract, isType: false });
    level.awaitsItem = false;
  } else if (symbol === '[' || (symbol === '<' && isTypeName(tokens, index - 1))) {
    levels.push({ inFrom: false, awaitsItem: false, isExtract: false, isType: symbol === '<' });
  } else if (symbol === ')' || symbol === ']' || (symbol === '>' && level.isType)) {
    levels.pop();
  } else if (symbol === ',') {
    level.awaitsItem = level.inFrom;
  } else if (symbol === '|>') {
    level.inFrom = false;
  }
}

/** Whether the word is a keyword that says where tables stand. */
function readKeyword(tokens: readonly Token[], index: number, word: string, level: Level): boolean {
  if (word === 'JOIN' || (word === 'FROM' && isClause(tokens, index, level))) {
    level.inFrom = true;
    level.awaitsItem = true;
    return true;
  }
  if (!OTHER_CLAUSES.has(word) || (word === 'WITH' && wordAt(tokens, index + 1) === 'OFFSET')) return false;
  level.inFrom = false;
  level.awaitsItem = false;
  return true;
}

function isClause(tokens: readonly Token[], index: number, level: Level): boolean {
  const isComparison =
    wordAt(tokens, index - 1) === 'DISTINCT' && ['IS', 'NOT'].includes(wordAt(tokens, index - 2));
  return !level.isExtract && !isComparison;
}

/** Whether an angle after this token opens a type: `ARRAY<`, `STRUCT<`. */
function isTypeName(tokens: readonly Token[], index: number): boolean {
  return ['ARRAY', 'STRUCT'].includes(wordAt(tokens, index)) && !isField(tokens, index);
}

function pathFrom(tokens: readonly Token[], index: number): string[] {
  const path = [tokens[index]?.value ?? ''];
  for (let dot = index + 1; isSymbol(tokens[dot], '.'); dot += 2) path.push(tokens[dot + 1]?.value ?? '');
  return path;
}

/**
 * The names, in lower case, that the tokens define as CTEs: `name AS (` with a query after it, after WITH, WITH RECURSIVE or a comma.
 */
export function definedCtes(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const start = wordAt(tokens, index - 1) === 'RECURSIVE' ? index - 2 : index - 1;
    const isFirst = wordAt(tokens, start) === 'WITH' || isSymbol(tokens[index - 1], ',');
    const isDefined = wordAt(tokens, index + 1) === 'AS' && isSymbol(tokens[index + 2], '(');
    const hasQuery = QUERY_STARTS.has(wordAt(tokens, index + 3)) || isSymbol(tokens[index + 3], '(');
    if (isName(token) && isFirst && isDefined && hasQuery) names.add(token.value.toLowerCase());
  }
  return names;
}

/** The names, in lower case, that may be aliases: after AS, or right after another name or parenthesis. */
export function possibleAliases(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (!isName(token) || before === undefined) continue;
    const isAlias = wordAt(tokens, index - 1) === 'AS' || isName(before) || isSymbol(before, ')');
    if (isAlias && !isSymbol(tokens[index + 1], '.')) names.add(token.value.toLowerCase());
  }
  return names;
}

function isField(tokens: readonly Token[], index: number): boolean {
  return isSymbol(tokens[index - 1], '.');
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === 'name' || token?.kind === 'quoted';
}

function isSymbol(token: Token | undefined, symbol: string): boolean {
  return token?.kind === 'symbol' && token.value === symbol;
}

function wordAt(tokens: readonly Token[], index: number): string {
  const token = tokens[index];
  return token?.kind === 'name' ? token.value.toUpperCase() : '';
}
