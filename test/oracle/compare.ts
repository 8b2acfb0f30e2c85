import { type Answer, type Cell, normalCell } from './answer.ts';
import { INEXACT_DIGITS, mayLeaveOut } from './differences.ts';
import { isInexact } from './generate/arguments.ts';
import type { GeneratedQuery } from './generate/query.ts';
import { childrenOf, printTree, type SqlTree } from './generate/sql-tree.ts';

export type Verdict =
  | { readonly kind: 'rows-agree' | 'errors-agree' | 'refused' | 'unjudged' }
  /** What differs, in one or two words, with the message where one side has an error; the same for one cause. */
  | { readonly kind: 'differs'; readonly how: string };

/** Holds the engine's answer against the evaluator's. */
export function compareAnswers(
  query: GeneratedQuery,
  functions: ReadonlySet<string>,
  ours: Answer,
  theirs: Answer,
): Verdict {
  if (ours.kind === 'broken') return { kind: 'differs', how: `engine fails: ${skeleton(ours.message)}` };
  if (ours.kind === 'refused') return { kind: 'refused' };
  if (theirs.kind === 'unjudged') return { kind: 'unjudged' };
  if (ours.kind === 'error') {
    if (theirs.kind === 'error') return { kind: 'errors-agree' };
    const isReached = theirs.kind !== 'rows' || (theirs.rows.length > 0 && !hasEmptyTable(query.tree));
    return isReached
      ? { kind: 'differs', how: `wrong error: ${skeleton(ours.message)}` }
      : { kind: 'unjudged' };
  }
  const isOpen = [...functions].some(mayLeaveOut) || hasNull(query.tree);
  if (theirs.kind === 'error' && isOpen) return { kind: 'unjudged' };
  if (theirs.kind === 'error') return { kind: 'differs', how: `accepted error: ${skeleton(theirs.message)}` };
  if (ours.kind !== 'rows' || theirs.kind !== 'rows') return { kind: 'unjudged' };
  const [types, expectedTypes] = [ours, theirs].map(({ columns }) =>
    columns.map(({ type }) => type).join(' | '),
  );
  if (types !== expectedTypes) return { kind: 'differs', how: 'wrong type' };
  const isRounded = [...functions].some(isInexact);
  const spell = (answer: typeof ours) => rowsOf(answer, query, isRounded);
  return spell(ours) === spell(theirs) ? { kind: 'rows-agree' } : { kind: 'differs', how: 'wrong rows' };
}

function hasEmptyTable(tree: SqlTree): boolean {
  if (typeof tree === 'string') return false;
  return (tree.kind === 'table' && tree.rows.length === 0) || childrenOf(tree).some(hasEmptyTable);
}

function hasNull(tree: SqlTree): boolean {
  return printTree(tree).includes('CAST(NULL AS');
}

function rowsOf(
  { columns, rows }: Extract<Answer, { kind: 'rows' }>,
  { ordered, unordered }: Pick<GeneratedQuery, 'ordered' | 'unordered'>,
  isRounded: boolean,
): string {
  const spelled = rows.map((row) =>
    JSON.stringify(
      row.map((cell, index) => {
        const type = columns[index]?.type ?? '';
        const normal = normalCell(cell, type);
        const exact = isRounded ? rounded(normal, type) : normal;
        return unordered.includes(index) && Array.isArray(exact) ? sorted(exact) : exact;
      }),
    ),
  );
  return (ordered ? spelled : spelled.sort()).join('\n');
}

function sorted(cells: readonly Cell[]): Cell {
  return [...cells].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** FLOAT64 values with fewer digits. */
function rounded(cell: Cell, type: string): Cell {
  if (cell === null || !type.includes('FLOAT64')) return cell;
  if (typeof cell !== 'string') return cell.map((item) => rounded(item, type));
  const value = Number(cell);
  return Number.isFinite(value) && cell !== '-0' && value !== 0 ? value.toPrecision(INEXACT_DIGITS) : cell;
}

/** The beginning of a message without what it quotes. */
function skeleton(message: string): string {
  return message
    .replace(/ \(line \d+, column \d+\)| \[at \d+:\d+\]/g, '')
    .replace(/'[^']*'|"[^"]*"|`[^`]*`|-?\d+(\.\d+)?/g, '…')
    .replace(
      /(ARRAY<)?\b(BOOL|INT64|FLOAT64|NUMERIC|BIGNUMERIC|STRING|BYTES|DATE|DATETIME|TIME|TIMESTAMP|INTERVAL|JSON)\b>?/g,
      'T',
    )
    .slice(0, 70);
}
