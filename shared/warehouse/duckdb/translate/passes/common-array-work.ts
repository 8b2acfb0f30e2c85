import { conjunction } from '../../../../sql/resolved/conjuncts.ts';
import type { ResolvedColumn, ResolvedExpression } from '../../../../sql/resolved/expression.ts';
import { ExpressionKeys } from '../../../../sql/resolved/expression-key.ts';
import { callOf, columnReference, FALSE, integer } from '../../../../sql/resolved/make-expression.ts';
import { mapPlan } from '../../../../sql/resolved/map-plan.ts';
import type { ComputedColumn, ProjectScan, ResolvedScan } from '../../../../sql/resolved/scan.ts';
import { replaceColumns } from '../../../../sql/resolved/transform.ts';
import { BOOL, INT64 } from '../../../../sql/types/sql-type.ts';
import { type ChainLevel, isLambdaSafe, unnestChain } from '../unnest-chain.ts';
import type { Pass } from './pass.ts';

/** The bits of an INT64 that is never negative. */
const MOST_CONDITIONS = 62;

/**
 * Several `EXISTS (SELECT … FROM UNNEST(a) …)` of one select list over the same elements look at these once: a number
 * with a bit for each of them becomes a column. Going through nested arrays costs far more than the conditions do.
 */
export const COMMON_ARRAY_WORK: Pass = {
  name: 'common array work',
  stage: 'page',
  isCandidate: (scan) => scan.kind === 'project' && scan.computed.filter(isExists).length > 1,
  run: (plan, { outputs, newColumnId }) =>
    mapPlan(plan, outputs, (scan, needed) =>
      scan.kind === 'project' && scan.computed.filter(isExists).length > 1
        ? eliminateCommonSubexpressions(scan, needed(), newColumnId)
        : scan,
    ),
};

function isExists({ expression }: ComputedColumn): boolean {
  return expression.kind === 'subquery' && expression.mode === 'exists';
}

/** EXISTS subqueries that walk through the same arrays and differ in the condition on the innermost elements only. */
interface Group {
  readonly levels: readonly ChainLevel[];
  readonly members: { readonly columnId: number; readonly condition: ResolvedExpression }[];
}

function eliminateCommonSubexpressions(
  scan: ProjectScan,
  needed: ReadonlySet<number>,
  newColumnId: () => number,
): ResolvedScan {
  const groups = findGroups(scan, needed);
  if (groups.length === 0) return scan;
  const shared = new Map<number, ResolvedExpression>();
  const numbers = groups.map((group) => {
    const column: ResolvedColumn = { id: newColumnId(), name: '$bits', type: INT64 };
    for (const [bit, { columnId }] of group.members.entries()) shared.set(columnId, hasBit(column, bit));
    return { column, expression: bitsOf(group, newColumnId) };
  });
  return {
    ...scan,
    input: { kind: 'project', input: scan.input, computed: numbers },
    computed: scan.computed.map(({ column, expression }) => {
      return { column, expression: shared.get(column.id) ?? expression };
    }),
  };
}

function findGroups({ computed }: ProjectScan, needed: ReadonlySet<number>): readonly Group[] {
  const keys = new ExpressionKeys();
  const groups = new Map<string, Group>();
  for (const { column, expression } of computed) {
    const levels = needed.has(column.id) ? plainChain(expression) : null;
    if (levels === null) continue;
    const key = arrayKeys(keys, levels).join(' ');
    const group = groups.get(key) ?? { levels, members: [] };
    groups.set(key, group);
    const condition = conjunction(levels.flatMap(({ conditions }) => conditions));
    if (condition === null || group.members.length === MOST_CONDITIONS) continue;
    group.members.push({ columnId: column.id, condition: overElements(condition, levels, group.levels) });
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

/** What distinguishes the arrays of a chain from those of others: elements count by their depth. */
function arrayKeys(keys: ExpressionKeys, levels: readonly ChainLevel[]): readonly number[] {
  const byDepth = new Map(levels.map(({ element }, depth) => [element.id, { ...element, id: -1 - depth }]));
  return levels.map(({ array }) => keys.keyOf(replaceColumns(array, byDepth)));
}

/** A condition on the elements of one chain, on those of another over the same arrays. */
function overElements(
  condition: ResolvedExpression,
  from: readonly ChainLevel[],
  to: readonly ChainLevel[],
): ResolvedExpression {
  const elements = from.map(({ element }, depth) => [element.id, to[depth]?.element ?? element] as const);
  return replaceColumns(condition, new Map(elements));
}

/** `(SELECT BIT_OR(IF(condition, 1, 0) | IF(condition, 2, 0) | …) FROM UNNEST(a) …)` */
function bitsOf({ levels, members }: Group, newColumnId: () => number): ResolvedExpression {
  const bits = members.map(({ condition }, bit): ResolvedExpression => {
    const branches = [{ when: condition, result: integer(1n << BigInt(bit)) }];
    return { kind: 'case', type: INT64, branches, otherwise: integer(0n) };
  });
  const rows = levels.reduce<ResolvedScan>(
    (input, { array, element, outer }) => ({ kind: 'unnest', input, array, element, offset: null, outer }),
    { kind: 'single-row' },
  );
  const column: ResolvedColumn = { id: newColumnId(), name: '', type: INT64 };
  const aggregate = {
    column,
    name: 'BIT_OR',
    arguments: [bits.reduce((all, bit) => callOf('$BIT_OR', INT64, all, bit))],
    distinct: false,
    nulls: null,
    having: null,
    orderBy: [],
    limit: null,
  };
  const scan: ResolvedScan = {
    kind: 'aggregate',
    input: rows,
    keys: [],
    sets: null,
    aggregates: [aggregate],
  };
  return { kind: 'subquery', type: INT64, mode: 'scalar', scan, column, operand: null };
}

/** Whether a number has a bit; false where there is no number, as there are no elements. */
function hasBit(column: ResolvedColumn, bit: number): ResolvedExpression {
  const number = columnReference(column);
  const isSet = callOf(
    '$GREATER',
    BOOL,
    callOf('$BIT_AND', INT64, number, integer(1n << BigInt(bit))),
    integer(0n),
  );
  return callOf('IFNULL', BOOL, isSet, FALSE);
}
