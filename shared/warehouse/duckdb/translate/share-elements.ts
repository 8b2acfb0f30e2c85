import type { ResolvedExpression } from '../../../sql/resolved/expression.ts';
import type { ComputedColumn } from '../../../sql/resolved/scan.ts';
import { isLambdaSafe } from './print-subquery.ts';
import { inside, type Printer, type Surroundings } from './printer.ts';
import { columnName, derivedTable, type Relation, type RelationColumn, selectListText } from './relation.ts';
import { type ChainLevel, unnestChain } from './unnest-chain.ts';

/** The bits of an INTEGER that is never negative. */
const MOST_CONDITIONS = 31;

/** EXISTS subqueries of one select list that walk through the same arrays and differ in their last condition only. */
interface Group {
  /** The SQL of the arrays, outermost first; the elements are x0, x1, … */
  readonly arrays: readonly string[];
  readonly members: { readonly columnId: number; readonly condition: string }[];
}

/**
 * Several `EXISTS (SELECT … FROM UNNEST(a) …)` over the same elements look at these once: a number with a bit for
 * each of them becomes a column of a derived table. Going through nested arrays costs far more than the conditions do.
 * Answers the relation and, by their ids, the columns that are done.
 */
export function shareElements(
  printer: Printer,
  relation: Relation,
  computed: readonly ComputedColumn[],
  needed: ReadonlySet<number>,
  around: Surroundings,
): { readonly relation: Relation; readonly shared: ReadonlyMap<number, RelationColumn> } {
  const groups = findGroups(printer, computed, inside(relation, around));
  if (groups.length === 0) return { relation, shared: new Map() };
  const kept = [...relation.columns.keys()].filter((id) => needed.has(id));
  const list = [
    ...kept.map((id) => `${relation.columns.get(id)?.sql} AS ${columnName(id)}`),
    ...groups.map((group, index) => `${bitsOf(group)} AS bits${index}`),
  ];
  const alias = printer.alias();
  const shared = new Map<number, RelationColumn>();
  for (const [index, { members }] of groups.entries()) {
    for (const [bit, { columnId }] of members.entries()) {
      const sql = `coalesce((${alias}.bits${index} & ${2 ** bit}) > 0, false)`;
      shared.set(columnId, { sql, isSimple: true });
    }
  }
  return { relation: derivedTable(selectListText(relation, list.join(', ')), alias, kept), shared };
}

function findGroups(
  printer: Printer,
  computed: readonly ComputedColumn[],
  around: Surroundings,
): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const { column, expression } of computed) {
    const levels = plainChain(expression);
    if (levels === null) continue;
    const { arrays, within } = printArrays(printer, levels, around);
    const key = arrays.join('\n');
    const group = groups.get(key) ?? { arrays, members: [] };
    groups.set(key, group);
    if (group.members.length === MOST_CONDITIONS) continue;
    const conditions = levels.at(-1)?.conditions.map((condition) => printer.expression(condition, within));
    group.members.push({ columnId: column.id, condition: conditions?.join(' AND ') ?? 'true' });
  }
  return [...groups.values()].filter(({ members }) => members.length > 1);
}

/** The levels of an EXISTS that has conditions on its innermost elements only; null for anything else. */
function plainChain(expression: ResolvedExpression): readonly ChainLevel[] | null {
  if (expression.kind !== 'subquery' || expression.mode !== 'exists') return null;
  const { scan } = expression;
  const levels = unnestChain(scan.kind === 'project' ? scan.input : scan);
  if (levels === null || !levels.every(isLambdaSafe)) return null;
  const isPlain = levels.every(
    ({ outer, conditions }, depth) => !outer && conditions.length > 0 === (depth === levels.length - 1),
  );
  return isPlain ? levels : null;
}

function printArrays(
  printer: Printer,
  levels: readonly ChainLevel[],
  around: Surroundings,
): { readonly arrays: readonly string[]; readonly within: Surroundings } {
  const variables = new Map<number, string>();
  const within: Surroundings = {
    isLambda: true,
    lookup: (id) => variables.get(id) ?? around.lookup(id),
  };
  const arrays = levels.map(({ array, element }, depth) => {
    const sql = printer.expression(array, depth === 0 ? around : within);
    variables.set(element.id, `x${depth}`);
    return sql;
  });
  return { arrays, within };
}

function bitsOf({ arrays, members }: Group): string {
  const bits = members.map(({ condition }, bit) => `CASE WHEN ${condition} THEN ${2 ** bit} ELSE 0 END`);
  return arrays.reduceRight(
    (inner, array, depth) => `list_bit_or(list_transform(${array}, lambda x${depth}: ${inner}))`,
    bits.join(' | '),
  );
}
