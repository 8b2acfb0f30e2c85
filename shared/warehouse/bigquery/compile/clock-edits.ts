import type { FunctionCall } from '../../../sql/ast/expression.ts';
import type { Query } from '../../../sql/ast/query.ts';
import { clockFunctions } from '../../../sql/functions/catalog.ts';
import { walkQuery } from '../../../sql/sandbox/walk-query.ts';
import type { TextEdit } from '../../../sql/text/text-edits.ts';
import { isSymbol, type TokenIndex } from '../../../sql/text/token-index.ts';

/** The functions whose value is the present, with what makes it of an instant. */
const CLOCK_FUNCTIONS: ReadonlyMap<string, string | null> = new Map(
  clockFunctions().map(({ name, signatures }) => {
    const result = signatures[0]?.result;
    const type = result?.kind === 'type' ? result.type.kind : 'TIMESTAMP';
    return [name, type === 'TIMESTAMP' ? null : type];
  }),
);

/** Puts a parameter, which holds the present, in place of every function that reads the clock. */
export function clockEdits(query: Query, tokens: TokenIndex, parameter: string): readonly TextEdit[] {
  const edits: TextEdit[] = [];
  for (const { node } of walkQuery(query)) {
    if (node.kind !== 'call') continue;
    const convert = CLOCK_FUNCTIONS.get(node.name);
    if (convert !== undefined) edits.push(clockEdit(node, tokens, convert, `@${parameter}`));
  }
  return edits;
}

function clockEdit(
  { at, safe, arguments: values }: FunctionCall,
  tokens: TokenIndex,
  convert: string | null,
  now: string,
): TextEdit {
  const skipped = safe ? 2 : 0;
  const name = tokens.at(at, skipped);
  const open = tokens.at(at, skipped + 1);
  const hasParentheses = isSymbol(open, '(');
  if (convert === null) {
    return { from: at, to: hasParentheses ? tokens.at(at, skipped + 2).end : name.end, text: now };
  }
  if (!hasParentheses) return { from: name.at, to: name.end, text: `${convert}(${now})` };
  return { from: name.at, to: open.end, text: `${convert}(${now}${values.length === 0 ? '' : ', '}` };
}
