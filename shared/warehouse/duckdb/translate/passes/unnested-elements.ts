import type { ResolvedColumn, ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { isLiteral } from '../../../../sql/resolved/make-expression.ts';
import { referencedColumns } from '../../../../sql/resolved/references.ts';
import type { ResolvedScan, SetOperationScan, TableScan, UnnestScan } from '../../../../sql/resolved/scan.ts';
import { walkPlan } from '../../../../sql/resolved/walk.ts';
import {
  isTextColumn,
  repeatedRecords,
  sourceOfRepeated,
  type TableLayout,
  type TableLayouts,
} from '../../store/layout.ts';

/** The record whose elements rows are made of. */
interface UnnestedElements {
  readonly source: string;
  /** Its path. */
  readonly record: string;
  /** Whether it is the one record that entries of the source may have twice. */
  readonly isOnly: boolean;
}

/** By the columns of the unions of a source's table and the one beside it. */
export type ElementsOfUnions = ReadonlyMap<readonly ResolvedColumn[], UnnestedElements>;

/**
 * Finds the unions whose rows are made of the elements of one record that entries may have twice, and use nothing else of such
 * records: the rows are the same where each element is an entry by itself. In the second input, one by one, rows are
 * made of the table beside the source's. `trial` is the plan with records read as columns; those that entries have twice are lists.
 */
export function unnestedElements(
  plan: ResolvedScan,
  trial: ResolvedScan,
  layouts: TableLayouts,
): ElementsOfUnions {
  const inTrial = new Map<number, Input>();
  for (const { input } of inputsBeside(trial)) {
    for (const { id } of tableOf(input)?.columns ?? []) inTrial.set(id, input);
  }
  const found = new Map<readonly ResolvedColumn[], UnnestedElements>();
  for (const { union, input } of inputsBeside(plan)) {
    const table = tableOf(input);
    const source = sourceOfRepeated(table?.table ?? '');
    const layout = source === null ? undefined : layouts.get(source);
    const rewritten = table?.columns.map(({ id }) => inTrial.get(id)).find((one) => one !== undefined);
    if (source === null || layout === undefined || rewritten === undefined) continue;
    const elements = elementsIn(input, rewritten, layout);
    if (elements !== null) found.set(union.columns, { source, ...elements });
  }
  return found;
}

type Input = SetOperationScan['inputs'][number];

/** The inputs of unions with rows of a table beside a source's. */
function inputsBeside(
  plan: ResolvedScan,
): readonly { readonly union: SetOperationScan; readonly input: Input }[] {
  const inputs: { readonly union: SetOperationScan; readonly input: Input }[] = [];
  walkPlan(plan, (union) => {
    if (union.kind !== 'set-operation') return;
    for (const input of union.inputs) {
      if (sourceOfRepeated(tableOf(input)?.table ?? '') !== null) inputs.push({ union, input });
    }
  });
  return inputs;
}

function tableOf({ scan }: Input): TableScan | null {
  const [lowest] = scansOneByOne(scan);
  return lowest?.kind === 'table' ? lowest : null;
}

/** The record of which an input uses the elements, and nothing else; null for other uses. */
function elementsIn(
  input: Input,
  rewritten: Input,
  layout: TableLayout,
): Pick<UnnestedElements, 'record' | 'isOnly'> | null {
  const hasText = tableOf(rewritten)?.columns.some(({ name }) => isTextColumn(name)) ?? true;
  const used = repeatedRecords(layout).flatMap((record) => {
    const uses = usesOf(record, rewritten);
    return uses.length === 0 ? [] : [{ record, uses }];
  });
  const [only, ...others] = used;
  if (hasText || only === undefined || others.length > 0) return null;
  const { record, uses } = only;
  const [unnest, ...further] = uses;
  if (unnest === undefined || unnest === 'other' || further.length > 0) return null;
  // An array that is no column or field may have fewer elements than the record.
  const original = scansOneByOne(input.scan).find((scan) => isUnnestOf(scan, unnest.element.id));
  const isPath = original?.array.kind === 'column' || original?.array.kind === 'field';
  const isOnly = layout.onlyRepeated === record;
  // In a source's own table, an entry with several elements looks like one without the record.
  const isKnown = layout.elements?.has(record) === true && (isOnly || !unnest.outer);
  return isPath && isKnown ? { record, isOnly } : null;
}

function isUnnestOf(scan: ResolvedScan, element: number): scan is UnnestScan {
  return scan.kind === 'unnest' && scan.element.id === element;
}

/** The scans from a table up. */
function scansOneByOne(scan: ResolvedScan): readonly ResolvedScan[] {
  const below = scan.kind === 'join' ? scan.left : 'input' in scan ? scan.input : null;
  return below === null ? [scan] : [...scansOneByOne(below), scan];
}

/** The uses of a record that is a list: the scans that unnest it, or some other use. */
function usesOf(record: string, { scan: rows, columns }: Input): readonly (UnnestScan | 'other')[] {
  const lists = new Set<number>();
  const uses: (UnnestScan | 'other')[] = [];
  const isList = (expression: ResolvedExpression) =>
    expression.kind === 'column' && lists.has(expression.column.id);
  const note = (...parts: readonly (object | null)[]) => {
    for (const id of referencedColumns(...parts)) if (lists.has(id)) uses.push('other');
  };
  for (const scan of scansOneByOne(rows)) {
    switch (scan.kind) {
      case 'table':
        for (const { id, name } of scan.columns) if (name === record) lists.add(id);
        break;
      case 'project':
        for (const { column, expression } of scan.computed) {
          if (isList(expression)) lists.add(column.id);
          else note(expression);
        }
        break;
      case 'unnest': {
        const { array } = scan;
        const list = listWherePresent(array);
        if (isList(list)) uses.push(scan);
        else note(list);
        if (list !== array && array.kind === 'case') note(...array.branches.map(({ when }) => when));
        break;
      }
      case 'filter':
        note(scan.condition);
        break;
      case 'join':
        note(scan.right, scan.condition);
        break;
      case 'order':
        note(scan.keys);
        break;
      default:
        break;
    }
  }
  for (const { id } of columns) if (lists.has(id)) uses.push('other');
  return uses;
}

/** The list that an array is where what it lies in is there, and NULL elsewhere; any other array itself. */
function listWherePresent(array: ResolvedExpression): ResolvedExpression {
  if (array.kind !== 'case' || !isLiteral(array.otherwise, null)) return array;
  const [first, ...others] = array.branches;
  return first === undefined || others.length > 0 ? array : first.result;
}
