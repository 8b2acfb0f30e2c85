import { type Answer, type Cell, normalCell } from './answer.ts';
import { endsAtZero, INEXACT_DIGITS, mayLeaveOut, SMALLEST_NORMAL, triesPatterns } from './differences.ts';
import { isInexact } from './generate/arguments.ts';
import type { GeneratedQuery } from './generate/query.ts';
import { childrenOf, printTree, type SqlTree } from './generate/sql-tree.ts';

export type Verdict =
  | { readonly kind: 'rows-agree' | 'errors-agree' | 'refused' | 'unjudged' }
  /** What differs, in one or two words, with the message where one side has an error; the same for one cause. */
  | { readonly kind: 'differs'; readonly how: string };

/** One side has an error, and the other may have left out what it is of. open-errors.ts decides whether it may; if not, they differ in `how`. */
export interface OpenError {
  readonly kind: 'open';
  readonly how: string;
}

/** Holds the engine's answer against the evaluator's. */
export function compareAnswers(
  query: GeneratedQuery,
  functions: ReadonlySet<string>,
  ours: Answer,
  theirs: Answer,
): Verdict | OpenError {
  if (ours.kind === 'broken') return { kind: 'differs', how: `engine fails: ${skeleton(ours.message)}` };
  if (ours.kind === 'refused') return { kind: 'refused' };
  if (theirs.kind === 'unjudged') return { kind: 'unjudged' };
  if (ours.kind === 'error') {
    if (theirs.kind === 'error') return { kind: 'errors-agree' };
    if (ours.message.startsWith('LIKE pattern') && [...functions].some(triesPatterns))
      return { kind: 'unjudged' };
    const isReached =
      theirs.kind !== 'rows' ||
      (theirs.rows.length > 0 && !hasEmptyTable(query.tree) && !hasExists(query.tree));
    return { kind: isReached ? 'differs' : 'open', how: `wrong error: ${skeleton(ours.message)}` };
  }
  if (theirs.kind === 'error') {
    const isOpen =
      !isOfAnalysis(theirs.message) &&
      ([...functions].some(mayLeaveOut) ||
        hasNull(query.tree) ||
        hasTwoFilters(query.tree) ||
        hasEmptyTable(query.tree) ||
        theirs.message.startsWith('LIKE pattern'));
    return { kind: isOpen ? 'open' : 'differs', how: `accepted error: ${skeleton(theirs.message)}` };
  }
  if (ours.kind !== 'rows' || theirs.kind !== 'rows') return { kind: 'unjudged' };
  const [types, expectedTypes] = [ours, theirs].map(({ columns }) =>
    columns.map(({ type }) => type).join(' | '),
  );
  if (types !== expectedTypes) return { kind: 'differs', how: 'wrong type' };
  const loose: Looseness = {
    isInexact: [...functions].some(isInexact),
    isAverage: functions.has('AVG'),
    isOfDistinct: functions.has('AVG') || functions.has('SUM') ? hasDistinct(query.tree) : false,
  };
  const spell = (answer: typeof ours) => rowsOf(answer, query, loose);
  if (spell(ours) === spell(theirs)) return { kind: 'rows-agree' };
  const isOpen = [...functions].some(endsAtZero) && printTree(query.tree).includes('\\x00');
  return isOpen ? { kind: 'unjudged' } : { kind: 'differs', how: 'wrong rows' };
}

/** Whether an error is of the query's text, which the evaluator says with a place: no order of evaluation explains it. */
function isOfAnalysis(message: string): boolean {
  return / \[at \d+:\d+\]/.test(message);
}

function hasEmptyTable(tree: SqlTree): boolean {
  if (typeof tree === 'string') return false;
  return (tree.kind === 'table' && tree.rows.length === 0) || childrenOf(tree).some(hasEmptyTable);
}

/** Whether rows of a subquery need not all be computed. */
function hasExists(tree: SqlTree): boolean {
  return printTree(tree).includes('EXISTS(');
}

/** Whether a value of the query may be NULL. */
function hasNull(tree: SqlTree): boolean {
  return /CAST\(NULL AS|ARRAY<\w+>\[\]|SAFE|JOIN|CASE|NULLIF|JSON|REGEXP_/.test(printTree(tree));
}

/** Whether conditions stand beside each other as beside AND. */
function hasTwoFilters(tree: SqlTree): boolean {
  return printTree(tree).split(/\bWHERE\b/).length > 2;
}

function hasDistinct(tree: SqlTree): boolean {
  return printTree(tree).includes('(DISTINCT ');
}

/** What of the values is left open: `inexact`, `infiniteAverages` and `distinctIntervals` of differences.ts. */
interface Looseness {
  readonly isInexact: boolean;
  readonly isAverage: boolean;
  readonly isOfDistinct: boolean;
}

function rowsOf(
  { columns, rows }: Extract<Answer, { kind: 'rows' }>,
  { ordered, unordered }: Pick<GeneratedQuery, 'ordered' | 'unordered'>,
  loose: Looseness,
): string {
  const spelled = rows.map((row) =>
    JSON.stringify(
      row.map((cell, index) => {
        const type = columns[index]?.type ?? '';
        const value = loosened(normalCell(cell, type), type, loose);
        return unordered.includes(index) && Array.isArray(value) ? sorted(value) : value;
      }),
    ),
  );
  return (ordered ? spelled : spelled.sort()).join('\n');
}

function sorted(cells: readonly Cell[]): Cell {
  return [...cells].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function loosened(cell: Cell, type: string, loose: Looseness): Cell {
  if (cell === null) return cell;
  if (typeof cell !== 'string') return cell.map((item) => loosened(item, type, loose));
  if (type === 'INTERVAL' && loose.isOfDistinct) return intervalLength(cell);
  if (!type.includes('FLOAT64')) return cell;
  const value = Number(cell);
  if (!Number.isFinite(value)) return loose.isAverage ? 'not finite' : cell;
  if (!loose.isInexact || value === 0) return cell;
  return Math.abs(value) < SMALLEST_NORMAL ? '0' : value.toPrecision(INEXACT_DIGITS);
}

/** The seconds of `Y-M D H:M:S`, with months of 30 days. */
function intervalLength(text: string): string {
  const [months = '', days = '', clock = ''] = text.split(' ');
  const [year = '', month = ''] = months.replace(/^-/, '').split('-');
  const [hour = '', minute = '', second = ''] = clock.replace(/^-/, '').split(':');
  const ofMonths = (Number(year) * 12 + Number(month)) * 30 * (months.startsWith('-') ? -1 : 1);
  const ofClock = (Number(hour) * 60 + Number(minute)) * 60 + Number(second);
  return String((ofMonths + Number(days)) * 86_400 + ofClock * (clock.startsWith('-') ? -1 : 1));
}

/** The beginning of a message without what it quotes. */
export function skeleton(message: string): string {
  return message
    .replace(/ \(line \d+, column \d+\)| \[at \d+:\d+\]/g, '')
    .replace(/'[^']*'|"[^"]*"|`[^`]*`|-?\d+(\.\d+)?/g, '…')
    .replace(
      /(ARRAY<)?\b(BOOL|INT64|FLOAT64|NUMERIC|BIGNUMERIC|STRING|BYTES|DATE|DATETIME|TIME|TIMESTAMP|INTERVAL|JSON)\b>?/g,
      'T',
    )
    .slice(0, 90);
}
