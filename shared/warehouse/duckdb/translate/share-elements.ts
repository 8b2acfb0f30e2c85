import type { ResolvedExpression } from '../../../sql/resolved/expression.ts';
import { ExpressionKeys } from '../../../sql/resolved/expression-key.ts';
import type { ComputedColumn } from '../../../sql/resolved/scan.ts';
import { mapExpression } from '../../../sql/resolved/transform.ts';
import { column, duck, EMPTY, joined, lambdaOf, type Sql, variable, word } from './duck/sql.ts';
import { isLambdaSafe } from './print-subquery.ts';
import { inside, type Printer, type Surroundings } from './printer.ts';
import { columnName, derivedTable, type Relation, type RelationColumn, selectListText } from './relation.ts';
import { type ChainLevel, unnestChain } from './unnest-chain.ts';

/** The bits of an INTEGER that is never negative. */
const MOST_CONDITIONS = 31;

/** EXISTS subqueries of one select list that walk through the same arrays and differ in their last condition only. */
interface Group {
  /** The arrays, outermost first. */
  readonly arrays: readonly Sql[];
  /** The variables that stand for their elements. */
  readonly elements: readonly Sql[];
  readonly members: { readonly columnId: number; readonly condition: Sql }[];
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
    ...kept.map((id) => duck`${relation.columns.get(id)?.sql} AS ${columnName(id)}`),
    ...groups.map((group, index) => duck`${bitsOf(group)} AS bits${index}`),
  ];
  const alias = printer.alias();
  const shared = new Map<number, RelationColumn>();
  for (const [index, { members }] of groups.entries()) {
    for (const [bit, { columnId }] of members.entries()) {
      const sql = duck`coalesce((${column(alias, word(`bits${index}`))} & ${2 ** bit}) > 0, false)`;
      shared.set(columnId, { sql, isSimple: true });
    }
  }
  return { relation: derivedTable(selectListText(relation, joined(list, ', ')), alias, kept), shared };
}

function findGroups(
  printer: Printer,
  computed: readonly ComputedColumn[],
  around: Surroundings,
): readonly Group[] {
  const keys = new ExpressionKeys();
  const groups = new Map<string, Group>();
  for (const {
    column: { id },
    expression,
  } of computed) {
    const levels = plainChain(expression);
    if (levels === null) continue;
    const key = arrayKeys(keys, levels).join(' ');
    const group = groups.get(key) ?? startGroup(printer, levels, around);
    groups.set(key, group);
    if (group.members.length === MOST_CONDITIONS) continue;
    const within = insideElements(levels, group.elements, around);
    const conditions = levels.flatMap((level) =>
      level.conditions.map((condition) => printer.expression(condition, within)),
    );
    group.members.push({ columnId: id, condition: joined(conditions, ' AND ') });
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

/** What tells the arrays of a chain from those of others: elements count by their depth. */
function arrayKeys(keys: ExpressionKeys, levels: readonly ChainLevel[]): readonly number[] {
  const depths = new Map(levels.map(({ element }, depth) => [element.id, -1 - depth]));
  return levels.map(({ array }) =>
    keys.keyOf(
      mapExpression(array, (part) => {
        const id = part.kind === 'column' ? depths.get(part.column.id) : undefined;
        return part.kind !== 'column' || id === undefined
          ? null
          : { ...part, column: { ...part.column, id } };
      }),
    ),
  );
}

function startGroup(printer: Printer, levels: readonly ChainLevel[], around: Surroundings): Group {
  const elements = levels.map(variable);
  const within = insideElements(levels, elements, around);
  const arrays = levels.map(({ array }, depth) => printer.expression(array, depth === 0 ? around : within));
  return { arrays, elements, members: [] };
}

function insideElements(
  levels: readonly ChainLevel[],
  elements: readonly Sql[],
  around: Surroundings,
): Surroundings {
  const known = new Map(levels.map(({ element }, depth) => [element.id, elements[depth] ?? null]));
  return { isLambda: true, lookup: (id) => known.get(id) ?? around.lookup(id) };
}

function bitsOf({ arrays, elements, members }: Group): Sql {
  const bits = members.map(({ condition }, bit) => duck`CASE WHEN ${condition} THEN ${2 ** bit} ELSE 0 END`);
  return arrays.reduceRight(
    (inner, array, depth) =>
      duck`list_bit_or(list_transform(${array}, ${lambdaOf([elements[depth] ?? EMPTY], inner)}))`,
    joined(bits, ' | '),
  );
}
