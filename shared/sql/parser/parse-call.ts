import type { Argument, Expression, FunctionCall, OrderItem } from '../ast/expression.ts';
import type { Cursor } from './cursor.ts';
import { BARE_FUNCTIONS } from './function-keywords.ts';
import { parseExpression } from './parse-expression.ts';
import { parseOrderBy } from './parse-query.ts';
import { parseOver } from './parse-window.ts';

/** A function call with everything an aggregate or window function may carry. */
export function parseCall(cursor: Cursor): FunctionCall {
  const at = cursor.peek().at;
  const isBare = cursor.isOneOf(BARE_FUNCTIONS);
  const path = [cursor.next().value.toUpperCase()];
  while (!isBare && cursor.takeSymbol('.')) path.push(cursor.expectFieldName().name.toUpperCase());
  const dotted = path.find((part) => part.includes('.'));
  if (dotted !== undefined) throw cursor.error(at, `Function not found: ${dotted.toLowerCase()}`);
  const safe = path.length > 1 && path[0] === 'SAFE';
  const name = (safe ? path.slice(1) : path).join('.');
  const call = cursor.takeSymbol('(') ? cursor.nested(() => parseArguments(cursor)) : NO_ARGUMENTS;
  const over = cursor.takeKeywords('OVER') ? parseOver(cursor) : null;
  return { kind: 'call', name, safe, ...call, over, at };
}

type Arguments = Pick<FunctionCall, 'arguments' | 'distinct' | 'nulls' | 'having' | 'orderBy' | 'limit'>;

const NO_ARGUMENTS: Arguments = {
  arguments: [],
  distinct: false,
  nulls: null,
  having: null,
  orderBy: [],
  limit: null,
};

function parseArguments(cursor: Cursor): Arguments {
  if (cursor.takeSymbol(')')) return NO_ARGUMENTS;
  const distinct = cursor.takeKeywords('DISTINCT');
  const list = cursor.list(() => parseArgument(cursor));
  const nulls = parseNulls(cursor);
  const having = parseHaving(cursor);
  const orderBy: readonly OrderItem[] = cursor.isKeyword('ORDER') ? parseOrderBy(cursor) : [];
  const limit = cursor.takeKeywords('LIMIT') ? parseExpression(cursor) : null;
  cursor.expectSymbol(')');
  return { arguments: list, distinct, nulls, having, orderBy, limit };
}

function parseArgument(cursor: Cursor): Argument {
  const at = cursor.peek().at;
  if (cursor.isSymbol('*')) {
    cursor.next();
    return { kind: 'star', at };
  }
  if (cursor.isIdentifier() && cursor.isSymbol('=>', 1)) {
    const { name } = cursor.expectIdentifier();
    cursor.next();
    return { kind: 'named-argument', name: name.toLowerCase(), value: parseExpression(cursor), at };
  }
  const parameters = takeLambdaParameters(cursor);
  if (parameters !== null) return { kind: 'lambda', parameters, body: parseExpression(cursor), at };
  return parseExpression(cursor);
}

/** `e ->` or `(e, i) ->` */
function takeLambdaParameters(cursor: Cursor): string[] | null {
  if (cursor.isIdentifier() && cursor.isSymbol('->', 1)) {
    const { name } = cursor.expectIdentifier();
    cursor.next();
    return [name];
  }
  const isPair =
    cursor.isSymbol('(') &&
    cursor.isIdentifier(1) &&
    cursor.isSymbol(',', 2) &&
    cursor.isIdentifier(3) &&
    cursor.isSymbol(')', 4) &&
    cursor.isSymbol('->', 5);
  if (!isPair) return null;
  const [, first, , second] = [
    cursor.next(),
    cursor.next(),
    cursor.next(),
    cursor.next(),
    cursor.next(),
    cursor.next(),
  ];
  return [first.value, second.value];
}

function parseNulls(cursor: Cursor): FunctionCall['nulls'] {
  if (cursor.takeKeywords('IGNORE', 'NULLS')) return 'IGNORE';
  if (cursor.takeKeywords('RESPECT', 'NULLS')) return 'RESPECT';
  return null;
}

function parseHaving(cursor: Cursor): { bound: 'MAX' | 'MIN'; expression: Expression } | null {
  if (!cursor.takeKeywords('HAVING')) return null;
  const bound = cursor.takeKeywords('MAX') ? 'MAX' : 'MIN';
  if (bound === 'MIN') cursor.expectKeyword('MIN');
  return { bound, expression: parseExpression(cursor) };
}
